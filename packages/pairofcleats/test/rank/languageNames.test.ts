import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Fixture, fixtureOf, pathsFound } from "../filter/fixtureRepository.ts";

/** By words alone, each is the best answer to a question about another language. */
const FILES = {
	"bindings/frame.cc":
		"namespace wire {\nint decode_frame(std::string_view bytes) {\n\treturn bytes.size();\n}\n} // wire\n",
	"bindings/frame.c":
		"int decode_frame(const char *c) {\n\t/* frame: decode c, then the frame of c */\n\treturn c[0] + c[1];\n}\n",
	"bindings/Frame.cs":
		"public static class Frames {\n\tpublic static int DecodeFrame(byte[] bytes) {\n\t\treturn bytes.Length;\n\t}\n}\n",
	"bindings/Frame.java":
		"/** Decodes a frame, as a script of Java. */\nclass Frame {\n\tint decodeFrame(byte[] script) {\n\t\treturn script.length;\n\t}\n}\n",
	"bindings/frame.js": "export function decodeFrame(bytes) {\n\treturn bytes.length;\n}\n",
	"bindings/net.py": 'def decode_frame(net):\n\t"""Decodes a frame of the net."""\n\treturn len(net)\n',
	"docs/guide.md":
		"# Compilers\n\nBuilt with C++ 20.\n\n# Plan\n\nBuilt with plan C of three.\n\n# Interop\n\nCalled from C# only.\n",
};

describe("a language that a question names", () => {
	let fixture: Fixture;
	before(async () => {
		fixture = await fixtureOf(FILES);
	});
	after(() => fixture.remove());
	const found = (query: string, request: object = {}): Promise<string[]> =>
		pathsFound(fixture.repository, { query, ann: false, ...request });

	test("ranks before the same code in other languages, and is not confused with another language", async () => {
		for (const [question, path] of [
			["C++ frame decoder", "bindings/frame.cc"],
			["how is a frame decoded in C++?", "bindings/frame.cc"],
			["decode frame (C++17)", "bindings/frame.cc"],
			["C# frame decoder", "bindings/Frame.cs"],
			["decode frame on .NET", "bindings/Frame.cs"],
			["JavaScript frame decoder", "bindings/frame.js"],
			["Java frame decoder", "bindings/Frame.java"],
		] as const) {
			assert.equal((await found(question, { mode: "code" }))[0], path, question);
		}
	});

	test("is found if the query is only its name", async () => {
		assert.ok((await found("C++")).includes("docs/guide.md"));
	});

	test("is required or excluded as written", async () => {
		const lines = async (query: string): Promise<number[]> =>
			(await fixture.repository.search({ query, mode: "prose", ann: false })).hits.map(({ startLine }) => startLine);
		assert.deepEqual(await lines("built AND C++"), [1]);
		assert.deepEqual(await lines("built -C++"), [5]);
		assert.deepEqual(await lines("C# OR C++"), [1, 9]);
	});

	test("is not preferred if it is excluded", async () => {
		assert.notEqual((await found("frame decoder -JavaScript", { mode: "code" }))[0], "bindings/frame.js");
	});
});
