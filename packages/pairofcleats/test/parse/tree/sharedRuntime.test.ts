import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Parser } from "web-tree-sitter";
import { parseFile } from "../../../src/parse/parseFile.ts";

test("a program that started the grammar runtime itself gets the same answers", async () => {
	await Parser.init();
	const fixtures = new URL("../fixtures/data/", import.meta.url);
	const expected = JSON.parse(readFileSync(new URL("expected.json", fixtures), "utf8"));
	for (const path of ["store.ts", "store.py", "store.go"]) {
		const parsed = await parseFile(path, readFileSync(new URL(`${path}.txt`, fixtures), "utf8"));
		assert.equal(parsed.method, "grammar");
		assert.deepEqual([parsed.imports, parsed.exports], [expected[path].imports, expected[path].exports]);
		assert.equal(parsed.chunks.length, expected[path].outline.length);
	}
});
