import assert from "node:assert/strict";
import { test } from "node:test";
import { isMap, isScalar, parseAllDocuments } from "yaml";
import { LineIndex } from "../../../src/parse/chunkLines.ts";
import { listYamlKeys } from "../../../src/parse/formats/keys.ts";
import { parseFile } from "../../../src/parse/parseFile.ts";

const TRICKY = `%YAML 1.2
---
# note: a comment
plain: 1
two words : 2
http://example.org/a: 3
"quoted: \\"key\\"": 4
'it''s': x
-dashed: 5
block: |
  inner: no key
text: "goes on
  over: lines"
list:
- item: 1
- "b": 2
flow: {
  a: 1
}
last:
  nested: {b: 2}
---
other: &anchor
  x: 1
<<: *anchor
...
---
- only: items
`;

function byLibrary(text: string): string[] {
	return parseAllDocuments(text, { logLevel: "silent", uniqueKeys: false })
		.flatMap(({ contents }) => (isMap(contents) ? contents.items : []))
		.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : []));
}

test("scanning by lines finds the same top-level YAML keys as a parser", () => {
	const names = listYamlKeys(new LineIndex(TRICKY)).map(({ name }) =>
		name.replaceAll('\\"', '"').replaceAll("''", "'"),
	);
	assert.deepEqual(names, byLibrary(TRICKY));
	assert.equal(names.length, 13);
});

test("text without a mapping has no keys", () => {
	for (const text of ["", "just words", "- a: 1\n", "{a: 1}\n", "# a: 1\n", "'open: 1\n", `${"k".repeat(500)}: 1\n`])
		assert.deepEqual(listYamlKeys(new LineIndex(text)), [], text);
});

test("a YAML file of any size is split at its top-level keys", async () => {
	const entries = (key: string): string =>
		`${key}:\n${Array.from({ length: 3_000 }, (_, index) => `  name-${index}: {version: 1.0.${index}, dev: true}\n`).join("")}`;
	const text = `version: 9\n${entries("packages")}${entries("snapshots")}`;
	assert.ok(text.length > 200_000);
	const { chunks, parseErrors } = await parseFile("lock.yaml", text);
	assert.deepEqual([...new Set(chunks.map(({ name }) => name))], ["version", "packages", "snapshots"]);
	assert.deepEqual(parseErrors, []);
	assert.equal(chunks.at(-1)?.endLine, 6_003);
});
