import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { verifies } from "../../../../e2e/verifies.ts";
import { listTools } from "../../src/server/dispatch/mcpDispatcher.ts";
import { TOOLS } from "../../src/server/tools/tools.ts";
import { sampleFolder } from "./sample.ts";
import { StdioClient } from "./stdioClient.ts";
import { killWorker, onLinux, workerOf } from "./worker.ts";

async function backend(t: TestContext): Promise<{ url: string; seen: () => number }> {
	let seen = 0;
	const server = createServer(() => {
		seen += 1;
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	t.after(() => server.close().closeAllConnections());
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen: () => seen };
}

verifies(
	"002-replay-synesthetic-declares",
	"every tool declares whether a call may be repeated; populate_backend alone may not",
	() => {
		for (const tool of listTools()) {
			const kind = tool.name === "populate_backend" ? "at_most_once" : "replay_safe";
			assert.deepEqual(tool._meta, { "io.libmcp/effect": { recovery: { kind } } }, String(tool.name));
		}
		assert.equal(TOOLS.size, listTools().length);
	},
);

verifies(
	"002-replay-synesthetic-declares",
	"a worker killed while it populates is replaced, and the backend has seen one request",
	async (t) => {
		const { url, seen } = await backend(t);
		const client = await new StdioClient(t, { cwd: sampleFolder(t), env: { SYN_BACKEND_URL: url } }).ready();
		client.send({ jsonrpc: "2.0", id: "once", method: "populate_backend", params: { asset: { name: "x" } } });
		await client.until(() => seen() === 1);
		await killWorker(client);
		const { id, error } = JSON.parse(await client.line());
		assert.equal(id, "once");
		assert.equal(error.code, -32603);
		assert.equal(error.data.fault.class, "ambiguous_outcome");
		assert.deepEqual(await client.call("get_schema", { name: "none" }), { ok: false, reason: "not_found" });
		assert.equal(seen(), 1);
	},
	{ skip: onLinux },
);

test("a worker killed again and again loses no answer of the tools that may be repeated", {
	skip: onLinux,
}, async (t) => {
	const client = await new StdioClient(t, { cwd: sampleFolder(t) }).ready();
	const errors = [{ path: "", msg: 'expected property "name", which is missing' }];
	const refused = { ok: false, reason: "validation_failed", errors };
	let worker: number | undefined;
	for (let round = 0; round < 3; round += 1) {
		// Once there is another the host knows of the last death: no call meets two of them, which would be its own fault.
		worker = await workerOf(client, worker);
		for (let i = 0; i < 40; i += 1)
			client.send({
				jsonrpc: "2.0",
				id: i,
				method: "validate_asset",
				params: { asset: {}, schema: "synesthetic-asset" },
			});
		process.kill(worker, "SIGKILL");
		for (let i = 0; i < 40; i += 1)
			assert.equal(await client.line(), `{"jsonrpc":"2.0","id":${i},"result":${JSON.stringify(refused)}}`);
	}
	assert.equal(await client.end(), 0);
});

test("an MCP session outlives its worker", { skip: onLinux }, async (t) => {
	const client = await new StdioClient(t, { cwd: sampleFolder(t) }).ready();
	const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "w", version: "1" } };
	const hello = await client.ask({ jsonrpc: "2.0", id: 0, method: "initialize", params });
	assert.equal((hello.result as { protocolVersion: string }).protocolVersion, "2025-11-25");
	client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
	await killWorker(client);
	const { result } = await client.ask({
		jsonrpc: "2.0",
		id: 1,
		method: "tools/call",
		params: { name: "list_schemas", arguments: {} },
	});
	assert.equal((result as { structuredContent: { ok: boolean } }).structuredContent.ok, true);
	const again = await client.ask({ jsonrpc: "2.0", id: 2, method: "initialize", params });
	assert.equal((again.error as { code: number }).code, -32600);
});

verifies(
	"002-telemetry-synesthetic-exposes",
	"an MCP client sees health and telemetry as tools, answered even while a request is in flight",
	async (t) => {
		const { url, seen } = await backend(t);
		const client = await new StdioClient(t, { cwd: sampleFolder(t), env: { SYN_BACKEND_URL: url } }).ready();
		await client.ask({
			jsonrpc: "2.0",
			id: 0,
			method: "initialize",
			params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "w", version: "1" } },
		});
		const { result } = await client.ask({ jsonrpc: "2.0", id: 1, method: "tools/list" });
		const names = (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
		assert.deepEqual(names.slice(-2), ["holdfast_health", "holdfast_telemetry"]);
		client.send({
			jsonrpc: "2.0",
			id: "slow",
			method: "populate_backend",
			params: { asset: {}, validate_first: false },
		});
		await client.until(() => seen() === 1);
		const health = await client.ask({
			jsonrpc: "2.0",
			id: 2,
			method: "tools/call",
			params: { name: "holdfast_health", arguments: {} },
		});
		assert.equal(health.id, 2);
		assert.equal(
			typeof (health.result as { structuredContent: { generation: unknown } }).structuredContent.generation,
			"number",
		);
		const telemetry = await client.ask({
			jsonrpc: "2.0",
			id: 3,
			method: "tools/call",
			params: { name: "holdfast_telemetry", arguments: {} },
		});
		assert.ok(
			JSON.stringify((telemetry.result as { structuredContent: unknown }).structuredContent).includes(
				"populate_backend",
			),
		);
		assert.deepEqual((await client.ask({ jsonrpc: "2.0", id: 4, method: "ping" })).result, {});
	},
);

for (const args of [[], ["--direct"]]) {
	test(`a populate that is cancelled under way is finished before the next one begins ${args}`, async (t) => {
		const waiting: ServerResponse[] = [];
		const events: string[] = [];
		const server = createServer(async (request, response) => {
			events.push(`got ${await text(request)}`);
			waiting.push(response);
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		t.after(() => server.close().closeAllConnections());
		const { port } = server.address() as AddressInfo;
		const env = { SYN_BACKEND_URL: `http://127.0.0.1:${port}` };
		const client = await new StdioClient(t, { args, cwd: sampleFolder(t), env }).ready();
		const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "w", version: "1" } };
		await client.ask({ jsonrpc: "2.0", id: 0, method: "initialize", params });
		const populate = (id: number): void => {
			const params = { name: "populate_backend", arguments: { asset: { id }, validate_first: false } };
			client.send({ jsonrpc: "2.0", id, method: "tools/call", params });
		};
		populate(1);
		await client.until(() => waiting.length === 1);
		client.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
		populate(2);
		// Time enough for the second to come, if it did not wait.
		await setTimeout(300);
		events.push("answer 1");
		waiting.pop()?.end('{"id":"a"}');
		await client.until(() => waiting.length === 1);
		waiting.pop()?.end('{"id":"b"}');
		const { id, result } = JSON.parse(await client.line());
		assert.equal(id, 2);
		assert.equal(result.structuredContent.asset_id, "b");
		assert.deepEqual(events, ['got {"id":1}', "answer 1", 'got {"id":2}']);
	});
}
