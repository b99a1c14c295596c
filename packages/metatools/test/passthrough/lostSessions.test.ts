import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createFront, type HttpListener, LOOPBACK_NAMES, listen, McpEndpoint } from "libmcp/http";
import { openTransport } from "../../src/upstream/transport.ts";
import { until } from "../fixtures/gateway.ts";
import { ask, served } from "./conversations.ts";

const CALL = { name: "echo", arguments: {} };
const options = { timeout: 60_000 };
const running: { readonly listener: HttpListener; readonly endpoint: McpEndpoint }[] = [];
after(() => Promise.all(running.map(({ listener, endpoint }) => listener.close([endpoint], 0).catch(() => {}))));

/** A server on an address, which may be one that another had before. */
async function server(port = 0) {
	const calls: (string | undefined)[] = [];
	const endpoint = new McpEndpoint({
		dispatcher: async (method, _, { session }) => {
			if (method === "tools/list") return { tools: [{ name: "echo", inputSchema: { type: "object" } }] };
			calls.push(session?.id);
			return { content: [{ type: "text", text: "ok" }] };
		},
		description: { info: { name: "s", version: "1" }, capabilities: { tools: { listChanged: true } } },
	});
	const front = createFront({ endpoint: () => endpoint, origins: { hosts: LOOPBACK_NAMES, origins: [] } });
	const listener = await listen(front, { port });
	running.push({ listener, endpoint });
	const stop = () => listener.close([endpoint], 0);
	return { url: `${listener.address}/mcp`, port: listener.port, calls, endpoint, stop };
}

test("a server that forgot its sessions is asked in a new one, and each call runs once", options, async () => {
	const first = await server();
	const url = await served({ kind: "http", protocol: "legacy", url: first.url, headers: {} }, openTransport);
	const { session } = await ask(url);
	assert.equal((await ask(url, session, "tools/call", CALL)).status, 200);
	await first.stop();
	const second = await server(first.port);
	// What is sent in the very moment a server goes may have run, and is not sent again.
	await new Promise((resolve) => setTimeout(resolve, 100));
	for (let n = 0; n < 3; n++) {
		const { body } = await ask(url, session, "tools/call", CALL);
		assert.deepEqual(body.result, { content: [{ type: "text", text: "ok" }] });
	}
	assert.equal(second.calls.length, 3);
	assert.equal(new Set(second.calls).size, 1, "one new session, and not one for each call");
});

test("news are asked for again when the connection they came over is gone", options, async () => {
	const first = await server();
	const url = await served({ kind: "http", protocol: "modern", url: first.url, headers: {} }, openTransport);
	const news: string[] = [];
	const listening = new AbortController();
	after(() => listening.abort());
	const { session } = await ask(url);
	const stream = await fetch(url, {
		headers: { accept: "text/event-stream", "mcp-session-id": session ?? "" },
		signal: listening.signal,
	});
	void (async () => {
		for await (const chunk of stream.body ?? []) news.push(Buffer.from(chunk).toString());
	})().catch(() => {});
	await first.stop();
	const second = await server(first.port);
	await until(() => {
		second.endpoint.notify("notifications/tools/list_changed");
		return news.join("").includes("notifications/tools/list_changed");
	}, 20_000);
});
