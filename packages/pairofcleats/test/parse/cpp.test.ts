import assert from "node:assert/strict";
import { test } from "node:test";
import { named, parsed, symbols } from "./soundFile.ts";

test("a C++ module imports what it names in any form, and reads none of these names", async () => {
	const file = await parsed(
		"a.cppm",
		`module;
#include <vector>
export module acme.store:part;
import std;
import <map>;
import "local.h";
export import :other;
export import acme.base;
`,
	);
	assert.deepEqual(file.imports, ["vector", "std", "map", "local.h", ":other", "acme.base"]);
	const facts = file.chunks.map((chunk) => chunk.facts);
	assert.deepEqual([facts[0]?.reads, facts[0]?.uses], [[], []]);
});

const MODULE = `export module acme.store;
int hidden() {
	return 1;
}
export int shown() {
	return 2;
}
export {
	int inBlock();
	struct Both {
		int x;
	};
}
export namespace acme {
	int inside();
	class Kept {
		void go();
	};
}
namespace quiet {
	int inner();
}
export template <typename T> T twice(T x) {
	return x;
}
`;

test("a C++ module exports what it says, and nothing else", async () => {
	const file = await parsed("a.cppm", MODULE);
	assert.deepEqual(file.exports, ["shown", "inBlock", "Both", "acme", "inside", "Kept", "twice"]);
	const exported = file.chunks.filter(({ facts }) => facts?.exported).map(({ qualifiedName }) => qualifiedName);
	assert.ok(exported.includes("shown") && exported.includes("acme.Kept"));
	assert.ok(!exported.includes("hidden") && !exported.includes("quiet"));
	assert.ok(named(file).includes("2-4 function hidden"));
	const plain = await parsed("a.cpp", MODULE.replace("export module acme.store;\n", ""));
	assert.ok(plain.exports.includes("hidden"));
});

test("if consteval is a branch, and using enum imports the enumeration", async () => {
	const file = await parsed(
		"a.cpp",
		`constexpr int fact(int n) {
	if consteval {
		return 1;
	} else {
		return n * fact(n - 1);
	}
	if !consteval { go(); }
}
using enum Color;
`,
	);
	assert.deepEqual([file.chunks[0]?.facts?.branches, file.chunks[0]?.facts?.calls], [2, ["fact", "go"]]);
	assert.deepEqual(file.imports, ["Color"]);
});

test("one using of C++ may import several names", async () => {
	const { chunks, imports } = await parsed(
		"a.cpp",
		"using a::b, c::d;\nusing e::Base<int, long>::f;\nusing Map = std::map<int, long>;\nvoid go() { using x::y, z::w; }\n",
	);
	assert.deepEqual(imports, ["a::b", "c::d", "e::Base<int, long>::f", "x::y", "z::w"]);
	assert.deepEqual(
		chunks.flatMap(({ facts }) => facts?.reads),
		[],
	);
});

test("a C++ module is listed by its whole name", async () => {
	const file = await parsed("a.cppm", "export module acme.store;\nexport int f() { return 1; }\n");
	assert.deepEqual(symbols(file), ["1 module acme.store"]);
});
