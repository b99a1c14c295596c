import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChunkFacts } from "../../src/parse/chunk.ts";
import { parsed } from "./soundFile.ts";

/** The facts of the chunk of a name. */
async function factsOf(path: string, text: string, name = "f"): Promise<ChunkFacts> {
	const { chunks } = await parsed(path, text);
	return chunks.find((chunk) => chunk.name === name)?.facts ?? {};
}

test("the type of a long field is used by the field, and a template's requirement by what it is for", async () => {
	const java = await factsOf(
		"A.java",
		'class A {\n    private final Map<String, Row> f = Map.of(\n        "a",\n        "b",\n        "c");\n}\n',
	);
	assert.deepEqual(java.uses, ["Map", "String", "Row"]);
	const sharp = await factsOf(
		"a.cs",
		"class A {\n    [Attr]\n    readonly Dictionary<string, My.Row> f = new()\n    {\n        [1] = 2,\n    };\n}\n",
	);
	assert.deepEqual(sharp.uses, ["Dictionary", "My", "Row"]);
	const cpp = await factsOf("a.cpp", "template <typename T> requires std::integral<T>\nstruct f {\n};\n");
	assert.deepEqual(cpp.uses, ["T", "integral", "std"]);
});
