import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { resolvePointer } from "../../src/replay/jsonPointer.ts";
import { Bench, faultOf, textOf } from "./harness.ts";

test("a task lost with its worker may have taken effect: whoever asks about it is told, before and after", async (t) => {
	const { bench, begin, kill } = await keeper(t, "memory");
	const taskId = await begin("pay");
	const waiting = bench.request("tasks/result", { taskId });
	await kill();
	const answers = [await waiting];
	for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
		answers.push(await bench.request(method, { taskId }));
	for (const answer of answers) {
		assert.equal(answer.error?.code, -32603);
		assert.match(answer.error?.message ?? "", /may or may not have taken effect/);
		const { class: kind, code, generation, retry } = faultOf(answer);
		assert.deepEqual([kind, code, generation, retry], ["ambiguous_outcome", "outcome_unknown", 1, "unsafe"]);
	}
	assert.equal((await bench.request("tasks/get", { taskId: "never begun" })).error?.message, "no such task");
});

test("a lost task of a tool declared safe may be begun again, and one whose end was seen is merely unknown", async (t) => {
	const { bench, begin, kill } = await keeper(t, "memory");
	const taskId = await begin("look");
	await kill();
	const lost = faultOf(await bench.request("tasks/get", { taskId }));
	assert.deepEqual([lost.class, lost.code, lost.retry], ["process", "task_lost", "safe"]);
	const seen = await begin("pay");
	assert.equal(textOf(await bench.request("tasks/result", { taskId: seen })), "done");
	await kill();
	assert.equal((await bench.request("tasks/get", { taskId: seen })).error?.message, "no such task");
});

test("a task goes on though a question about it was refused, or the wish to cancel it was merely noted", async (t) => {
	const { bench, begin, kill } = await keeper(t, "memory");
	for (const [method, more] of [
		["tasks/get", { busy: true }],
		["tasks/update", { busy: true }],
		["tasks/cancel", {}],
	] as const) {
		const taskId = await begin("pay");
		await bench.request(method, { taskId, ...more });
		await kill();
		assert.equal(faultOf(await bench.request("tasks/get", { taskId })).code, "outcome_unknown", method);
	}
	const taskId = await begin("pay");
	await bench.request("tasks/cancel", { taskId, status: "cancelled" });
	await kill();
	assert.equal((await bench.request("tasks/get", { taskId })).error?.message, "no such task");
});

test("a task that the server keeps elsewhere goes on with the next worker", async (t) => {
	const { bench, begin, kill } = await keeper(t, "disk");
	const taskId = await begin("pay");
	await kill();
	assert.equal((await bench.request("tasks/get", { taskId })).result?.status, "working");
	assert.equal((await bench.request("tasks/fail", { taskId })).error?.message, "the card was refused");
});

async function keeper(t: TestContext, tasks: "memory" | "disk") {
	const command = { command: process.execPath, args: ["-e", TASK_KEEPER, tasks] };
	const bench = new Bench(t, { ...command, opsTools: false });
	await bench.initialize();
	const begin = async (name: string): Promise<string> => {
		const { result } = await bench.request("tools/call", { name, arguments: {}, task: {} });
		const taskId = resolvePointer(result, "/task/taskId");
		assert(typeof taskId === "string");
		return taskId;
	};
	const kill = async (): Promise<void> => {
		const { generation } = bench.host.state();
		bench.killWorker();
		await until(() => bench.host.state().generation > generation && bench.host.state().ready, "the next worker");
	};
	return { bench, begin, kill };
}

/** Knows only the tasks that it began itself, unless it keeps them on disk. A task ends when its result is asked for. */
const TASK_KEEPER = `
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const tools = [{ name: "pay", inputSchema: {} }, { name: "look", inputSchema: {}, annotations: { readOnlyHint: true } }];
const own = new Set();
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	const task = { taskId: params?.taskId ?? "task " + own.size + " of " + process.pid, status: "working" };
	if (id === undefined) return;
	if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {}, tasks: {} }, serverInfo: { name: "keeper", version: "1" } } });
	else if (method === "tools/list") send({ id, result: { tools } });
	else if (method === "tools/call") own.add(task.taskId) && send({ id, result: { task } });
	else if (process.argv[1] === "memory" && !own.has(task.taskId)) send({ id, error: { code: -32602, message: "no such task" } });
	else if (params.busy) send({ id, error: { code: -32603, message: "the task store is busy" } });
	else if (params.status) send({ id, result: { ...task, status: params.status } });
	else if (method === "tasks/get") send({ id, result: task });
	else if (method === "tasks/fail") send({ id, error: { code: -32000, message: "the card was refused" } });
	else setTimeout(() => send({ id, result: { content: [{ type: "text", text: "done" }] } }), 300);
}).on("close", () => process.exit());`;
