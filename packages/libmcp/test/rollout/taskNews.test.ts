import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { Bench } from "../host/harness.ts";

/** Works on one task for ever and says so again and again: to everybody, and under each subscription it was ever sent. */
const TASK_TELLER = `
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const taskId = "task of " + process.pid;
const subscriptions = [];
let begun = false;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "teller", version: "1" } } });
	else if (method === "server/discover") send({ id, result: { capabilities: { tools: {} }, serverInfo: { name: "teller", version: "1" } } });
	else if (method === "tools/list") send({ id, result: { tools: [{ name: "research", inputSchema: { type: "object" } }] } });
	else if (method === "subscriptions/listen") subscriptions.push(id);
	else if (method === "tools/call") {
		begun = true;
		send({ id, result: params.task ? { task: { taskId, status: "working" } } : { resultType: "task", taskId, status: "working" } });
	}
	else if (method === "tasks/get") send({ id, result: { taskId, status: begun ? "working" : "failed" } });
	else if (id !== undefined) send({ id, error: { code: -32601, message: "no such method" } });
});
setInterval(() => {
	if (!begun) return;
	if (process.env.ERA === "handshake") send({ method: "notifications/tasks/status", params: { taskId, status: "working" } });
	for (const id of subscriptions)
		send({ method: "notifications/tasks", params: { taskId, status: "working", _meta: { "io.modelcontextprotocol/subscriptionId": id } } });
}, 20);`;

const teller = { command: process.execPath, args: ["-e", TASK_TELLER], opsTools: false };

test("a client with a handshake goes on hearing of a task from the release that works on it", async (t) => {
	const bench = await Bench.initialized(t, teller, { ERA: "handshake" });
	const heard = (): number => bench.notifications("notifications/tasks/status").length;
	await bench.request("tools/call", { name: "research", arguments: {}, task: {} });
	await until(() => heard() > 0, "it is heard of before the upgrade");
	await bench.rollOut();
	const before = heard();
	await until(() => heard() > before + 5, "it is heard of after the upgrade");
});

test("a subscription hears of tasks from the release that has it now alone; of others, their state is asked for", async (t) => {
	const bench = new Bench(t, teller);
	const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
	await bench.request("tools/list", { _meta });
	void bench.request("subscriptions/listen", { notifications: { taskIds: [] }, _meta }, "sub");
	const begun = await bench.request("tools/call", { name: "research", arguments: {}, _meta });
	const { taskId } = begun.result as { taskId: string };
	const heard = (): unknown[] => bench.notifications("notifications/tasks").map(({ params }) => params?.taskId);
	await until(() => heard().includes(taskId), "it is heard of before the upgrade");
	await bench.rollOut();
	const before = heard().length;
	const next = await bench.request("tools/call", { name: "research", arguments: {}, _meta });
	const own = (next.result as { taskId: string }).taskId;
	await until(() => heard().filter((one) => one === own).length > 5, "one begun since is heard of");
	assert.deepEqual(
		heard()
			.slice(before)
			.filter((one) => one !== own),
		[],
	);
	assert.equal((await bench.request("tasks/get", { taskId, _meta })).result?.status, "working");
	assert.deepEqual(
		new Set(
			bench
				.notifications("notifications/tasks")
				.map(({ params }) => JSON.stringify((params as { _meta: unknown })._meta)),
		),
		new Set(['{"io.modelcontextprotocol/subscriptionId":"sub"}']),
	);
});
