import assert from "node:assert/strict";
import { test } from "node:test";
import { GuestRun } from "../../src/code/wasm/guestRun.ts";
import { Interpreter } from "../../src/code/wasm/interpreter.ts";
import { loadInterpreterModule } from "../../src/code/wasm/webAssembly.ts";

const SCRIPT = "(async () => 1)";

test("code whose time is up before it begins is late, and code that is stopped by then says nothing", async () => {
	assert.deepEqual(await said({ wallMs: 60_000 }), [["done", "1"], "ended, reusable"]);
	assert.deepEqual(await said({ wallMs: 0 }), [
		["deadline", "The code ran past its deadline of 0 ms; timeout_ms gives it up to 60000."],
		"ended, reusable",
	]);
	assert.deepEqual(await said({ wallMs: 60_000, isStopped: true }), ["ended, reusable"]);
});

/** What the host hears of a run, in order. */
async function said({ wallMs, isStopped = false }: { wallMs: number; isStopped?: boolean }): Promise<unknown[]> {
	const heard: unknown[] = [];
	const interpreter = await Interpreter.create(await loadInterpreterModule(), 64_000_000);
	const room = { maxCalls: 10, maxCallLength: 1_000, maxStdoutLength: 1_000, maxStderrLength: 1_000 };
	await new Promise<void>((resolve) => {
		const run = { language: "javascript", code: "", seed: null, wallMs, cpuMs: 60_000, ...room } as const;
		new GuestRun(interpreter, run, {
			post: (kind, text) => void heard.push([kind, text]),
			ended: (reusable) => {
				heard.push(reusable ? "ended, reusable" : "ended, not reusable");
				resolve();
			},
			stopRequested: () => isStopped,
		}).start(SCRIPT);
	});
	return heard;
}
