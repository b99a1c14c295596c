import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { Bench, textOf } from "./harness.ts";

/** Says something too large before it answers, and tells what it was answered itself. */
const TALKATIVE = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params, error } = JSON.parse(line);
	if (method === undefined) return send({ method: "notifications/message", params: { level: "info", data: error?.code ?? "fine" } });
	if (id === undefined) return;
	const data = "x".repeat(params.size ?? 0);
	if (params.says === "log") send({ method: "notifications/message", params: { level: "info", data } });
	if (params.says === "junk") process.stdout.write(data + "\\n");
	if (params.says === "a log line in JSON") process.stdout.write(JSON.stringify({ level: "info", id, data }) + "\\n");
	if (params.says === "question") send({ id, method: "sampling/createMessage", params: { data } });
	if (params.says === "question last") send({ params: { data }, method: "sampling/createMessage", id });
	send({ id, result: { content: [{ type: "text", text: "answered" }] } });
});`;

const talkative = { command: process.execPath, args: ["-e", TALKATIVE], maxFrameBytes: 100_000 };

test("a notification that is too large is lost alone, and the only call in flight keeps its answer", async (t) => {
	const bench = new Bench(t, talkative);
	assert.equal(textOf(await bench.request("plain", { says: "log", size: 200_000 })), "answered");
	assert.equal(bench.host.telemetry().faults["resource.frame_too_large"], 1);
});

for (const says of ["junk", "a log line in JSON"]) {
	test(`${says} that is too large is garbage, and the only call in flight keeps its answer`, async (t) => {
		const bench = new Bench(t, talkative);
		assert.equal(textOf(await bench.request("plain", { says, size: 200_000 })), "answered");
		const { lastFault } = bench.host.health();
		assert.equal(lastFault?.code, "garbage_output");
		assert.match(lastFault.detail, /^1 lines \(2000\d\d bytes\)/);
	});
}

test("a release whose list is too large is refused when it is read, with the size of the list", async (t) => {
	const bench = new Bench(t, { maxFrameBytes: 100_000 });
	await bench.initialize();
	const outcome = await bench.host.rollout({
		command: process.execPath,
		args: [
			"-e",
			`const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
			require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
				const { id, method, params } = JSON.parse(line);
				const capabilities = { tools: {}, logging: {}, resources: {}, experimental: {} };
				if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities } });
				if (method === "tools/list") send({ id, result: { tools: [{ name: "x".repeat(200_000) }] } });
			});`,
		],
	});
	assert.ok(!outcome.ok);
	assert.equal(outcome.fault.code, "green_unreadable_answer");
	assert.match(outcome.fault.detail, /tools\/list: the answer has 2000\d\d bytes/);
});

for (const says of ["question", "question last"]) {
	test(`a ${says} of the server that is too large is refused, and no call of the same id with it`, async (t) => {
		const bench = new Bench(t, talkative);
		assert.equal(textOf(await bench.request("plain", { says, size: 200_000 }, 1)), "answered");
		await until(() => bench.notifications("notifications/message").length === 1, "the server was answered");
		assert.equal(bench.notifications("notifications/message")[0]?.params?.data, -32600);
	});
}

test("a server whose question is answered with too much hears that it was", async (t) => {
	const bench = new Bench(t, talkative);
	await bench.request("plain", { says: "question" }, 1);
	const asked = bench.received.find((one) => one.method === "sampling/createMessage");
	bench.write(JSON.stringify({ jsonrpc: "2.0", id: asked?.id, result: { data: "x".repeat(200_000) } }));
	await until(() => bench.notifications("notifications/message").length === 1, "the server was answered");
	assert.equal(bench.notifications("notifications/message")[0]?.params?.data, -32600);
	assert.equal(bench.answers(asked?.id).length, 0);
});

for (const [what, answer] of [
	["cannot be parsed", '{"jsonrpc":"2.0","id":ID,"result":{"load":NaN}}'],
	["cannot be parsed and names its question last", '{"result":{"load":NaN},"jsonrpc":"2.0","id":ID}'],
	["is no answer after all", '{"jsonrpc":"2.0","id":ID,"error":{"code":"no"}}'],
] as const) {
	test(`a server whose question gets an answer that ${what} hears that it did`, async (t) => {
		const bench = new Bench(t, talkative);
		await bench.request("plain", { says: "question" }, 1);
		const asked = bench.received.find((one) => one.method === "sampling/createMessage");
		bench.write(answer.replace("ID", JSON.stringify(asked?.id)));
		await until(() => bench.notifications("notifications/message").length === 1, "the server was answered");
		assert.ok(Number(bench.notifications("notifications/message")[0]?.params?.data) < -32_000);
		assert.deepEqual([bench.answers(asked?.id).length, bench.answers(null).length], [0, 0]);
	});
}
