import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { test } from "node:test";
import type { Dispatcher, Principal, ReplayContract, RpcContext, RpcError } from "libmcp";
import { openStore, type Store, TASK_CAPABILITY } from "libmcp/store";
import { verifies } from "../../../../e2e/verifies.ts";
import { toRequestId } from "../../src/wire/requestId.ts";
import { taskServer } from "../fixtures/taskServer.ts";

type Detail = { taskId: string; status: string; result?: unknown; error?: { code: number; data: { fault: unknown } } };
type Asked = { inputRequests: Record<string, { method: string }> } & Detail;

function contextOf(principal?: Principal): RpcContext {
	return {
		era: "modern",
		id: toRequestId(1),
		signal: new AbortController().signal,
		client: { protocolVersion: "2026-07-28", capabilities: TASK_CAPABILITY },
		...(principal !== undefined && { principal }),
		wantsProgress: false,
		progress: () => {},
		notify: () => {},
		request: async () => ({}),
	};
}

const call = async (server: Dispatcher, name: string, args: object = {}, context = contextOf()): Promise<string> =>
	((await server("tools/call", { name, arguments: args }, context)) as Detail).taskId;
const get = async (server: Dispatcher, taskId: string, context = contextOf()): Promise<Asked> =>
	(await server("tasks/get", { taskId }, context)) as Asked;

async function until(server: Dispatcher, taskId: string, status: string): Promise<Asked> {
	for (;;) {
		const task = await get(server, taskId);
		if (task.status === status) return task;
		ok(["working", "input_required"].includes(task.status), JSON.stringify(task));
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

verifies("tasks-kept-before-told", "a task is in the store before its client hears of it", async () => {
	const plain = await openStore("memory:");
	let isFull: boolean = false;
	const durabilities: string[] = [];
	const store: Store = Object.create(plain, {
		write: {
			value: async (batch: Parameters<Store["write"]>[0]) => {
				if (isFull) throw new Error("the disk is full");
				durabilities.push(batch.durability);
				return plain.write(batch);
			},
		},
		value: { value: plain.value.bind(plain) },
	});
	const server = taskServer(store);
	const taskId = await call(server, "slow_compute", { seconds: 60 });
	deepEqual(durabilities, ["sync"]);
	isFull = true;
	await rejects(call(server, "slow_compute", { seconds: 60 }), /the disk is full/);
	isFull = false;
	await server("tasks/cancel", { taskId }, contextOf());
	equal((await get(server, taskId)).status, "cancelled");
});

verifies(
	"tasks-own-caller",
	"a task is its own caller's, and unknown to everybody else in the same words",
	async () => {
		const server = taskServer(await openStore("memory:"));
		const ann = contextOf({ id: "ann", scopes: [] });
		const taskId = await call(server, "slow_compute", { seconds: 0 }, ann);
		const bob = contextOf({ id: "bob", scopes: [] });
		const told = async (id: string): Promise<string> =>
			get(server, id, bob).then(
				() => "a task",
				(error: RpcError) => `${error.code} ${error.message.replace(id, "ID")}`,
			);
		equal(await told(taskId), await told("0".repeat(32)));
		match(await told(taskId), /^-32602 /);
		for (const method of ["tasks/update", "tasks/cancel"]) await rejects(async () => server(method, { taskId }, bob));
		equal((await get(server, taskId, ann)).taskId, taskId);
	},
);

verifies("tasks-outlive-process", "a finished task, and what a running one was told, outlive the process", async () => {
	const store = await openStore("memory:");
	const first = taskServer(store);
	const done = await call(first, "slow_compute", { seconds: 0, label: "quick" });
	await until(first, done, "completed");
	const safe = { contract: (): ReplayContract => "convergent" };
	const again = await call(first, "multi_input");
	const [one = "", other = ""] = Object.keys((await until(first, again, "input_required")).inputRequests);
	await first("tasks/update", { taskId: again, inputResponses: { [one]: { action: "accept" } } }, contextOf());
	const lost = await call(first, "confirm_delete");

	const second = taskServer(store);
	const kept = await get(second, done);
	deepEqual(kept.result, { content: [{ type: "text", text: "quick done" }] });
	const failed = await get(second, lost);
	equal(failed.status, "failed");
	match(JSON.stringify(failed.error), /ambiguous_outcome/);

	const third = taskServer(store, safe);
	await get(third, again);
	const asked = await until(third, again, "input_required");
	deepEqual(Object.keys(asked.inputRequests), [other], "what was answered is not asked again");
	await third("tasks/update", { taskId: again, inputResponses: { [other]: { action: "decline" } } }, contextOf());
	const { result } = await until(third, again, "completed");
	match(JSON.stringify(result), /accept.*decline/);
});

test("a task can be asked for as long as it says, and no longer", async () => {
	let now = Date.now();
	const world = {
		now: () => now,
		randomId: () => `id-${now}`,
		after: () => () => {},
		soon: (run: () => void) => void setImmediate(run),
	};
	const store = await openStore("memory:", world);
	const server = taskServer(store, { world, ttlMs: 10_000 });
	const taskId = await call(server, "slow_compute", { seconds: 0 });
	await until(server, taskId, "completed");
	now += 9_999;
	equal((await get(server, taskId)).status, "completed");
	now += 1;
	await rejects(get(server, taskId), { code: -32602 });
});

test("hostile parameters of the methods of tasks are refused by name", async () => {
	const server = taskServer(await openStore("memory:"));
	for (const [params, message] of [
		[{}, /^taskId: expected a string, got nothing/],
		[{ taskId: 7 }, /^taskId: expected a string, got number/],
		[{ taskId: "x", inputResponses: [] }, /^inputResponses: expected an object, got an array/],
	] as const)
		await rejects(server("tasks/update", params, contextOf()), { code: -32602, message });
	await rejects(server("tasks/list", {}, contextOf()), { code: -32601 });
});
