import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFile } from "../../src/parse/parseFile.ts";
import { parsed } from "./soundFile.ts";

/** Declarations that bind several names, or bind a name within an expression, and the names they bind. */
const BINDINGS = {
	"a.go": ["package a\n\nfunc f(e int) {\n\tvar q, r = 1, e\n\tvar s, t int\n}\n", ["q", "r"]],
	"a.kt": ["fun f(e: E) {\n    val (p, q) = e\n    for ((k, v) in e) { }\n}\n", ["p", "q", "k", "v"]],
	"a.cs": [
		"class A {\n    void f(object e) {\n        var (p, q) = e;\n        Try(out var o, out z);\n        if (e is string t) { }\n        if (e is Other) { }\n    }\n}\n",
		["p", "q", "o", "z", "t"],
	],
	"A.java": [
		"class A {\n    void f(Object e) {\n        if (e instanceof String s) { }\n        try (var r = e) { }\n    }\n}\n",
		["s", "r"],
	],
	"B.java": [
		"class B {\n    void f(Object e) {\n        if (e instanceof Point(int a, var b)) { }\n        switch (e) { case Line(Point(var x, Q y), _) -> go(); case String s -> go(); }\n    }\n}\n",
		["a", "b", "x", "y", "s"],
	],
	"a.py": [
		'def f(e):\n    match e:\n        case [x, *rest]: pass\n        case {"z": v, **more}: pass\n        case Point(px=0, py=yy) | Color.RED: pass\n        case str() as s: pass\n        case Color.BLUE | _: pass\n        case (a, _) if e: pass\n',
		["x", "rest", "v", "more", "yy", "s", "a"],
	],
	"a.rs": ["fn f(e: E) {\n    let Foo { p, q: w, .. } = e;\n    if let Some(Bar { t }) = e {}\n}\n", ["p", "w", "t"]],
	"a.swift": [
		"func f(e: E) {\n    let a = 1, b = e\n    guard let g = e, let h = e else { return }\n    if let j = e { }\n    while let o = e { }\n    let (p, q) = e\n}\n",
		["a", "b", "g", "h", "j", "o", "p", "q"],
	],
	"a.php": ["<?php\nfunction f() {\n  static $n = 0, $m;\n  return 1;\n}\n", ["n"]],
} as const;

for (const [path, [source, names]] of Object.entries(BINDINGS)) {
	test(`${path}: every name that a declaration binds is written and not read`, async () => {
		const { chunks } = await parseFile(path, source);
		const facts = chunks.find(({ name }) => name === "f")?.facts;
		assert.deepEqual(facts?.writes, names);
		assert.deepEqual(
			facts?.reads?.filter((name) => (names as readonly string[]).includes(name)),
			[],
		);
	});
}

test("a field that a Rust parameter takes out of a struct is a parameter", async () => {
	const { chunks } = await parseFile("a.rs", "fn f(Foo { z, y: x, .. }: Foo) -> i32 {\n    z + x\n}\n");
	assert.deepEqual(chunks[0]?.facts?.params, ["z", "x"]);
});

/** Input that reaches a sink through such a name. */
const FLOWS = {
	"a.kt": [
		'fun f(request: Req) {\n    val (a, b) = request.getParameter("q").split(",")\n    Runtime.getRuntime().exec(a)\n}\n',
		"http-input->command-exec",
	],
	"a.go": [
		'package a\n\nfunc f(r *http.Request) {\n\tvar a, b = 1, r.FormValue("q")\n\tdb.Query(b)\n}\n',
		"http-input->sql-query",
	],
	"a.cs": [
		'class A {\n    void F() {\n        if (Request.Query.TryGetValue("x", out var v)) Process.Start(v);\n    }\n}\n',
		"http-input->command-exec",
	],
	"b.cs": [
		'class A {\n    void F() {\n        if (Request.Query["x"] is string s) Process.Start(s);\n    }\n}\n',
		"http-input->command-exec",
	],
	"A.java": [
		'class A {\n    void f(Req req) {\n        if (req.getParameter("q") instanceof String s) statement.executeQuery(s);\n    }\n}\n',
		"http-input->sql-query",
	],
} as const;

for (const [path, [source, flow]] of Object.entries(FLOWS)) {
	test(`${path}: input is followed through a name that is bound with others or in an expression`, async () => {
		const { chunks } = await parseFile(path, source);
		assert.deepEqual(
			chunks.flatMap(({ facts }) => facts?.risk?.flows ?? []),
			[flow],
		);
	});
}

test("Go binds what a select receives, and a declared name is not read in Bash", async () => {
	const go = await parsed("a.go", "package a\n\nfunc f() {\n\tselect {\n\tcase msg := <-ch:\n\t\tuse(msg)\n\t}\n}\n");
	assert.deepEqual(go.chunks.at(-1)?.facts?.writes, ["msg"]);
	const bash = await parsed("a.sh", "go() {\n  local a b=2 c\n  export Z\n}\n");
	assert.deepEqual(bash.chunks[0]?.facts?.reads, []);
	assert.deepEqual(bash.chunks[0]?.facts?.writes, ["b"]);
});

test("a class or attribute in a pattern, and the method before a Scala string, are not read as variables", async () => {
	const java = await parsed(
		"A.java",
		"class A {\n    void f(Object e) {\n        if (e instanceof Point(var b)) { }\n    }\n}\n",
	);
	assert.deepEqual(java.chunks.at(-1)?.facts?.reads, ["e"]);
	assert.ok(java.chunks.at(-1)?.facts?.uses?.includes("Point"));
	const python = await parsed("a.py", "def f(e):\n    match e:\n        case Point(px=0): pass\n");
	assert.deepEqual(python.chunks[0]?.facts?.reads, ["e"]);
	const scala = await parsed("a.scala", 'import a.{Success as Ok}\n\ndef f(n: Int) = sql"select $n"\n');
	assert.deepEqual(
		scala.chunks.map(({ facts }) => facts?.reads),
		[[], ["n"]],
	);
	assert.ok(scala.chunks[1]?.facts?.uses?.includes("sql"));
});

test("the label of an argument or a member is no variable", async () => {
	const kotlin = await parsed("a.kt", 'fun a() {\n    Text(text = "x", modifier = mod)\n}\n');
	assert.deepEqual([kotlin.chunks[0]?.facts?.reads, kotlin.chunks[0]?.facts?.uses], [["mod"], ["Text", "mod"]]);
	const csharp = await parsed(
		"a.cs",
		"class A {\n  void F() {\n    Go(u with { Age = n }, new { Name = m, k });\n  }\n}\n",
	);
	assert.deepEqual(csharp.chunks[1]?.facts?.reads, ["u", "n", "m", "k"]);
});

test("Lua's attributes of variables and its labels are no variables", async () => {
	const { chunks } = await parseFile(
		"a.lua",
		"function f(n)\n  local x <const>, y <close> = n, open()\n  while y do goto done end\n  ::done::\n  return x\nend\n",
	);
	const facts = chunks.find(({ name }) => name === "f")?.facts;
	assert.deepEqual(
		[facts?.uses, facts?.reads, facts?.writes],
		[
			["n", "y", "x"],
			["n", "y", "x"],
			["x", "y"],
		],
	);
});

test("a capitalised name in a pattern of Scala is used, and the owner of a type is no variable", async () => {
	const { chunks } = await parseFile(
		"a.scala",
		"def f(x: pkg.Owner.Inner): scala.util.Try[Int] = x match {\n  case None => 1\n  case Some(Nil) => 2\n  case y => y\n}\n",
	);
	const facts = chunks.find(({ name }) => name === "f")?.facts;
	assert.deepEqual(facts?.reads, ["x", "None", "Nil", "y"]);
	assert.deepEqual(facts.uses, [
		"pkg",
		"Owner",
		"Inner",
		"scala",
		"util",
		"Try",
		"Int",
		"x",
		"None",
		"Some",
		"Nil",
		"y",
	]);
});
