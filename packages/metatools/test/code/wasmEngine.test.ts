import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import type { CodeEngine } from "../../src/code/engine.ts";
import { createWasmEngine, type WasmEngineOptions } from "../../src/code/wasm/wasmEngine.ts";
import { Catalogue, execute } from "./catalogue.ts";
import { behavesAsCodeEngine } from "./engineBehaviour.ts";

behavesAsCodeEngine("wasm", async () => createWasmEngine());

void test("randomness repeats under a seed and only under a seed", async (t) => {
	const draw = async (engine: CodeEngine): Promise<unknown> =>
		(await execute(engine, "Array.from({ length: 5 }, Math.random)")).value;
	const [seeded, unseeded] = [engineFor(t, { seed: 7 }), engineFor(t, {})];
	const [first, second, other] = [await draw(seeded), await draw(seeded), await draw(engineFor(t, { seed: 8 }))];
	const [free, freeAgain] = [await draw(unseeded), await draw(unseeded)];
	assert.deepEqual(first, second);
	assert.notDeepEqual(first, other);
	assert.notDeepEqual(free, freeAgain);
	assert.ok(Array.isArray(first) && first.every((n) => n >= 0 && n < 1) && new Set(first).size === 5);
});

void test("processor time is limited by itself, and waiting for tools uses none", async (t) => {
	const engine = engineFor(t, { limits: { cpuMs: 300 } });
	const { error } = await execute(engine, "for (;;);");
	assert.deepEqual(
		[error?.code, error?.message, error?.details?.reason],
		["timeout", "The code used up its 300 ms of processor time.", "cpu"],
	);
	assert.equal((await execute(engine, "await tools.test.wait({ ms: 900 }); 'waited'")).value, "waited");
});

void test("a worker that does not stop in time is ended and replaced", async (t) => {
	const engine = engineFor(t, { limits: { stopGraceMs: 0 }, pool: { maxWorkers: 1 } });
	for (let at = 0; at < 2; at += 1) {
		assert.equal((await execute(engine, "for (;;);", { timeoutMs: 600 })).error?.code, "timeout");
		assert.equal((await execute(engine, "1 + 1")).value, 2);
	}
});

void test("runs beyond the workers wait their turn, and beyond the queue are refused", async (t) => {
	const engine = engineFor(t, { pool: { maxWorkers: 1, maxQueue: 1 } });
	await execute(engine, "1");
	const code = "await tools.test.wait({ ms: 200 }); 'ran'";
	const [first, second, third] = await Promise.all([1, 2, 3].map(() => execute(engine, code)));
	assert.deepEqual([first?.value, second?.value], ["ran", "ran"]);
	assert.deepEqual([third?.error?.details?.reason, third?.error?.retryable], ["overloaded", true]);
});

void test("a run that is cancelled while it waits never starts and gives up its place", async (t) => {
	const engine = engineFor(t, { pool: { maxWorkers: 1, maxQueue: 1 } });
	await execute(engine, "1");
	const tools = new Catalogue();
	const holding = execute(engine, "await tools.test.wait({ ms: 500 }); 'held'");
	const controller = new AbortController();
	const waiting = execute(engine, "await tools.ping()", { tools, signal: controller.signal });
	setTimeout(() => controller.abort(), 50);
	assert.equal((await waiting).error?.code, "cancelled");
	const next = execute(engine, "'next'");
	assert.deepEqual([(await holding).value, (await next).value, tools.calls], ["held", "next", []]);
});

void test("a run whose deadline passes while it waits is told that it did not run", async (t) => {
	const engine = engineFor(t, { pool: { maxWorkers: 1 } });
	const tools = new Catalogue();
	const controller = new AbortController();
	const code = "await tools.ping(); await tools.test.wait({ ms: 60000 })";
	const holding = execute(engine, code, { tools, signal: controller.signal, timeoutMs: 60_000 });
	await Promise.race([holding, tools.called()]);
	const { error } = await execute(engine, "1", { timeoutMs: 100 });
	assert.deepEqual(
		[error?.code, error?.message],
		["timeout", "No sandbox was ready within 100 ms, so the code did not run; timeout_ms gives it up to 60000."],
	);
	controller.abort();
	assert.equal((await holding).error?.code, "cancelled");
});

void test("code that is not parsed by its deadline is told so, and the worker is replaced", async (t) => {
	const engine = engineFor(t, { pool: { maxWorkers: 1 } });
	await execute(engine, "1");
	const { error } = await execute(engine, `${"a = 1;\n".repeat(37_000)}`, { timeoutMs: 1 });
	assert.deepEqual(
		[error?.code, error?.message],
		["timeout", "The code was not parsed within 1 ms, so it did not run; timeout_ms gives it up to 60000."],
	);
	assert.equal((await execute(engine, "1 + 1")).value, 2);
});

void test("workers are replaced after their share of runs", async (t) => {
	const engine = engineFor(t, { pool: { maxWorkers: 1, maxRuns: 2 } });
	for (let at = 0; at < 5; at += 1) assert.equal((await execute(engine, `${at}`)).value, at);
});

void test("closing ends what runs, what waits and what comes later", async () => {
	const engine = createWasmEngine({ pool: { maxWorkers: 1 } });
	const tools = new Catalogue();
	const running = execute(engine, "await tools.ping(); for (;;);", { tools });
	const waiting = execute(engine, "1");
	await Promise.race([running, tools.called()]);
	await engine.close?.();
	for (const result of [await running, await waiting, await execute(engine, "1")])
		assert.deepEqual([result.value, result.error?.message], [null, "The sandbox has been closed."]);
});

void test("an idle engine keeps no process alive", async () => {
	const source = new URL("../../src/code/wasm/wasmEngine.ts", import.meta.url).href;
	const program = `import { createWasmEngine } from ${JSON.stringify(source)};
		const request = { language: "javascript", code: "6 * 7", timeoutMs: 60000, maxToolCalls: 1, signal: new AbortController().signal };
		console.log((await createWasmEngine().execute(request, {})).value);`;
	const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program];
	const { stdout, stderr } = await promisify(execFile)(process.execPath, flags, { timeout: 120_000 });
	assert.deepEqual([stdout, stderr], ["42\n", ""]);
});

function engineFor(t: TestContext, options: WasmEngineOptions): CodeEngine {
	const engine = createWasmEngine(options);
	t.after(() => engine.close?.());
	return engine;
}

// An interpreter has 16 MiB from the start, so that a limit of no more leaves no room to grow.
for (const mebibytes of [24, 16, 8])
	void test(`code that waits for what was lost when its memory ran out is told so, with ${mebibytes} MiB`, async (t) => {
		const engine = engineFor(t, { limits: { memoryBytes: mebibytes * 2 ** 20 } });
		const fill = "let kept = []; try { for (;;) kept.push({}); } catch { kept = undefined; }";
		const { error } = await execute(engine, `${fill} await new Promise(() => {})`, { timeoutMs: 20_000 });
		assert.equal(error?.details?.reason, "memory", JSON.stringify(error));
		const waiting = await execute(engine, "await new Promise(() => {})", { timeoutMs: 20_000 });
		assert.equal(waiting.error?.details?.reason, "stalled", "memory of the run before does not count");
	});

void test("code whose promises fill its memory failed by itself: the sandbox is not to blame", async (t) => {
	const engine = engineFor(t, { limits: { memoryBytes: 16 * 2 ** 20 } });
	for (const flood of [
		"const f=()=>{for(let i=0;i<100;i++)Promise.resolve().then(f)}; f(); await new Promise(()=>{})",
		"const f = async () => { for (;;) { f(); await 0; } }; await f()",
	]) {
		const { error } = await execute(engine, flood, { timeoutMs: 2_500 });
		// A machine under load may come to the deadline first.
		assert.match(String(error?.details?.reason), /^(memory|deadline)$/, JSON.stringify(error));
		assert.equal(error?.retryable, false);
	}
});

void test("code that reaches for a name of other places is told what there is", async (t) => {
	const engine = engineFor(t, {});
	for (const code of ["await fetch('https://x.test')", "require('fs')", "process.env", "await import('fs')"]) {
		const { error } = await execute(engine, code);
		assert.match(error?.message ?? "", /^ReferenceError: .*: no modules, files or network$/, code);
	}
	assert.equal((await execute(engine, "foo.bar")).error?.message, "ReferenceError: 'foo' is not defined");
	assert.equal(
		(await execute(engine, "math.add({ a: 1, b: 2 })")).error?.message,
		"ReferenceError: 'math' is not defined; it is tools.math",
	);
});

void test("timers are counted, and none outlives its run", async (t) => {
	const engine = engineFor(t, { limits: { maxLookups: 10 }, pool: { maxWorkers: 1 } });
	const many = "let made = 0; try { for (;;) { setTimeout(() => {}, 60000); made++ } } catch (e) { [made, e.code] }";
	const counted = `${many.replace("[made", "return [made")}`;
	assert.deepEqual((await execute(engine, counted, { maxToolCalls: 5 })).value, [15, "validation_input"]);
	const tools = new Catalogue();
	await execute(engine, "setTimeout(() => tools.ping(), 100); 'done'", { tools });
	await execute(engine, "await tools.test.wait({ ms: 300 })");
	assert.deepEqual(tools.calls, []);
});
