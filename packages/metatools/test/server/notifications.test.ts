import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { loadDefaultConfig } from "../../src/config/load.ts";
import { Debouncer } from "../../src/server/clientNews.ts";
import { createGatewayServer } from "../../src/server/serving/gatewayServer.ts";
import { createStdioTransport } from "../../src/server/serving/transport.ts";
import { type TestGateway, type TestGatewayOptions, testGateway } from "../fixtures/gateway.ts";

type Message = { id?: number; method?: string; result?: { capabilities: { tools: unknown } } };

/** The gateway on a stdio conversation that has shaken hands. */
async function served(
	options: TestGatewayOptions,
): Promise<TestGateway & { messages: Message[]; changes(): number; end(): Promise<void> }> {
	const gateway = await testGateway(options);
	const input = new PassThrough();
	const messages: Message[] = [];
	const transport = createStdioTransport({ input, write: (text) => messages.push(JSON.parse(text)) });
	const serving = transport.serve(createGatewayServer(gateway.gateway), new AbortController().signal);
	input.write(
		`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } } })}\n`,
	);
	input.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
	await until(() => messages.length > 0);
	return {
		...gateway,
		messages,
		changes: () => messages.filter((message) => message.method === "notifications/tools/list_changed").length,
		async end() {
			await transport.close();
			await serving;
			await gateway.stop();
		},
	};
}

const offer = (gateway: TestGateway, n: number) =>
	gateway.gateway.catalog.set({
		namespace: "burst",
		definitions: [{ name: `tool_${n}` }],
		backendOf: () => ({ kind: "local", local: { name: "x" } }),
	});

verifies("004-tradeoffs-list-changed", "a change of the catalogue is announced to the client", async () => {
	const demo = await served({ settings: { notifyDebounceMs: 10 } });
	await delay(60);
	const before = demo.changes();
	await demo.data("run_tool", { tool_id: "demo:learn" });
	await until(() => demo.changes() === before + 1);
	assert.deepEqual(demo.messages[0]?.result?.capabilities.tools, { listChanged: true });
	await demo.end();
});

verifies("004-tradeoffs-list-changed-debounced", "many changes inside one window are announced once", async () => {
	const demo = await served({ servers: [], settings: { notifyDebounceMs: 1_000 } });
	await delay(1_500);
	const before = demo.changes();
	// Without a pause between them they fit into one window on any machine.
	for (let n = 0; n < 40; n++) offer(demo, n);
	assert.equal(demo.changes(), before);
	await until(() => demo.changes() > before);
	await delay(1_500);
	assert.equal(demo.changes(), before + 1);
	await demo.end();
});

verifies(
	"004-tradeoffs-list-changed-off",
	"with notifications off none is sent and the capability is not there",
	async () => {
		const demo = await served({ servers: [], settings: { notifyListChanged: false, notifyDebounceMs: 5 } });
		offer(demo, 1);
		offer(demo, 2);
		await delay(100);
		assert.equal(demo.changes(), 0);
		const tools = demo.messages[0]?.result?.capabilities.tools as { listChanged?: boolean };
		assert.notEqual(tools.listChanged, true);
		await demo.end();
	},
);

test("a surface that is configured anew is announced, the same one is not", async () => {
	const demo = await served({ servers: [], settings: { notifyDebounceMs: 5 } });
	const config = loadDefaultConfig();
	await delay(50);
	const before = demo.changes();
	await demo.gateway.apply(config);
	await delay(50);
	assert.equal(demo.changes(), before);
	await demo.gateway.apply({ ...config, settings: { ...config.settings, surface: "compact" } });
	await until(() => demo.changes() === before + 1);
	await demo.end();
});

test("a listing that comes back the same is no change", async () => {
	const demo = await served({ settings: { notifyDebounceMs: 5 } });
	await delay(50);
	const before = demo.changes();
	demo.peers.of("demo").notifyToolsChanged();
	await delay(150);
	assert.equal(demo.changes(), before);
	await demo.end();
});

test("changes that never pause are told of all the same", (t) => {
	t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
	let told = 0;
	const debouncer = new Debouncer(150, () => told++);
	for (let changes = 0; changes < 60; changes++) {
		debouncer.trigger();
		t.mock.timers.tick(100);
	}
	assert.equal(told, 4);
	debouncer.stop();
});
