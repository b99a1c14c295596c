import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { runChain } from "../../src/chain/chain.ts";
import { mapItems } from "../../src/chain/mapStep.ts";
import { resolveReferences } from "../../src/chain/references.ts";
import { ToolError } from "../../src/contract/errors.ts";
import { LOCAL_VIEWER } from "../../src/run/access.ts";
import type { ToolProgress } from "../../src/run/backend.ts";
import type { RunRequest, RunResult, ToolRunner } from "../../src/run/runner.ts";

const signal = new AbortController().signal;
const runnerOf = (run: (request: RunRequest) => unknown): ToolRunner => ({
	run: async (request) => ({ structured: await run(request) }) as RunResult,
});

test("a deadline that passed in a step is the chain's own end, with the step", async () => {
	const runner = runnerOf(() => {
		throw new ToolError("timeout", "too late");
	});
	const { error } = await runChain([{ tool_id: "a:b" }], { runner, viewer: LOCAL_VIEWER, signal });
	assert.deepEqual([error?.code, error?.step_index], ["timeout", 0]);
});

test("a step's own progress moves the chain by no more than that step, and that of items not at all", async () => {
	const told: ToolProgress[] = [];
	const runner = runnerOf(({ onProgress }) => onProgress?.({ progress: 7, total: 2 }));
	const steps = [{ tool_id: "a:b" }, { tool_id: "a:b", map: { over: [1, 2] } }];
	await runChain(steps, { runner, viewer: LOCAL_VIEWER, signal, onProgress: (update) => told.push(update) });
	assert.deepEqual(
		told.map(({ progress }) => progress),
		[1, 1, 2],
	);
});

test("no more than sixteen items run at once, whatever a step asks for", async () => {
	let now = 0;
	let most = 0;
	const runner = runnerOf(async () => {
		most = Math.max(most, ++now);
		await turn();
		now--;
	});
	const map = { over: Array.from({ length: 50 }, (_, at) => at), parallel: 40 };
	await runChain([{ tool_id: "a:b", map }], { runner, viewer: LOCAL_VIEWER, signal });
	assert.equal(most, 16);
	const called: unknown[] = [];
	const one = runnerOf(async ({ args }) => called.push(args));
	const none = { over: [1, 2], parallel: 0 };
	await runChain([{ tool_id: "a:b", map: none }], { runner: one, viewer: LOCAL_VIEWER, signal });
	assert.equal(called.length, 2);
});

test("an item that fails starts no other and stops those under way", async () => {
	const started: number[] = [];
	const stopped: number[] = [];
	const { error } = await mapItems([0, 1, 2, 3], 2, signal, async (_item, index, either) => {
		started.push(index);
		if (index === 1) throw new ToolError("execution_failed", "broke");
		// It goes on to the end all the same, as a tool may that does not listen.
		either.addEventListener("abort", () => stopped.push(index));
		await turn();
	});
	assert.deepEqual([started, stopped, error?.object.details], [[0, 1], [0], { item_index: 1 }]);
});

test("items that were cut short when another failed are named, since they may have done their work", async () => {
	const { values, error } = await mapItems([0, 1, 2, 3], 4, signal, async (_item, index, either) => {
		if (index === 0) return "done";
		if (index === 3) throw new ToolError("execution_failed", "broke");
		return new Promise((_resolve, reject) => either.addEventListener("abort", () => reject(either.reason)));
	});
	assert.deepEqual(values, ["done", null, null, null]);
	assert.deepEqual(error?.object.details, { item_index: 3, items_cut_short: [1, 2] });
});

test("only an object with nothing beside it is a reference", () => {
	const scope = { steps: {}, previous: 5 };
	const args = {
		a: { $from: "previous" },
		b: { $from: "previous", more: 1 },
		c: { $literal: 2, more: { $from: "previous" } },
	};
	assert.deepEqual(resolveReferences(args, scope), {
		a: 5,
		b: { $from: "previous", more: 1 },
		c: { $literal: 2, more: 5 },
	});
});
