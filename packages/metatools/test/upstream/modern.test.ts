import assert from "node:assert/strict";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { until } from "../../../../e2e/until.ts";
import type { HttpSpec, Protocol } from "../../src/upstream/spec.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { type TestGateway, testGateway } from "../fixtures/gateway.ts";

const names = new Set(["greet"]);
const eras: string[] = [];

/** The SDK's own server, which speaks both eras on one address. */
const handler = createMcpHandler(({ era }) => {
	eras.push(era);
	const server = new McpServer({ name: "both", version: "1.0.0" }, { capabilities: { tools: { listChanged: true } } });
	for (const name of names) {
		const inputSchema = fromJsonSchema<{ who: string }>({
			type: "object",
			properties: { who: Object.assign({ type: "string" } as const, { "x-mcp-header": "who" }) },
			required: ["who"],
		});
		server.registerTool(name, { description: "Say hello", inputSchema }, async ({ who }) => ({
			content: [{ type: "text", text: `hello ${who}` }],
		}));
	}
	return server;
});
const serve = toNodeHandler(handler);
// The adapter's own type of a request lacks only the word undefined.
const listener: RequestListener = (request, response) => void serve(request as Parameters<typeof serve>[0], response);
const http = createServer(listener);

test("a server of either era is listed and run, in the era it was asked for", { timeout: 120_000 }, async (t) => {
	await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
	t.after(() => {
		http.closeAllConnections();
		http.close();
	});
	const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
	for (const [protocol, era] of [
		["auto", "modern"],
		["modern", "modern"],
		["legacy", "legacy"],
	] as readonly [Protocol, string][]) {
		eras.length = 0;
		const spec: HttpSpec = { kind: "http", name: protocol, namespace: protocol, protocol, url, headers: {} };
		const demo = await testGateway({ openTransport, config: { servers: [spec] } });
		assert.equal(
			(await demo.data("run_tool", { tool_id: `${protocol}:greet`, args: { who: "you" } })).structured,
			"hello you",
		);
		assert.equal(eras.at(-1), era, protocol);
		await demo.stop();
	}
});

test("a modern server's change of tools is heard through its subscription", { timeout: 120_000 }, async (t) => {
	const { demo } = await gatewayBefore(t, "live");
	names.add("farewell");
	await until(async () => {
		handler.notify.toolsChanged();
		await new Promise((resolve) => setTimeout(resolve, 50));
		return demo.gateway.catalog.get("live:farewell") !== undefined;
	});
});

test("a subscription that breaks off is opened again, and what changed meanwhile is read", {
	timeout: 120_000,
}, async (t) => {
	const { own, demo } = await gatewayBefore(t, "cut");
	own.closeAllConnections();
	names.add("meanwhile");
	await until(() => demo.gateway.catalog.get("cut:meanwhile") !== undefined);
	names.add("afterwards");
	await until(() => {
		handler.notify.toolsChanged();
		return demo.gateway.catalog.get("cut:afterwards") !== undefined;
	});
});

/** A gateway before a modern server of its own, which can be cut off. */
async function gatewayBefore(t: TestContext, name: string): Promise<{ own: Server; demo: TestGateway }> {
	const own = createServer(listener);
	await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
	t.after(() => {
		own.closeAllConnections();
		own.close();
	});
	const url = `http://127.0.0.1:${(own.address() as AddressInfo).port}/mcp`;
	const demo = await testGateway({
		openTransport,
		config: { servers: [{ kind: "http", name, namespace: name, protocol: "modern", url, headers: {} }] },
	});
	t.after(() => demo.stop());
	return { own, demo };
}
