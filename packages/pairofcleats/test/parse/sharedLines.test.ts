import assert from "node:assert/strict";
import { test } from "node:test";
import { assertSound } from "./soundChunks.ts";
import { named, parsed, symbols } from "./soundFile.ts";

async function namedIn(path: string, text: string): Promise<string[]> {
	const file = await parsed(path, text);
	assertSound(path, text, file);
	return named(file);
}

test("a declaration after a comment or an attribute on its line is a chunk with its facts", async () => {
	const text = "import x from 'y';\n\n/* istanbul ignore next */ export async function once(m) {\n  await x(m);\n}\n";
	const { chunks } = await parsed("a.ts", text);
	const once = chunks.find(({ name }) => name === "once");
	assert.deepEqual([once?.startLine, once?.endLine, once?.nameLine], [3, 5, undefined]);
	assert.equal(once?.facts?.docstring, "istanbul ignore next");
	assert.equal(once?.facts?.async, true);
	assert.deepEqual(once?.facts?.calls, ["x"]);
	assert.equal(once?.facts?.exported, true);

	const rust = await parsed(
		"a.rs",
		"#[inline] pub fn one() -> i32 { 1 }\n#[derive(Debug)] pub struct S {\n  a: i32,\n}\n",
	);
	assert.deepEqual(named(rust), ["1-1 function one", "2-4 struct S"]);
	assert.deepEqual(
		rust.chunks.map(({ facts }) => facts?.decorators),
		[["inline"], ["derive(Debug)"]],
	);
	assert.deepEqual(await namedIn("a.cpp", '#include "a.h"\n\n/*static*/ int Foo::bar(int a) {\n  return a;\n}\n'), [
		"3-5 method Foo.bar",
	]);
});

test("a type after a comment on its line owns its members", async () => {
	const text = "class J {\n  /* package */ static class Nested {\n    int m() {\n      return 1;\n    }\n  }\n}\n";
	assert.deepEqual(await namedIn("J.java", text), ["1-7 class J", "2-6 class J.Nested", "3-5 method J.Nested.m"]);
});

test("a declaration after other code on its line is a chunk, and that code stays findable in it", async () => {
	const { chunks, imports } = await parsed(
		"a.ts",
		"import x from 'y'; const a = x(); export class Foo {\n  m() {\n    run();\n  }\n}\n",
	);
	assert.deepEqual(imports, ["y"]);
	assert.deepEqual(
		chunks.map(({ startLine, endLine, qualifiedName }) => `${startLine}-${endLine} ${qualifiedName}`),
		["1-1 Foo", "2-4 Foo.m"],
	);
	assert.deepEqual(
		chunks[0]?.symbols?.map(({ name }) => name),
		["a"],
	);
	assert.deepEqual(chunks[0]?.facts?.calls, ["x"]);
	for (const [path, text, expected] of [
		["a.js", "'use strict'; function f() {\n  return 1;\n}\n", "1-3 function f"],
		["b.js", ";class X {\n  y = 1;\n}\n", "1-3 class X"],
		["a.php", "<?php function lone($a) {\n  return $a;\n}\n", "1-3 function lone"],
		["a.sh", "set -e; f() {\n  echo 1\n}\n", "1-3 function f"],
		["a.go", "package a; func F() int {\n\treturn 1\n}\n", "1-3 function F"],
		["a.java", "package a; public class J {\n  int a;\n}\n", "1-3 class J"],
		["c.cpp", "class A {\n  public: int m() {\n    return 1;\n  }\n};\n", "1-5 class A,2-4 method A.m"],
	] as const)
		assert.equal((await namedIn(path, text)).join(), expected, path);
});

test("a declaration on the line of a namespace or module belongs to it", async () => {
	assert.deepEqual(
		await namedIn(
			"a.cpp",
			"// Names.\nnamespace a { namespace b { class C {\n  int m() {\n    return 1;\n  }\n}; } }\n",
		),
		["1-6 class a.b.C", "3-5 method a.b.C.m"],
	);
	const ruby = await parsed("a.rb", "module Foo; class Baz\n  def m\n    1\n  end\nend; end\n");
	assert.deepEqual(named(ruby), ["1-5 class Foo.Baz", "2-4 method Foo.Baz.m"]);
	assert.deepEqual(symbols(ruby), ["1 module Foo"]);
});

test("a declaration after the end of another takes their common line", async () => {
	assert.deepEqual(await namedIn("a.js", "function one() {\n  return 1;\n} function two() {\n  return 2;\n}\n"), [
		"1-3 function one",
		"3-5 function two",
	]);
	assert.deepEqual(await namedIn("a.ts", "class A {\n  m() {\n    return 1;\n  } n() {\n    return 2;\n  }\n}\n"), [
		"1-7 class A",
		"2-4 method A.m",
		"4-6 method A.n",
	]);
	assert.deepEqual(await namedIn("a.rb", "class A\n  def m\n    1\n  end; def n\n    2\n  end\nend\n"), [
		"1-7 class A",
		"2-4 method A.m",
		"4-6 method A.n",
	]);
});

test("a function inside other code, or on a line of generated code, takes no line from it", async () => {
	assert.deepEqual(await namedIn("a.js", "run(1, function given() {\n  return 1;\n});\n"), []);
	assert.deepEqual(await namedIn("b.js", "if (x) { function inner() {\n  return 1;\n} }\n"), []);
	assert.deepEqual(await namedIn("c.js", `${"run(1);".repeat(100)}function last() {\n  return 1;\n}\n`), []);
	assert.deepEqual(await namedIn("d.js", "run(1); function a() { return 1; } function b() { return 2; }\n"), []);
});
