import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

/** Functions larger than this are lexers that take from a hundred megabytes to gigabytes to optimise. */
const LARGE_BYTES = 30_000;

const REPEATED = {
	"a.css": ".card > a:hover { color: red; margin: 0 auto; }\n",
	"a.sh": 'f() {\n\tlocal a="$1"\n\tif [[ $a == y* ]]; then echo "$(g "$a")" | sed s/a/b/ >&2; fi\n}\n',
	"a.kt": "class A(val b: Int) {\n\tfun f(x: Int?): Int = x?.let { it + b } ?: run { g(x) }\n}\n",
	"a.swift":
		"class A {\n\tfunc f<T: B>(_ t: T) throws -> Int {\n\t\tguard let x = t.y else { return 1 }\n\t\treturn x + 2\n\t}\n}\n",
};

for (const [path, text] of Object.entries(REPEATED))
	test(`the lexer for ${path} is compiled, but never optimised, however much it reads`, async () => {
		const parser = new URL("../../../src/parse/parseFile.ts", import.meta.url).href;
		const program = `
			const { parseFile } = await import(${JSON.stringify(parser)});
			for (let round = 0; round < 12; round += 1) {
				const { method } = await parseFile(${JSON.stringify(path)}, ${JSON.stringify(text)}.repeat(800));
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
		assert.deepEqual([...new Set(large)], ["Liftoff"]);
		assert.ok(
			compiled.some(({ compiler }) => compiler === "TurboFan"),
			"the parser itself is still optimised",
		);
	});
