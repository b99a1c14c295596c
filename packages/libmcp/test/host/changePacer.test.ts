import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { resolvePointer } from "../../src/replay/jsonPointer.ts";
import { Bench, textOf } from "./harness.ts";

/** Announces its tools as often as it is told to, then answers with how many it has by then. */
const ANNOUNCING = `
const tools = [{ name: "grow", inputSchema: { type: "object" } }];
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
let listening;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	const _meta = listening && { "io.modelcontextprotocol/subscriptionId": listening };
	if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} } } });
	if (method === "subscriptions/listen") listening = id;
	if (method === "tools/list") send({ id, result: { tools } });
	if (method !== "tools/call") return;
	for (let n = 0; n < params.arguments.times; n++) {
		tools.push({ name: "tool-" + tools.length, inputSchema: { type: "object" } });
		send({ method: "notifications/tools/list_changed", ...(_meta && { params: { _meta } }) });
	}
	send({ id, result: { content: [{ type: "text", text: String(tools.length) }] } });
});`;

const announcing = { command: process.execPath, args: ["-e", ANNOUNCING], opsTools: false };
const CHANGED = "notifications/tools/list_changed";

test("a few announced changes are each passed on before the answer they came before", async (t) => {
	const bench = new Bench(t, announcing);
	await bench.initialize();
	for (const times of [1, 2, 3]) {
		const before = bench.notifications(CHANGED).length;
		await bench.tool("grow", { times });
		assert.equal(bench.notifications(CHANGED).length, before + times);
	}
});

test("of a storm of announced changes the client is told some, and one after the last of them", async (t) => {
	const bench = new Bench(t, announcing);
	await bench.initialize();
	const tools = Number(textOf(await bench.tool("grow", { times: 10_000 })));
	const told = bench.notifications(CHANGED).length;
	assert.ok(told > 0 && told < 100, `${told} were told with the answer`);
	await until(() => bench.notifications(CHANGED).length > told, "one after the last");
	const { result } = await bench.request("tools/list");
	assert.equal(resolvePointer(result, `/tools/${tools - 1}/name`), `tool-${tools - 1}`);
});

test("a storm under a subscription keeps its id, and ends with the subscription", async (t) => {
	const bench = new Bench(t, announcing);
	const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
	void bench.request("subscriptions/listen", { notifications: { toolsListChanged: true }, _meta }, "sub");
	await bench.request("tools/call", { name: "grow", arguments: { times: 1_000 }, _meta });
	bench.notify("notifications/cancelled", { requestId: "sub" });
	await bench.request("tools/list", { _meta });
	const told = bench.notifications(CHANGED);
	assert.ok(told.length > 0 && told.length < 100, `${told.length} were told`);
	for (const { params } of told)
		assert.deepEqual(params, { _meta: { "io.modelcontextprotocol/subscriptionId": "sub" } });
	await bench.close();
	assert.equal(bench.notifications(CHANGED).length, told.length);
});

test("what was held of a storm is told when the host ends", async (t) => {
	const bench = new Bench(t, announcing);
	await bench.initialize();
	await bench.tool("grow", { times: 1_000 });
	const told = bench.notifications(CHANGED).length;
	await bench.close();
	assert.equal(bench.notifications(CHANGED).length, told + 1);
});
