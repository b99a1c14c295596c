import assert from "node:assert/strict";
import { test } from "node:test";
import { loadGrammar } from "../../src/parse/loadGrammar.ts";
import { parseAround } from "../../src/parse/parseAround.ts";
import { parseFile } from "../../src/parse/parseFile.ts";

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
