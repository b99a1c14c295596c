import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFile } from "../../src/parse/parseFile.ts";

test("the end of a very long comment stays with its declaration, the rest becomes blocks, and nothing overlaps", async () => {
	const comment = Array.from({ length: 140 }, (_, index) => `  # line ${index}`).join("\n");
	const source = `class A\n${comment}\n  def long(a)\n    a\n  end\n\n${comment}\n  def other(b)\n    b\n  end\nend\n`;
	const { chunks } = await parseFile("a.rb", source);
	const named = chunks.filter((chunk) => chunk.name === "long");
	assert.equal(named.length, 1);
	assert.equal(named[0]?.endLine, 144);
	assert.ok((named[0]?.startLine ?? 0) > 60 && (named[0]?.startLine ?? 0) < 142, `${named[0]?.startLine}`);
	assert.equal(named[0]?.nameLine, 142);
	assert.ok(
		chunks.some(
			({ kind, startLine, qualifiedName }) => kind === "block" && startLine === 2 && qualifiedName === "A.long",
		),
	);
	let end = 0;
	for (const chunk of chunks) {
		assert.ok(chunk.start >= end);
		end = chunk.end;
	}
});

test("a long function is split into parts that share its facts", async () => {
	const body = Array.from({ length: 200 }, (_, index) => `\tstep${index}();${index % 20 === 0 ? "\n" : ""}`).join("\n");
	const { chunks } = await parseFile("a.ts", `function long(a: number) {\n${body}\n\treturn 1;\n}\n`);
	assert.ok(chunks.length > 1);
	assert.deepEqual(
		chunks.map((chunk) => chunk.part?.index),
		chunks.map((_, index) => index + 1),
	);
	for (const chunk of chunks) {
		assert.equal(chunk.kind, "function");
		assert.equal(chunk.facts, chunks[0]?.facts);
		assert.ok(chunk.endLine - chunk.startLine < 120);
	}
	assert.ok(chunks[0]?.facts?.calls?.includes("step199"));
});

test("functions inside a very long function are separate chunks, and the code between them belongs to the outer one", async () => {
	const filler = Array.from({ length: 80 }, (_, index) => `\tx${index}();`).join("\n");
	const inner = "\tfunction inner() {\n\t\ta();\n\t\tb();\n\t\tc();\n\t\td();\n\t}";
	const { chunks } = await parseFile("a.js", `function outer() {\n${filler}\n${inner}\n${filler}\n}\n`);
	assert.deepEqual([...new Set(chunks.map((chunk) => chunk.qualifiedName))], ["outer", "outer.inner"]);
	const outer = chunks.filter((chunk) => chunk.name === "outer");
	assert.equal(outer[0]?.facts?.calls?.includes("b"), false);
	assert.deepEqual(chunks.find((chunk) => chunk.name === "inner")?.facts?.calls, ["a", "b", "c", "d"]);
});

test("a script is split between statements, and each block has the facts of its own lines", async () => {
	const lines = Array.from({ length: 160 }, (_, index) => `call_${index}(1)`);
	const { chunks } = await parseFile("a.py", `${lines.join("\n")}\n`);
	assert.ok(chunks.length >= 3);
	for (const chunk of chunks) {
		const own = lines.slice(chunk.startLine - 1, chunk.endLine).map((line) => line.replace("(1)", ""));
		assert.deepEqual(chunk.facts?.calls, own);
	}
});

test("code on one line is one chunk with its declarations as symbols", async () => {
	const { chunks } = await parseFile("a.js", "class A{m(){return 1}n(){}}function f(){}var x=1;\n");
	assert.equal(chunks.length, 1);
	assert.deepEqual(
		chunks[0]?.symbols?.map((symbol) => `${symbol.kind} ${symbol.name}`),
		["method m", "method n", "function f", "variable x"],
	);
});

test("=== compares and = changes", async () => {
	const { chunks } = await parseFile(
		"a.js",
		"function f(a) {\n\tif (a.b === 1) return;\n\tif (a.c !== 2) return;\n\ta.d = 3;\n}\n",
	);
	assert.deepEqual(chunks[0]?.facts?.mutates, ["a.d"]);
});

test("a syntax error is a diagnostic with its line, and the rest of the file is still read", async () => {
	const parsed = await parseFile(
		"a.ts",
		"function ok() {\n\treturn 1;\n}\n\nconst = ;\n\nfunction also() {\n\treturn 2;\n}\n",
	);
	assert.deepEqual(
		parsed.parseErrors.map((error) => [error.line, error.rule]),
		[[5, "parse-error"]],
	);
	assert.deepEqual(
		parsed.chunks.filter((chunk) => chunk.kind === "function").map((chunk) => chunk.name),
		["ok", "also"],
	);
});

test("the language is detected by name, extension, first line and contents", async () => {
	const cases: Record<string, readonly [string, string]> = {
		python: ["bin/tool", "#!/usr/bin/env python3.12\nprint(1)\n"],
		bash: ["run", "#!/bin/sh\necho\n"],
		cpp: ["a.h", "#pragma once\nnamespace a {}\n"],
		c: ["b.h", "int f(void);\n"],
		ruby: ["Rakefile", "task :x\n"],
		dockerfile: ["Dockerfile", "FROM x\n"],
		plain: ["notes.xyz", "text\n"],
	};
	for (const [language, [path, text]] of Object.entries(cases))
		assert.equal((await parseFile(path, text)).language, language);
});

test("an empty file has no chunks", async () => {
	for (const path of ["a.ts", "a.py", "a.json", "a.md", "a.sql", "a.yaml", "a.txt"])
		assert.deepEqual((await parseFile(path, "")).chunks, []);
});

test("pieces of a very long line end between words and never inside a character", async () => {
	const words = Array.from({ length: 6_000 }, (_, index) => `value${String(index).padStart(5, "0")}`);
	const json = `[${words.map((word) => `"${word}"`).join(",")}]`;
	const { chunks } = await parseFile("two.json", json);
	const pieces = chunks.map(({ start, end }) => json.slice(start, end));
	assert.ok(pieces.length > 4);
	assert.equal(pieces.join(""), json);
	assert.deepEqual(
		pieces.flatMap((piece) => piece.match(/\w+/g) ?? []),
		words,
	);
	const faces = `x${"😀".repeat(20_000)}`;
	for (const { start, end } of (await parseFile("faces.txt", faces)).chunks)
		assert.ok(faces.slice(start, end).isWellFormed(), `${start}-${end}`);
});
