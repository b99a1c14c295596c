import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

/** Functions larger than this are lexers that take a hundred megabytes to optimise. */
const LARGE_BYTES = 30_000;

test("the lexer of a large grammar is compiled, but never optimised, however much it reads", async () => {
	const parser = new URL("../../../src/parse/parseFile.ts", import.meta.url).href;
	const rules = ".card > a:hover { color: red; margin: 0 auto; }\\n";
	const program = `
		const { parseFile } = await import(${JSON.stringify(parser)});
		for (let round = 0; round < 4; round += 1) {
			const { method } = await parseFile("a.css", "${rules}".repeat(8_000));
			if (method !== "grammar") throw new Error(method);
		}`;
	const flags = ["--disable-warning=ExperimentalWarning", "--trace-wasm-compilation-times", "--input-type=module"];
	const { stdout } = await promisify(execFile)(process.execPath, [...flags, "-e", program], { maxBuffer: 1 << 26 });
	const compiled = stdout
		.split("\n")
		.map((line) => /using (\w+), .*bodysize (\d+)/.exec(line))
		.filter((match) => match !== null)
		.map(([, compiler, size]) => ({ compiler, size: Number(size) }));
	const large = compiled.filter(({ size }) => size > LARGE_BYTES).map(({ compiler }) => compiler);
	assert.deepEqual(large, ["Liftoff"]);
	assert.ok(
		compiled.some(({ compiler }) => compiler === "TurboFan"),
		"the parser itself is still optimised",
	);
});
