import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import type { CodeEngine } from "../../src/code/engine.ts";
import { createWasmEngine } from "../../src/code/wasm/wasmEngine.ts";
import { Catalogue, execute } from "./catalogue.ts";
import { escapeAttempts } from "./escapeAttempts.ts";

const CANARY = "canary-7f3a9c";
const TIMEOUT_MS = 500;
/** For what can only end by its deadline: all of it is spent on a processor. */
const SPINNING_TIMEOUT_MS = 200;
const PATIENT_TIMEOUT_MS = 20_000;
/** Half a second on a machine of its own; this one may be busy with everything else. */
const MARGIN_MS = 20_000;
/** Far below what one unbounded attempt takes, far above what garbage awaiting collection may hold. */
const MAX_GROWTH = 700 * 1_048_576;

void test("there are at least sixty attempts, no two of them the same", () => {
	assert.ok(escapeAttempts.length >= 60, `${escapeAttempts.length}`);
	assert.equal(new Set(escapeAttempts.map(({ code }) => code)).size, escapeAttempts.length);
});

void describe("the WASM sandbox holds against an attempt", () => {
	let engine: CodeEngine;
	let folder: string;
	let memoryBefore: number;
	before(async () => {
		folder = await mkdtemp(join(tmpdir(), "escape-"));
		await writeFile(join(folder, "file"), CANARY);
		engine = createWasmEngine();
		await execute(engine, "1");
		memoryBefore = process.memoryUsage.rss();
	});
	after(async () => {
		await engine.close?.();
		await rm(folder, { recursive: true, force: true });
	});

	for (const { tries, code, reason, value } of escapeAttempts) {
		void test(tries, async () => {
			const globals = Object.getOwnPropertyNames(globalThis).length;
			const tools = new Catalogue();
			const attempt = (timeoutMs: number) => execute(engine, code, { tools, timeoutMs, maxToolCalls: 50 });
			const startedAt = performance.now();
			let result = await attempt(`${reason}` === "deadline" ? SPINNING_TIMEOUT_MS : TIMEOUT_MS);
			const took = performance.now() - startedAt;
			// What is slow because the machine is gets another chance; what would never end does not need it.
			if (result.error?.details?.reason === "deadline" && !reason?.includes("deadline"))
				result = await attempt(PATIENT_TIMEOUT_MS);

			if (result.error === undefined) assert.deepEqual(result.value, value);
			else assert.ok(reason?.includes(String(result.error.details?.reason)), JSON.stringify(result.error));
			assert.ok(took < TIMEOUT_MS + MARGIN_MS, `took ${took} ms`);
			assert.ok(tools.calls.length <= 50);
			assert.ok(JSON.stringify(result).length < 1_500_000);

			assert.equal(Object.getOwnPropertyNames(globalThis).length, globals);
			assert.equal(Reflect.get({}, "polluted"), undefined);
			assert.equal(Reflect.get({}, "then"), undefined);
			assert.deepEqual(await readdir(folder), ["file"]);
			assert.equal(await readFile(join(folder, "file"), "utf8"), CANARY);
			assert.ok(process.memoryUsage.rss() - memoryBefore < MAX_GROWTH);

			const next = await execute(engine, "[1 + 1, typeof polluted, (await tools.math.add({ a: 1, b: 1 })).sum]");
			assert.deepEqual([next.value, next.error, next.stdout], [[2, "undefined", 2], undefined, ""]);
		});
	}
});

verifies(
	"004-tradeoffs-execute-code-sandboxed",
	"code in the sandbox has no way to files, network, processes or the environment",
	async (t) => {
		const engine = createWasmEngine();
		t.after(() => engine.close?.());
		const code = `const found = [];
		for (const name of Object.getOwnPropertyNames(globalThis)) found.push(name);
		const dynamic = [];
		for (const id of ["node:fs", "node:net", "node:child_process", "node:process", "fs", "std", "os"])
			await import(id).then(() => dynamic.push(id), () => {});
		return { found, dynamic, viaFunction: Function("return [typeof process, typeof require, typeof fetch]")() }`;
		const { value, error } = await execute(engine, code);
		assert.equal(error, undefined);
		const { found, ...rest } = Object(value);
		assert.deepEqual(rest, { dynamic: [], viaFunction: ["undefined", "undefined", "undefined"] });
		const known =
			/^(.*Error|.*Array|Array|Object|Function|Iterator|parse(Int|Float)|is(NaN|Finite)|(de|en)codeURI(Component)?|(un)?escape|Infinity|NaN|undefined|eval|Number|Boolean|String|Math|Reflect|Symbol|globalThis|BigInt|Date|RegExp|JSON|Proxy|(Weak)?(Map|Set)|ArrayBuffer|DataView|Promise|WeakRef|FinalizationRegistry|tools|console|progress|(set|clear)Timeout)$/;
		assert.deepEqual(
			found.filter((name: string) => !known.test(name)),
			[],
		);
	},
);
