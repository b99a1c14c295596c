import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAround } from "../../src/parse/parseAround.ts";
import { parseFile } from "../../src/parse/parseFile.ts";
import { loadGrammar } from "../../src/parse/parseGrammar.ts";

/** The declared names, and the parse errors. */
async function read(path: string, text: string): Promise<{ names: string[]; errors: string[] }> {
	const { chunks, parseErrors } = await parseFile(path, text);
	return {
		names: chunks
			.filter(({ name }) => name !== "")
			.map(
				(chunk) => `${chunk.startLine}-${chunk.extentEndLine ?? chunk.endLine} ${chunk.kind} ${chunk.qualifiedName}`,
			),
		errors: parseErrors.map(({ line, message }) => `${line}: ${message}`),
	};
}

test("a loop unknown to the grammar hides only itself", async () => {
	const later = Array.from(
		{ length: 12 },
		(_, at) => `export class Later${at} {\n\tmethod(): number {\n\t\treturn ${at};\n\t}\n}\n`,
	);
	const { names, errors } = await read(
		"a.ts",
		`export async function work(): Promise<void> {
	for await (using item of items()) {
		use(item);
	}
	label: for (const x of rest) continue label;
}
${later.join("")}`,
	);
	assert.deepEqual(names.slice(0, 3), ["1-6 function work", "7-11 class Later0", "8-10 method Later0.method"]);
	assert.equal(names.length, 25);
	assert.deepEqual(errors, ["2: unknown to the parser, or a mistake: for await (using item of items()) {"]);
});

test("a line that breaks the parse of a shell script is skipped alone", async () => {
	const functions = Array.from({ length: 10 }, (_, at) => `step_${at}() {\n  echo "step ${at}"\n}\n`).join("");
	const { names, errors } = await read(
		"a.sh",
		`append() {
  if eval "(( \\\${#\${array}[@]} > 0 ))"; then
    eval "echo \\"\\\${\${array}[@]}\\""
  fi
}
${functions}`,
	);
	assert.equal(names.length, 11);
	assert.deepEqual([names[0], names[10]], ["1-5 function append", "33-35 function step_9"]);
	assert.ok(errors.length > 0 && errors.every((error) => /^[234]: /.test(error)), errors.join("\n"));
});

test("the grammar itself recovers from a small error, and a file of nothing but errors is left alone", async () => {
	const small = await read("a.ts", "function f() {\n\tconst a = = 1;\n}\nfunction g() {}\n");
	assert.deepEqual(small.names, ["1-3 function f", "4-4 function g"]);
	const { errors } = await read("a.ts", `${"} ) ] => => {\n".repeat(60)}`);
	assert.ok(errors.length > 0);
});

test("a token that the grammar had to assume is a parse error on its line", async () => {
	const texts = {
		"a.ts": "function a() {\n\treturn (1;\n}\n",
		"a.py": "def a(:\n    pass\n",
		"a.c": "int f() { return 1 }\n",
	};
	const errors = [];
	for (const [path, text] of Object.entries(texts)) errors.push(...(await read(path, text)).errors);
	assert.deepEqual(errors, [
		"2: unknown to the parser, or a mistake: `)` is missing",
		"1: unknown to the parser, or a mistake: `)` is missing",
		"1: unknown to the parser, or a mistake: `;` is missing",
	]);
});

test("a function without its closing brace takes nothing of the rest of the file", async () => {
	const later = Array.from({ length: 12 }, (_, at) => `export function later${at}() {\n\treturn ${at};\n}\n`).join("");
	const { names, errors } = await read("a.ts", `export function bad() {\n\tif (x) {\n\t\tgo();\n}\n${later}`);
	assert.deepEqual([names[0], names.length], ["5-7 function later0", 12]);
	assert.deepEqual(errors, ["1: unknown to the parser, or a mistake: export function bad() {"]);
});

test("a block that lacks its brace at the end of the file keeps its members, indented or not", async () => {
	const methods = Array.from({ length: 12 }, (_, at) => `\tstep${at}(): number {\n\t\treturn ${at};\n\t}\n`).join("");
	const type = await read("a.ts", `class Steps {\n${methods}`);
	assert.equal(type.names.at(-1), "35-37 method Steps.step11");
	assert.deepEqual(type.errors, ["37: unknown to the parser, or a mistake: `}` is missing, for line 1"]);
	const functions = Array.from({ length: 12 }, (_, at) => `int step${at}() {\n  return ${at};\n}\n`).join("");
	const space = await read("a.cc", `namespace steps {\n\n${functions}`);
	assert.equal(space.names.at(-1), "36-38 function steps.step11");
	assert.deepEqual(space.errors, ["38: unknown to the parser, or a mistake: `}` is missing, for line 1"]);
});

test("a text full of errors is parsed once, not again without each of its lines", async () => {
	const { parse } = await loadGrammar("go");
	const reads = (text: string): number => {
		let count = 0;
		parseAround((part) => {
			count += 1;
			return parse(part);
		}, text);
		return count;
	};
	assert.equal(reads("if (a\n".repeat(5_000)), 1);
	assert.ok(reads(`package a\n${"func f() {}\n".repeat(20)}${"if (a\n".repeat(60)}`) > 1);
});
