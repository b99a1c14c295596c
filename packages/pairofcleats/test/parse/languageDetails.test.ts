import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chunk } from "../../src/parse/chunk.ts";
import { parseFile } from "../../src/parse/parseFile.ts";

async function chunksOf(path: string, text: string): Promise<Map<string, Chunk>> {
	const { chunks, parseErrors } = await parseFile(path, text);
	assert.deepEqual(parseErrors, []);
	return new Map(chunks.map((chunk) => [chunk.qualifiedName, chunk]));
}

test("a C++ class or method marked with a macro is parsed as if it were unmarked", async () => {
	const chunks = await chunksOf(
		"bar.hpp",
		`namespace n {
class CORE_API Bar : public Baz {
 public:
  int at(int i) const LIFETIME_BOUND {
    return data_[i];
  }
  void lock() LOCKS_EXCLUDED(mu_) {
    mu_.lock();
  }
};
}
int main() {
  if (ready) CHECK(started);
  return 0;
}
`,
	);
	assert.deepEqual(
		["n.Bar", "n.Bar.at", "n.Bar.lock", "main"].map((name) => chunks.get(name)?.kind),
		["class", "method", "method", "function"],
	);
	assert.deepEqual(chunks.get("n.Bar")?.facts?.extends, ["Baz"]);
	assert.equal(chunks.get("n.Bar.at")?.facts?.signature, "int at(int i) const");
	assert.ok(chunks.get("main")?.facts?.calls?.includes("CHECK"));
});

test("Swift knows deinit, subscript and every form of result", async () => {
	const chunks = await chunksOf(
		"box.swift",
		`class Box {
    deinit {
        release()
    }
    subscript(index: Int) -> Int? {
        return index
    }
    func names() throws -> [String: Int] { [:] }
    func clear() { items = [] }
}
`,
	);
	assert.equal(chunks.get("Box.deinit")?.kind, "method");
	assert.equal(chunks.get("Box.subscript")?.facts?.returnType, "Int?");
	assert.equal(chunks.get("Box.names")?.facts?.returnType, "[String: Int]");
	assert.equal(chunks.get("Box.names")?.facts?.returns, true);
	assert.equal(chunks.get("Box.clear")?.facts?.returns, false);
});

test("a Kotlin property has its own name, and an expression body is a returned value", async () => {
	const text = `val String.lastChar: Char get() = this[length - 1]
fun find(id: Int): User? = users[id]
fun twice(n: Int) = n * 2
fun log(): Unit { println() }
`;
	const { exports } = await parseFile("a.kt", text);
	assert.deepEqual(exports, ["lastChar", "find", "twice", "log"]);
	const chunks = await chunksOf("a.kt", text);
	assert.equal(chunks.get("find")?.facts?.returnType, "User?");
	assert.deepEqual(
		["find", "twice", "log"].map((name) => chunks.get(name)?.facts?.returns),
		[true, true, false],
	);
});

test("a Rust function returns its last expression, and every import in braces is listed", async () => {
	const text = `use std::{collections::{HashMap, hash_map::{self, Entry}}, io as input};

fn size() -> u32 { 3 }
fn stop() -> ! { loop {} }
fn log() { println!("x"); }
`;
	const { imports } = await parseFile("a.rs", text);
	assert.deepEqual(imports, [
		"std::collections::HashMap",
		"std::collections::hash_map",
		"std::collections::hash_map::Entry",
		"std::io",
	]);
	const chunks = await chunksOf("a.rs", text);
	assert.deepEqual(
		["size", "stop", "log"].map((name) => chunks.get(name)?.facts?.returns),
		[true, false, false],
	);
});

test("a Ruby class method passed to private_class_method is private", async () => {
	const chunks = await chunksOf(
		"a.rb",
		"class Cart\n  private_class_method def self.build\n    1\n  end\n\n  def self.open\n    build\n  end\nend\n",
	);
	const facts = ["Cart.build", "Cart.open"].map((name) => chunks.get(name)?.facts);
	assert.deepEqual(
		facts.map((one) => [one?.visibility, one?.exported]),
		[
			["private", false],
			["public", true],
		],
	);
});

test("a Ruby method passed to private is private, and a comment is not part of its signature", async () => {
	const chunks = await chunksOf(
		"a.rb",
		`class Cart # :nodoc:
  private def total(lines) # :nodoc:
    lines.sum
  end

  def open
    total([])
  end
end
`,
	);
	assert.equal(chunks.get("Cart")?.facts?.signature, "class Cart");
	assert.equal(chunks.get("Cart.total")?.facts?.signature, "private def total(lines)");
	assert.equal(chunks.get("Cart.total")?.facts?.visibility, "private");
	assert.equal(chunks.get("Cart.open")?.facts?.visibility, "public");
});

test("a C# field without a value assigns nothing", async () => {
	const chunks = await chunksOf("A.cs", "class A\n{\n    private int x;\n    private int y = 3;\n}\n");
	assert.deepEqual(chunks.get("A")?.facts?.writes, ["y"]);
	assert.deepEqual(chunks.get("A")?.facts?.aliases, []);
});

test("an unnamed default export is named default", async () => {
	const handler = await chunksOf("a.ts", "export default async (req: Request) => {\n\treturn go(req);\n};\n");
	assert.equal(handler.get("default")?.kind, "function");
	assert.equal(handler.get("default")?.facts?.async, true);
	const view = await chunksOf("a.js", "export default class extends Base {\n\trender() {\n\t\treturn 1;\n\t}\n}\n");
	assert.equal(view.get("default")?.kind, "class");
	assert.equal(view.get("default.render")?.kind, "method");
	const named = await chunksOf("b.js", "export default function named() {\n\treturn 1;\n}\n");
	assert.deepEqual([...named.keys()], ["named"]);
});

test("the head of an Elixir definition is not a call", async () => {
	const chunks = await chunksOf(
		"a.ex",
		"defmodule Shop do\n  def add(x) do\n    store(x)\n  end\n\n  def walk(n) do\n    walk(n - 1)\n  end\nend\n",
	);
	assert.deepEqual(chunks.get("Shop.add")?.facts?.calls, ["store"]);
	assert.deepEqual(chunks.get("Shop.walk")?.facts?.calls, ["walk"]);
});

test("a definition of Elixir or Clojure does not use its own name", async () => {
	const elixir = await chunksOf(
		"a.ex",
		`defmodule My.Store do
  def start do
    Other.go(1)
  end
end

defimpl Enumerable, for: My.Store do
  def count(s), do: 1
end
`,
	);
	assert.deepEqual(
		["My.Store", "My.Store.start", "Enumerable"].map((name) => elixir.get(name)?.facts?.uses),
		[[], ["Other", "go"], ["Enumerable", "My.Store", "s", "Store"]],
	);
	const clojure = await chunksOf("a.clj", "(defn go [n]\n  (inc n))\n");
	assert.deepEqual(clojure.get("go")?.facts?.uses, ["defn", "n", "inc"]);
});

test("the lists of a Clojure import are no calls, and what requires at run time is one", async () => {
	const chunks = await chunksOf(
		"a.clj",
		`(ns a.b
  (:require [clojure.string :as str])
  (:import (java.util Date)
           (java.io File)))

(defn load-later [m]
  (require '[foo.bar :as b])
  (:key m))
`,
	);
	assert.deepEqual(chunks.get("a.b")?.facts?.calls, []);
	assert.deepEqual(chunks.get("load-later")?.facts?.calls, ["require", ":key"]);
});

test("a Zig constant that is a struct is a struct", async () => {
	const chunks = await chunksOf(
		"a.zig",
		"pub const Scope = struct {\n    pub fn init() Scope {\n        return .{};\n    }\n};\n",
	);
	assert.equal(chunks.get("Scope")?.kind, "struct");
	assert.equal(chunks.get("Scope.init")?.kind, "method");
});

test("a Bats test is a test named by its title", async () => {
	const chunks = await chunksOf(
		"a.bats",
		`setup() {
  DIR=$(mktemp -d)
}

# bats test_tags=slow
@test "adds two numbers" {
  run add 1 2
  [ "$status" -eq 0 ]
}
@test 'one $word' { # why
  skip "later"
}
@test "works" {
  check
}
`,
	);
	assert.deepEqual(
		[...chunks.values()].map(({ kind, name, startLine, endLine }) => [kind, name, startLine, endLine]),
		[
			["function", "setup", 1, 3],
			["test", "adds two numbers", 5, 9],
			["test", "one $word", 10, 12],
			["test", "works", 13, 15],
		],
	);
	assert.deepEqual(chunks.get("adds two numbers")?.facts?.calls, ["run"]);
	assert.equal(chunks.get("works")?.facts?.signature, '@test "works"');
});

test("reading from cin writes the variable, and a shift does not", async () => {
	const facts = (await chunksOf("a.cc", "void f() {\n  std::cin >> a;\n  int c = b >> d;\n  g(b + e);\n}\n")).get(
		"f",
	)?.facts;
	assert.deepEqual(
		[facts?.writes, facts?.reads],
		[
			["a", "c"],
			["b", "d", "e"],
		],
	);
});

test("mixins, functions, variables and what they use are found in SCSS, custom properties in CSS", async () => {
	const chunks = await chunksOf(
		"a.scss",
		"$wide: 10px;\n\n@mixin spread($by) {\n  margin: double($by);\n}\n@function double($n) {\n  @return $n * 2;\n}\n.a {\n  @include spread($wide);\n  b: c;\n}\n",
	);
	assert.deepEqual(
		[...chunks.values()].map(({ kind, name, startLine, endLine }) => [kind, name, startLine, endLine]),
		[
			["block", "", 1, 1],
			["function", "spread", 3, 5],
			["function", "double", 6, 8],
			["rule", ".a", 9, 12],
		],
	);
	assert.deepEqual(
		[chunks.get("")?.symbols?.[0]?.name, chunks.get("spread")?.facts?.params, chunks.get("spread")?.facts?.calls],
		["$wide", ["$by"], ["double"]],
	);
	assert.deepEqual(chunks.get(".a")?.facts?.calls, ["spread"]);
	const css = await chunksOf("a.css", ":root {\n  --main: red;\n  color: blue;\n}\n");
	assert.deepEqual(css.get(":root")?.symbols, [{ kind: "property", name: "--main", line: 2 }]);
});

test("Python binds names in comprehensions, with, except and nested patterns; annotations read nothing", async () => {
	const facts = (
		await chunksOf(
			"a.py",
			`def f(a: int | None, b: t.Opt[x] = default) -> E | F:
    global total
    for i, (j, k) in pairs:
        pass
    with lock as held, open(a) as (c, d):
        pass
    try:
        pass
    except E as e:
        pass
    left = right = source
    grid[a, b] = cell
    both = one, two
    first, second = [], {}
    await (await self.session()).update(x)
    super().pop(key)
    return {n for n in seen}
`,
		)
	).get("f")?.facts;
	assert.deepEqual(facts?.writes, [
		...["i", "j", "k", "held", "c", "d", "e", "left", "right", "both", "first", "second", "n"],
	]);
	assert.deepEqual(facts?.reads, [
		...[
			"default",
			"pairs",
			"lock",
			"a",
			"E",
			"source",
			"grid",
			"b",
			"cell",
			"one",
			"two",
			"self",
			"x",
			"key",
			"n",
			"seen",
		],
	]);
	assert.deepEqual(facts?.aliases, ["left=source", "right=source", "grid[]=cell"]);
	assert.deepEqual(facts?.inferredTypes, ["tuple", "list", "dict"]);
	assert.deepEqual(facts?.mutates, ["grid[]"]);
});

test("a cast or an assertion is not part of the modified place", async () => {
	const facts = (
		await chunksOf(
			"a.ts",
			`function f(node: Node, size = limit, { depth = deepest } = {}) {
  (node as any).parent = size;
  (<Base>node).kind = 1;
  (node.list as { length: number }).length = 0;
  table[key]![row] = (node as Leaf).value;
  cache?.get(node)!.push(1);
  [...items].sort();
  find(node).name = "x";
  const { wide = standard } = depth;
  try { run(); } catch (error) {}
  let shape: typeof Shape;
}
`,
		)
	).get("f")?.facts;
	assert.deepEqual(facts?.mutates, ["node.parent", "node.kind", "node.list.length", "table[][]", "find(node).name"]);
	assert.deepEqual(facts?.aliases, ["node.parent=size", "table[][]=node.value"]);
	assert.deepEqual(facts?.writes, ["wide"]);
	assert.deepEqual(facts?.reads, [
		...["limit", "deepest", "node", "size", "table", "key", "row", "cache", "items", "standard", "depth"],
	]);
	const c = (await chunksOf("a.c", "void f(void *p) {\n  ((struct s *)p)->x = 1;\n  (*q).y = 2;\n  *r = 3;\n}\n")).get(
		"f",
	)?.facts;
	assert.deepEqual(c?.mutates, ["p.x", "q.y", "r"]);
});

test("C++ creates and throws objects with braces", async () => {
	const chunks = await chunksOf(
		"throw.cpp",
		"int f() {\n  auto p = Point{1, int{2}};\n  if (p.x) throw Err{1};\n  throw ns::Other{p};\n}\n",
	);
	const facts = chunks.get("f")?.facts;
	assert.deepEqual(facts?.throws, ["Err", "ns::Other"]);
	assert.deepEqual(facts?.calls, ["Point", "Err", "Other", "ns::Other"]);
	assert.deepEqual(facts?.inferredTypes, ["Point"]);
});

test("a C function that returns a pointer to a function has its own name and parameters", async () => {
	const chunks = await chunksOf(
		"handlers.c",
		"int (*handler_of(int x))(int) {\n  return table[x];\n}\n\nvoid (*on(int sig, void (*run)(int)))(int) {\n  return run;\n}\n",
	);
	assert.deepEqual(chunks.get("handler_of")?.facts?.params, ["x"]);
	assert.deepEqual(chunks.get("on")?.facts?.params, ["sig", "run"]);
});

test("what a file imports, and its package, is not read there, but a base type is used", async () => {
	const reads = async (path: string, text: string): Promise<readonly (string | undefined)[]> =>
		(await parseFile(path, text)).chunks.flatMap(({ facts }) => facts?.reads ?? []);
	assert.deepEqual(await reads("A.java", "package p;\n\nclass A {\n}\n"), []);
	assert.deepEqual(await reads("a.cpp", "using namespace std;\n\nclass A {\n};\n"), []);
	const csharp = "using System;\n\nclass A : IBar, IDisposable\n{\n}\n";
	assert.deepEqual(await reads("a.cs", csharp), []);
	assert.deepEqual((await chunksOf("a.cs", csharp)).get("A")?.facts?.uses, ["IBar", "IDisposable"]);
});

test("a function that is a value has the result type it declares", async () => {
	const cpp = await chunksOf("a.cpp", "auto twice = [](int a) -> int {\n  return 2 * a;\n};\n");
	assert.equal(cpp.get("twice")?.facts?.returnType, "int");
	const php = await chunksOf("a.php", "<?php\n$twice = function (int $a): int {\n    return 2 * $a;\n};\n");
	assert.equal(php.get("twice")?.facts?.returnType, "int");
});

test("a call that tolerates nothing there has the same name as one that does not", async () => {
	const php = await chunksOf("a.php", "<?php\nfunction f($x) {\n    $x?->send();\n    throw $x;\n}\n");
	assert.deepEqual(php.get("f")?.facts?.calls, ["send", "x.send"]);
	assert.deepEqual(php.get("f")?.facts?.throws, ["x"]);
	const ruby = await chunksOf("a.rb", "def f(x)\n  x&.push(1)\n  loop do\n    break\n  end\nend\n");
	assert.ok(ruby.get("f")?.facts?.calls?.includes("x.push"));
	assert.deepEqual(ruby.get("f")?.facts?.mutates, ["x"]);
	assert.equal(ruby.get("f")?.facts?.loops, 1);
});

test("each attribute of a list is a decorator of its own, whatever its arguments contain", async () => {
	const csharp = await chunksOf(
		"a.cs",
		'[Serializable, Table("a, b)", Schema = "c")]\nclass A\n{\n    [HttpGet, Route("[controller]/x")]\n    void Run() { Go(); }\n}\n',
	);
	assert.deepEqual(csharp.get("A")?.facts?.decorators, ["Serializable", 'Table("a, b)", Schema = "c")']);
	assert.deepEqual(csharp.get("A.Run")?.facts?.decorators, ["HttpGet", 'Route("[controller]/x")']);
	const php = await chunksOf("a.php", "<?php\n#[Pure, Route('/[x]')]\nfunction f() {\n    return 1;\n}\n");
	assert.deepEqual(php.get("f")?.facts?.decorators, ["Pure", "Route('/[x]')"]);
	const cpp = await chunksOf("a.cpp", '[[nodiscard, deprecated("a, b")]] int f() {\n  return 1;\n}\n');
	assert.deepEqual(cpp.get("f")?.facts?.decorators, ["nodiscard", 'deprecated("a, b")']);
});

test("an element of a Swift collection is read, not called, and defer calls nothing", async () => {
	const swift = await chunksOf(
		"a.swift",
		"func f() {\n    defer { close() }\n    let first = list[0]\n    table.rows[1].size = first\n    handlers[2](first)\n}\n",
	);
	const facts = swift.get("f")?.facts;
	assert.deepEqual(facts?.calls, ["close"]);
	assert.deepEqual(facts?.reads, ["list", "table", "first", "handlers"]);
	assert.deepEqual(facts?.mutates, ["table.rows[].size"]);
});

test("Swift creates objects of a generic type inside another", async () => {
	const swift = await chunksOf("a.swift", "func f() {\n    let a = Store.Box<Int>(size: 1)\n}\n");
	assert.deepEqual(swift.get("f")?.facts?.calls, ["Box", "Store.Box"]);
	assert.deepEqual(swift.get("f")?.facts?.inferredTypes, ["Box"]);
	assert.deepEqual(swift.get("f")?.facts?.reads, []);
});

test("the methods of an enum's constant belong to the constant", async () => {
	const java = await chunksOf(
		"Op.java",
		"enum Op {\n    PLUS {\n        int apply(int a) {\n            return add(a);\n        }\n    };\n\n    abstract int apply(int a);\n}\n",
	);
	assert.equal(java.get("Op.PLUS.apply")?.kind, "method");
	assert.deepEqual(java.get("Op.PLUS.apply")?.facts?.calls, ["add"]);
	const kotlin = await chunksOf(
		"Op.kt",
		"enum class Op {\n    PLUS {\n        override fun apply(a: Int): Int {\n            return a\n        }\n    };\n\n    abstract fun apply(a: Int): Int\n}\n",
	);
	assert.equal(kotlin.get("Op.PLUS.apply")?.kind, "method");
});

test("Java's var is no type that a method uses", async () => {
	const java = await chunksOf(
		"A.java",
		"class A {\n    void f() {\n        var all = new Box();\n        for (var one : all) {\n            run(one);\n        }\n    }\n}\n",
	);
	assert.deepEqual(java.get("A.f")?.facts?.uses, ["Box", "all", "one"]);
});

test("a Kotlin import of all names of a package says so", async () => {
	const { imports } = await parseFile("a.kt", "import kotlin.io.*\nimport a.b.C as D\n\nfun f() {\n    go()\n}\n");
	assert.deepEqual(imports, ["kotlin.io.*", "a.b.C"]);
});

test("a friend defined in its C++ class has its own lines", async () => {
	const cpp = await chunksOf(
		"a.cpp",
		"class Point {\n public:\n  friend bool same(const Point& a, const Point& b) {\n    return equal(a, b);\n  }\n};\n",
	);
	assert.deepEqual(cpp.get("Point.same")?.facts?.params, ["a", "b"]);
	assert.deepEqual(cpp.get("Point.same")?.facts?.calls, ["equal"]);
	assert.deepEqual(cpp.get("Point")?.facts?.calls, []);
});
