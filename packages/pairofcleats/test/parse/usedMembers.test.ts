import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFile } from "../../src/parse/parseFile.ts";
import { parsed } from "./soundFile.ts";

const USES = [
	["a.ts", "function f(o) {\n\treturn o.maxRetries + settings?.deepLimit;\n}\n", ["maxRetries", "deepLimit"]],
	["a.py", "def f(o):\n    o.total = settings.MAX_RETRIES\n", ["MAX_RETRIES", "total"]],
	["a.go", "package a\n\nfunc F() int {\n\treturn os.O_RDONLY\n}\n", ["O_RDONLY"]],
	["a.rs", "fn f() -> Color {\n    g(i32::LIMIT);\n    Color::Red\n}\n", ["LIMIT", "Red"]],
	["a.java", "class A {\n\tint f(O o) {\n\t\treturn o.size + Color.RED;\n\t}\n}\n", ["size", "RED"]],
	["a.cpp", "int f(O* o) {\n\treturn o->size + Color::Red;\n}\n", ["size", "Red"]],
	["a.cs", "class A {\n\tint F(O o) {\n\t\treturn o?.Size + Color.Red;\n\t}\n}\n", ["Size", "Red"]],
	["a.zig", "fn f(o: O) u8 {\n    return o.size;\n}\n", ["size"]],
] as const;

for (const [path, text, names] of USES) {
	test(`what stands after another name is used, in ${path}`, async () => {
		const { chunks } = await parseFile(path, text);
		const uses = new Set(chunks.flatMap(({ facts }) => facts?.uses ?? []));
		assert.deepEqual(
			names.filter((name) => !uses.has(name)),
			[],
		);
	});
}

test("a method that is called is among the calls, not among the uses", async () => {
	const { chunks } = await parseFile("a.ts", "function f(o) {\n\to.save(o.size);\n}\n");
	assert.deepEqual(chunks[0]?.facts?.uses, ["o", "size"]);
	assert.deepEqual(chunks[0]?.facts?.calls, ["save", "o.save"]);
});

test("the path of a definition and that of an import are not used", async () => {
	const cpp = await parseFile("a.cpp", "int Box::size() {\n\treturn 1;\n}\n");
	const rust = await parseFile("a.rs", "use a::b::Thing;\n\nfn f() {}\n");
	for (const { chunks } of [cpp, rust]) {
		const uses = chunks.flatMap(({ facts }) => facts?.uses ?? []);
		assert.ok(!uses.includes("size") && !uses.includes("Thing"));
	}
	const space = await parseFile("b.cpp", "namespace a::b {\nint x;\n}\nusing std::size;\nint Box::x() {}\n");
	assert.deepEqual(
		space.chunks.flatMap(({ facts }) => facts?.uses ?? []),
		[],
	);
});

test("a decorator is not used by the definition before it", async () => {
	const { chunks } = await parseFile("a.py", "def f():\n    pass\n\n\n@cached.once\ndef g():\n    pass\n");
	assert.ok(!chunks[0]?.facts?.uses?.includes("once"));
});

test("a private method has its `#` in the calls, and changes nothing because of its name", async () => {
	const text =
		"class A {\n\t#set(v) {}\n\tadd(v) {\n\t\tthis.#set(v);\n\t\tother?.#push(this.#size);\n\t\tthis.#items.set(v);\n\t}\n}\n";
	for (const path of ["a.js", "a.ts"]) {
		const { chunks } = await parseFile(path, text);
		const facts = chunks.find(({ name }) => name === "add")?.facts;
		assert.deepEqual(facts?.calls, ["#set", "this.#set", "#push", "other.#push", "set", "this.#items.set"]);
		assert.deepEqual(facts?.mutates, ["this.#items"]);
		assert.ok(facts?.uses?.includes("#size"));
	}
});

const NAMED = [
	[
		"a.rs",
		"impl fmt::Display for my::Thing {\n    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> std::io::Result<()> {\n        g(f)\n    }\n}\n",
		["Display", "Formatter", "Result"],
	],
	[
		"a.cs",
		"class A : Outer.Base\n{\n\tprivate Outer.Field field;\n\tOuter.Made F(Outer.Given y)\n\t{\n\t\treturn (Outer.Cast)y;\n\t}\n}\n",
		["Base", "Field", "Made", "Given", "Cast", "Outer"],
	],
	[
		"a.go",
		"package a\n\nfunc (s Store) F(given Given, more ...More) (found Found, err error) {\n\treturn\n}\n",
		["Store", "Given", "More", "Found"],
	],
	[
		"a.cpp",
		"int f(Status::Code c) {\n\treturn g(Color::Red, Table<Kind::kBig>());\n}\n",
		["Status", "Code", "Color", "Red", "Kind"],
	],
	["a.gleam", "pub fn f(m: Msg) -> mod.Answer {\n  Inc\n}\n", ["Msg", "Answer", "Inc"]],
	["a.ex", "defmodule A do\n  def f(x) do\n    g(x, My.Store)\n  end\nend\n", ["Store", "My.Store"]],
	["a.hs", "f :: Int -> Maybe Int\nf x = g x Nothing\n", ["Maybe", "Nothing"]],
] as const;

for (const [path, text, names] of NAMED) {
	test(`a type is used also where its name stands after another, in ${path}`, async () => {
		const { chunks } = await parseFile(path, text);
		const uses = new Set(chunks.flatMap(({ facts }) => facts?.uses ?? []));
		assert.deepEqual(
			names.filter((name) => !uses.has(name)),
			[],
		);
	});
}

test("the default of a parameter of a Kotlin class is used and read, its name is not", async () => {
	const { chunks } = await parseFile("a.kt", "class A(\n\tval size: Int =\n\t\tLIMIT,\n\tname: String = TITLE,\n)\n");
	assert.deepEqual(chunks[0]?.facts?.uses, ["Int", "LIMIT", "String", "TITLE"]);
	assert.deepEqual(chunks[0]?.facts?.reads, ["LIMIT", "TITLE"]);
});

test("the path of a Rust type reads no variable", async () => {
	const { chunks } = await parseFile("a.rs", "fn f(x: std::io::Error) {\n    g(x)\n}\n");
	assert.deepEqual(chunks[0]?.facts?.reads, ["x"]);
});

const PATTERNS = [
	[
		"a.rs",
		"fn f(x: E) {\n    match x {\n        Quit(a) => a,\n        E::Move(b) => b,\n        Some(E::Unit) => 0,\n        _ => 1,\n    }\n}\n",
		["Quit", "Move", "Unit"],
	],
	[
		"a.py",
		"def f(v):\n    match v:\n        case Point(x=0):\n            return 1\n        case shapes.Circle(r) | Color.RED:\n            return r\n",
		["Point", "shapes", "Circle", "Color", "RED"],
	],
	["a.gleam", "pub fn f(m) {\n  case m {\n    Set(n) -> n\n    _ -> 0\n  }\n}\n", ["Set"]],
	["a.hs", "f (Just (Pair x Nil)) = x\nf _ = 0\n", ["Just", "Pair", "Nil"]],
] as const;

for (const [path, text, names] of PATTERNS) {
	test(`what a pattern names is used, and not called, in ${path}`, async () => {
		const { chunks } = await parseFile(path, text);
		const uses = new Set(chunks.flatMap(({ facts }) => facts?.uses ?? []));
		assert.deepEqual(
			names.filter((name) => !uses.has(name)),
			[],
		);
		assert.deepEqual(
			chunks.flatMap(({ facts }) => facts?.calls ?? []),
			[],
		);
	});
}

test("what a Rust pattern binds is not used by that alone", async () => {
	const { chunks } = await parseFile(
		"a.rs",
		"fn f(x: E) -> u8 {\n    match x {\n        Quit(bound) => 1,\n    }\n}\n",
	);
	assert.ok(!chunks[0]?.facts?.uses?.includes("bound"));
});

test("the owner of what is assigned is not written, in C++", async () => {
	const { chunks } = await parseFile("a.cpp", "void f() {\n\tLow::count = 3;\n}\n");
	assert.deepEqual(chunks[0]?.facts?.writes, ["count"]);
});

test("neither a namespace of C# nor what it imports is used", async () => {
	const text = "using System.Text;\n\nnamespace Acme.Web\n{\n\tclass A\n\t{\n\t\tint x;\n\t}\n}\n";
	const { chunks } = await parseFile("a.cs", text);
	assert.deepEqual(
		chunks.flatMap(({ facts }) => facts?.uses ?? []),
		[],
	);
});

const REFERENCES = [
	["a.java", "class A {\n\tvoid f() {\n\t\tg(Item::name, this::self, a.b::c);\n\t}\n}\n", ["Item", "a"]],
	["a.kt", "fun f() {\n    g(Item::name, this::self, a.b::c)\n}\n", ["a"]],
	["b.kt", "fun f() {\n    g(::name, x::self, ::c)\n}\n", []],
] as const;

for (const [path, text, reads] of REFERENCES) {
	test(`a method that is given without a call is used and not read, in ${path}`, async () => {
		const { chunks } = await parseFile(path, text);
		const facts = chunks.find(({ name }) => name === "f")?.facts ?? chunks[0]?.facts;
		for (const name of ["name", "self", "c"]) assert.ok(facts?.uses?.includes(name), name);
		assert.deepEqual(facts?.reads, reads);
	});
}

test("a field that C initialises by its name is used", async () => {
	for (const path of ["a.c", "a.cpp"]) {
		const { chunks } = await parsed(
			path,
			"const struct ops table = { .open = my_open, .limits.size = 3, [LAST] = 1 };\n",
		);
		const facts = chunks[0]?.facts;
		assert.deepEqual(
			[facts?.uses, facts?.reads],
			[
				["my_open", "LAST", "open", "limits", "size"],
				["my_open", "LAST"],
			],
		);
	}
});
