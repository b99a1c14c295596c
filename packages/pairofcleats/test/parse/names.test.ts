import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chunk } from "../../src/parse/chunk.ts";
import { parseFile } from "../../src/parse/parseFile.ts";
import { named, parsed, symbols } from "./soundFile.ts";

async function chunk(path: string, text: string, name: string): Promise<Chunk> {
	const { chunks } = await parseFile(path, text);
	const found = chunks.find((one) => one.qualifiedName === name);
	assert.ok(found, `${name} of ${chunks.map((one) => one.qualifiedName)}`);
	return found;
}

async function callsIn(path: string, body: string): Promise<readonly string[] | undefined> {
	const { chunks } = await parseFile(path, body);
	return chunks.flatMap(({ facts }) => facts?.calls ?? []);
}

async function symbolsOf(path: string, text: string): Promise<string[]> {
	const { chunks } = await parseFile(path, text);
	return chunks.flatMap(({ symbols = [] }) => symbols.map(({ kind, name }) => `${kind} ${name}`));
}

test("names may have letters of any alphabet", async () => {
	assert.deepEqual(await callsIn("a.ts", "ɵlesen(a);\nмир.привет(b);\n"), ["ɵlesen", "привет", "мир.привет"]);
	assert.deepEqual((await parseFile("a.ts", "const größe = 1;\nexport { größe };\n")).exports, ["größe"]);
	const python = await chunk("a.py", "def f(größe):\n    größe.länge = 1\n    raise Ähnlich()\n", "f");
	assert.deepEqual(python.facts?.mutates, ["größe.länge"]);
	assert.deepEqual(python.facts?.throws, ["Ähnlich"]);
});

test("a call is named by its callee, without type arguments", async () => {
	assert.deepEqual(await callsIn("A.java", "class A { Object x = new Token<List<Map<String, int[]>>>() {}; }\n"), [
		"Token",
	]);
	assert.deepEqual(await callsIn("a.cc", "auto q = std::map<int, std::vector<int>>();\n"), ["map", "std::map"]);
	assert.deepEqual(await callsIn("a.kt", "val q = listOf<Map<String, List<Int>>>()\n"), ["listOf"]);
});

const TYPED_CALLS: Readonly<Record<string, readonly [text: string, calls: readonly string[]]>> = {
	"a.rs": [
		"fn f() { s.parse::<i32>(); mem::size_of::<u8>(); Vec::<u8>::new(); <T as Tr>::make(); }\n",
		["parse", "s.parse", "size_of", "mem::size_of", "new", "Vec::new", "make"],
	],
	"a.go": [
		"package a\n\nfunc f() {\n\tMap[int](x)\n\tNew[[]string]()\n\tslices.Collect[int, T](a, b)\n\tmade[i](x)\n\tmade[i](x, y)\n}\n",
		["Map", "New", "Collect", "slices.Collect"],
	],
	"a.scala": [
		"object A {\n  def f(): Unit = {\n    io.decode[Foo](x)\n    new Bar[Int](1)\n  }\n}\n",
		["decode", "io.decode", "Bar"],
	],
	"a.swift": ["func f() {\n    let a = Array<Int>(x: 1)\n}\n", ["Array"]],
	"a.cc": [
		"void f() { obj.get<int>(1); p->cast<int>(1); A<int>::make(1); a.operator<(b); }\n",
		["get", "obj.get", "cast", "p.cast", "make", "A::make"],
	],
	"A.cs": [
		"class A { void F() { services.AddScoped<IFoo, Foo>(); a?.B<int>(2); } }\n",
		["AddScoped", "services.AddScoped", "B", "a.B"],
	],
	"A.java": ["class A { void f() { Collections.<String>emptyList(); } }\n", ["emptyList", "Collections.emptyList"]],
};

for (const [path, [text, calls]] of Object.entries(TYPED_CALLS)) {
	test(`a call with type arguments is found by its name and by its receiver in ${path}`, async () => {
		assert.deepEqual(await callsIn(path, text), calls);
	});
}

test("a non-null or optional mark is not part of a callee's name", async () => {
	assert.deepEqual(await callsIn("a.ts", "hooks.done!(1);\nrun!();\n"), ["done", "hooks.done", "run"]);
	assert.deepEqual(await callsIn("a.swift", "delegate.close?()\nhandler!()\n"), ["close", "delegate.close", "handler"]);
	assert.deepEqual(await callsIn("a.rb", "user.save!\nlist.empty?\n"), [
		"save!",
		"user.save!",
		"empty?",
		"list.empty?",
	]);
});

test("list and map literals in Go are not calls", async () => {
	const text =
		'package a\n\nfunc f() {\n\tx := []string{"a"}\n\ty := map[string]int{}\n\tz := pkg.Box[int]{}\n\tg(x, y, z, Point{})\n}\n';
	const { facts } = await chunk("a.go", text, "f");
	assert.deepEqual(facts?.calls, ["Box", "pkg.Box", "g", "Point"]);
	assert.deepEqual(facts?.inferredTypes, ["Box"]);
});

test("a conversion operator is named by its type, inside and outside its class", async () => {
	const text = `struct Wide {
  explicit operator long long() const;
};
constexpr Wide::operator signed char() const {
  return low_;
}
constexpr Wide::operator bool() const { return low_; }
`;
	assert.deepEqual(await symbolsOf("a.cc", text), ["method operator long long"]);
	const { chunks } = await parseFile("a.cc", text);
	assert.deepEqual(
		chunks.map((one) => `${one.kind} ${one.qualifiedName}`),
		["struct Wide", "method Wide.operator signed char", "method Wide.operator bool"],
	);
});

test("a function of a local type is a method of that type", async () => {
	const python =
		"def test_it():\n    class Fake:\n        def __init__(self): pass\n        def read(self):\n            def inner(): pass\n";
	assert.deepEqual(await symbolsOf("a.py", python), [
		"class Fake",
		"constructor __init__",
		"method read",
		"function inner",
	]);
	assert.deepEqual(await symbolsOf("a.cc", "void f() {\n  struct L {\n    L() {}\n    void m() {}\n  };\n}\n"), [
		"struct L",
		"constructor L",
		"method m",
	]);
});

test("a method with the name of its type is a constructor only in languages where constructors are named so", async () => {
	assert.deepEqual(await symbolsOf("a.go", "package a\n\ntype Signal interface {\n\tSignal()\n}\n"), ["method Signal"]);
	const types = "declare class Box {\n  constructor(size: number);\n  size(): number;\n}\n";
	assert.deepEqual(await symbolsOf("a.d.ts", types), ["constructor constructor", "method size"]);
});

test("a docstring keeps the punctuation of its text", async () => {
	const text = 'def f():\n    """\n    #12 -- lists:\n\n    * one\n      -- two\n    """\n';
	const { facts } = await chunk("a.py", text, "f");
	assert.equal(facts?.docstring, "#12 -- lists:\n\n* one\n  -- two");
});

test("a long list of constants is complete", async () => {
	const names = Array.from({ length: 1_200 }, (_, index) => `\tE${index} = ${index}`);
	const found = await symbolsOf("a.go", `package a\n\nconst (\n${names.join("\n")}\n)\n`);
	assert.equal(found.at(-1), "constant E1199");
});

test("a default case does not count as a branch, just like an else", async () => {
	const branches = async (path: string, text: string): Promise<number[]> =>
		(await parseFile(path, text)).chunks.flatMap(({ facts }) => facts?.branches ?? []).filter((count) => count > 0);
	assert.deepEqual(
		await branches("a.c", "int f(int a) {\n  switch (a) { case 1: return 1; default: return 2; }\n}\n"),
		[1],
	);
	assert.deepEqual(
		await branches(
			"A.java",
			"class A {\n  int f(int a) {\n    return switch (a) { case 1 -> 1; default -> 2; };\n  }\n}\n",
		),
		[1],
	);
	assert.deepEqual(
		await branches(
			"a.cs",
			"class A {\n  int f(int a) {\n    switch (a) { case 1: return 1; default: return 2; }\n  }\n}\n",
		),
		[1],
	);
	assert.deepEqual(
		await branches(
			"a.swift",
			"func f(a: Int) -> Int {\n  switch a {\n  case 1: return 1\n  default: return 2\n  }\n}\n",
		),
		[1],
	);
	assert.deepEqual(await branches("a.kt", "fun f(a: Int) = when (a) {\n  1 -> 1\n  else -> 2\n}\n"), [1]);
});

test("a variable declared after the body of its type is found on its line", async () => {
	const file = await parsed(
		"a.cc",
		"static struct Timer {\n  Timer() { start(); }\n} timer;\nstruct Point {\n  int x;\n} first, last;\nint after;\n",
	);
	assert.deepEqual(symbols(file), [
		...["1 struct Timer", "3 variable timer", "5 property x"],
		...["6 variable first", "6 variable last", "7 variable after"],
	]);
});

test("a macro call without a semicolon does not hide the code after it", async () => {
	const file = await parsed("a.cc", "DEFINE_OP(Less, <)\nDEFINE_OP(Same, ==)\n\nint one() {\n  return 1;\n}\n");
	assert.deepEqual(named(file), ["4-6 function one"]);
});

test("a function inside another is a symbol in C#, and a function expression by its own name", async () => {
	const cs =
		"class A {\n    int Outer(int x) {\n        int Inner(int y) { return y; }\n        return Inner(x);\n    }\n}\n";
	assert.deepEqual(symbols(await parsed("a.cs", cs)), ["3 function Inner"]);
	const ts = `export function start(): void {
	router.get("/", async function listUsers(req, res) {
		res.send(1);
	});
	const named: Fn = function own() {};
	const same = function same() {};
}
export const api = { load: function load() {} };
`;
	assert.deepEqual(symbols(await parsed("a.ts", ts)), [
		...["2 function listUsers", "5 function named", "5 function own", "6 function same"],
		...["8 variable api", "8 method load"],
	]);
});

test("a test of Boost has the name given to its macro", async () => {
	const { chunks } = await parsed("a.cpp", "BOOST_AUTO_TEST_CASE(adds_numbers)\n{\n  BOOST_CHECK(1);\n}\n");
	assert.deepEqual([chunks[0]?.kind, chunks[0]?.name], ["test", "adds_numbers"]);
});

test("an entry that is set in a list or map is no name", async () => {
	const python = await parsed("a.py", 'os.environ["A"] = "b"\nsys.modules[__name__] = x\nFoo.bar = 3\n');
	assert.deepEqual(symbols(python), ["3 variable bar"]);
	assert.deepEqual(python.exports, ["bar"]);
	assert.deepEqual(symbols(await parsed("a.lua", "t[1] = 3\nt.x = 4\n")), ["2 variable x"]);
	assert.deepEqual(symbols(await parsed("a.sh", "map[a]=1\nlist=(1 2)\n")), ["2 variable list"]);
});

test("a mark of Swift is no part of what is thrown, nor Python's star part of a base class", async () => {
	const swift = await chunk("a.swift", "func f() throws {\n    throw error!\n}\n", "f");
	assert.deepEqual(swift.facts?.throws, ["error"]);
	const python = await chunk("a.py", "class A(B, *bases):\n    pass\n", "A");
	assert.deepEqual(python.facts?.extends, ["B"]);
});

const QUOTED = [
	["a.swift", "func use(k: Kind) {\n    if k == .`default` { `repeat`(`in`) }\n    Kind.`self`.run()\n}\n"],
	["a.kt", "fun use(k: Kind) {\n    if (k == Kind.`default`) { `repeat`(`in`) }\n    Kind.`self`.run()\n}\n"],
	["a.scala", "def use(k: Kind): Unit = {\n  if (k == Kind.`default`) { `repeat`(`in`) }\n  Kind.`self`.run()\n}\n"],
] as const;

for (const [path, text] of QUOTED) {
	test(`a name is the one without the backticks around it, in ${path}`, async () => {
		const { facts } = await chunk(path, text, "use");
		for (const name of ["repeat", "run", "Kind.self.run"]) assert.ok(facts?.calls?.includes(name), name);
		for (const name of ["default", "in"]) assert.ok(facts?.uses?.includes(name), name);
		assert.deepEqual(facts?.reads, ["k", ...(path === "a.swift" ? ["in", "Kind"] : ["Kind", "in"])]);
	});
}

test("what is assigned to a name in backticks is written to the name", async () => {
	const { facts } = await chunk(
		"a.swift",
		"func f(`in`: Int) {\n    let `default` = `in`\n    self.`class` = 1\n}\n",
		"f",
	);
	assert.deepEqual(
		[facts?.params, facts?.writes, facts?.mutates, facts?.aliases],
		[["in"], ["default"], ["self.class"], ["default=in"]],
	);
});
