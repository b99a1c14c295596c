import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChunkFacts } from "../../src/parse/chunk.ts";
import { named, parsed, symbols } from "./soundFile.ts";

/** The facts of the chunk of a name. */
async function factsOf(path: string, text: string, name = "f"): Promise<ChunkFacts> {
	const { chunks } = await parsed(path, text);
	return chunks.find((chunk) => chunk.name === name)?.facts ?? {};
}

test("what a Scala loop goes through is read, and what it gives is written", async () => {
	const facts = await factsOf(
		"a.scala",
		"object A {\n  def f() = {\n    for { x <- rows; y = x + 1 if y > low; (k, v) <- pairs } yield y\n  }\n}\n",
	);
	assert.deepEqual(facts.writes, ["x", "y", "k", "v"]);
	assert.deepEqual(facts.reads, ["rows", "x", "y", "low", "pairs"]);
});

test("a name that a Scala pattern binds is not read, but a capitalised one is", async () => {
	const facts = await factsOf(
		"a.scala",
		`object A {
  def f(all: Any) = all match {
    case (left, Empty) => 1
    case first :: rest => 2
    case Some(Nothing) | other => 3
  }
}
`,
	);
	assert.deepEqual(facts.reads, ["all", "Empty", "Nothing"]);
});

test("a Scala value taken apart has the names of its parts", async () => {
	const file = await parsed("a.scala", "object A {\n  val Some(size) = found\n  val List(a, b) = parts\n}\n");
	assert.deepEqual(symbols(file), ["2 property size", "3 property a", "3 property b"]);
});

test("a method between its operands is called, in Scala and in Kotlin", async () => {
	const scala = await factsOf("a.scala", "object A {\n  def f() = users map name\n  def g = 1 + 2\n}\n");
	assert.deepEqual(scala.calls, ["map"]);
	const kotlin = await factsOf("a.kt", 'fun f() {\n    for (i in 0 until n step 2) put("a" to i)\n}\n');
	assert.deepEqual(kotlin.calls, ["step", "until", "put", "to"]);
	assert.deepEqual(kotlin.reads, ["n", "i"]);
});

test("a parameter that is a reference, or a parameter of a macro, is not read by being declared", async () => {
	const cpp = await factsOf("a.cpp", "void f(const Row& row, Bar&& bar, int* p, auto... rest) { use(bar); }\n");
	assert.deepEqual(cpp.reads, ["bar"]);
	assert.deepEqual((await factsOf("a.c", "#define f(x) ((x) + 1)\n")).reads, []);
});

test("a module or type before a path is used in Rust, and is no variable that is read", async () => {
	const facts = await factsOf("a.rs", "fn f(v: u8) -> Error {\n    log::go();\n    Error::Bad(v)\n}\n");
	assert.deepEqual(facts.reads, ["v"]);
	assert.deepEqual(facts.uses, ["Error", "log", "v"]);
});

test("a member whose owner is implied is used in Swift, and is no variable that is read", async () => {
	const facts = await factsOf(
		"a.swift",
		"func f(q: K) {\n    let a: K = .leading\n    switch q {\n    case .top: go(!a)\n    default: break\n    }\n}\n",
	);
	assert.deepEqual(facts.reads, ["q", "a"]);
	assert.deepEqual(facts.uses, ["K", "q", "go", "a", "leading", "top"]);
	assert.deepEqual((await factsOf("b.swift", "enum K {\n    case f(Int, name: Int)\n}\n", "K")).reads, []);
});

test("a property that a C# pattern looks at is used and not read, and a label is neither", async () => {
	const facts = await factsOf(
		"a.cs",
		"class A {\n    bool f(object p) {\n        goto end;\n        end: return p is Foo { Size: MAX, Id: > 0 };\n    }\n}\n",
	);
	assert.deepEqual(facts.reads, ["p", "MAX"]);
	assert.deepEqual(facts.uses, ["p", "Foo", "Size", "MAX", "Id"]);
});

test("every name of a chained assignment in Python is defined", async () => {
	const file = await parsed("a.py", "a = b = c = 0\nclass K:\n    __add__ = __radd__ = plus\n");
	assert.deepEqual(symbols(file), [
		"1 variable a",
		"1 variable b",
		"1 variable c",
		"3 property __add__",
		"3 property __radd__",
	]);
});

test("a Swift property with observers calls no number", async () => {
	const file = await parsed(
		"a.swift",
		"struct A {\n    var size = 0 {\n        didSet { go() }\n        willSet { }\n    }\n}\n",
	);
	assert.deepEqual(named(file), ["1-6 struct A", "2-5 property A.size"]);
	assert.equal(file.chunks[1]?.facts?.calls?.includes("0"), false);
});

test("a TypeScript function that only asserts returns no value", async () => {
	const facts = await factsOf("a.ts", "function f(a: unknown): asserts a is string {\n  check(a);\n}\n");
	assert.equal(facts.returns, false);
});

test("what a Ruby pattern or a nested list of targets binds is written and not read", async () => {
	const facts = await factsOf(
		"a.rb",
		`def f(given)
  case given
  in {name: String => n, age: years} if MIN then 1
  in [x, *rest] then 2
  end
  a, (b, *c) = given
  for i in given do end
end
`,
	);
	assert.deepEqual(facts.writes, ["n", "years", "x", "rest", "a", "b", "c", "i"]);
	assert.deepEqual(facts.reads, ["given"]);
});

test("a value that is not kept is no variable that is written", async () => {
	const facts = await factsOf("a.go", "package a\n\nfunc f(m M) {\n\tfor _, v := range m {\n\t\t_ = v\n\t}\n}\n");
	assert.deepEqual(facts.writes, ["v"]);
	assert.deepEqual(facts.aliases, []);
});

test("the field in a literal of a Go struct is used and not read, but the key of a map is read", async () => {
	const facts = await factsOf(
		"a.go",
		"package a\n\nfunc f(n string) {\n\tsave(&Server{name: n, all: []Opt{{id: 1}}}, map[string]int{KEY: 2})\n}\n",
	);
	assert.deepEqual(facts.reads, ["n", "KEY"]);
	for (const name of ["name", "all", "id"]) assert.ok(facts.uses?.includes(name), name);
});

test("a name that only labels, exports or stands for any type is neither used nor read", async () => {
	const exported = await factsOf("a.ts", 'export * as all from "./all.js";\nrun(one);\n', "");
	assert.deepEqual([exported.uses, exported.reads], [["run", "one"], ["one"]]);
	const labelled = await factsOf(
		"a.swift",
		"func f() {\n    switch shape {\n    case .box(width: let w, height: _): use(w)\n    default: break\n    }\n}\n",
	);
	assert.deepEqual(
		[labelled.uses, labelled.reads],
		[
			["shape", "use", "w", "box"],
			["shape", "w"],
		],
	);
	const wild = await factsOf("a.scala", "def f[F[_]](all: List[?], of: M[F[*]]): Int = all.size * more.map(_ * 2)\n");
	assert.deepEqual(
		[wild.uses, wild.calls],
		[
			["List", "M", "F", "Int", "all", "more", "size"],
			["map", "more.map"],
		],
	);
});

test("the words of a PHP property's hooks and a label are not used", async () => {
	const box = await factsOf(
		"a.php",
		"<?php\nclass Box {\n    public $a { get => $this->b; set { $this->b = $value; } }\n}\n",
		"Box",
	);
	assert.deepEqual(box.uses, ["this", "value", "b"]);
	const jump = await factsOf("a.php", "<?php\nfunction f($x) {\n    goto end;\n    end: return $x;\n}\n");
	assert.deepEqual(jump.uses, ["x"]);
});
