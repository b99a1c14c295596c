import assert from "node:assert/strict";
import { test } from "node:test";
import { named, parsed, symbols } from "./soundFile.ts";

test("a Kotlin class with a soft keyword, such as value, keeps its annotations and members", async () => {
	const file = await parsed(
		"a.kt",
		`@Serializable
data class User(val id: Int)

@JvmInline
@Serializable(with = Codec::class)
value class Email(val text: String) {
    fun domain() = text
}
`,
	);
	assert.deepEqual(named(file), ["1-2 class User", "4-8 class Email", "7-7 method Email.domain"]);
	assert.deepEqual(file.chunks[1]?.facts?.decorators, ["JvmInline", "Serializable(with = Codec::class)"]);
});

test("Kotlin context parameters belong to the function after them", async () => {
	const file = await parsed(
		"a.kt",
		`context(log: Logger, tx: Transaction)
fun save(user: User): Int {
    return 1
}

context(Logger)
private suspend fun old() {
    log("x")
}
`,
	);
	assert.deepEqual(named(file), ["1-4 function save", "6-9 function old"]);
	assert.deepEqual(file.chunks[0]?.facts?.decorators, ["context(log: Logger, tx: Transaction)"]);
	assert.equal(file.chunks[1]?.facts?.visibility, "private");
});

test("an unnamed Kotlin companion has its default name, and a delegate hides no member", async () => {
	const file = await parsed(
		"a.kt",
		`class Store(private val db: Db, limit: Int = 3) : Base(db), Closeable by db {
    companion object {
        fun create(): Store = Store()
    }
    fun price() = $$"cost $5 $\${x}"
    fun last() = 1
}
`,
	);
	assert.deepEqual(named(file), [
		...["1-7 class Store", "2-4 class Store.Companion", "3-3 method Store.Companion.create"],
		...["5-5 method Store.price", "6-6 method Store.last"],
	]);
});

test("a Swift macro is a macro, and packs, actors and typed throws hide nothing", async () => {
	const file = await parsed(
		"a.swift",
		`@freestanding(expression)
public macro stringify<T>(_ value: T) -> (T, String) = #externalMacro(module: "M", type: "S")

final class Model<each T> {
    isolated deinit { close() }
    func run<each U>(_ x: repeat each U) async throws(any Error) -> Int {
        do throws(Failure) { try f() } catch { }
        return 1
    }
}
distributed actor Game {
    distributed func play() -> Int { 1 }
}
`,
	);
	assert.deepEqual(named(file), [
		...["1-2 macro stringify", "4-10 class Model", "5-5 method Model.deinit", "6-9 method Model.run"],
		...["11-13 class Game", "12-12 method Game.play"],
	]);
	assert.equal(file.chunks[0]?.facts?.signature, "public macro stringify<T>(_ value: T) -> (T, String)");
	assert.deepEqual(file.chunks[0]?.facts?.decorators, ["freestanding(expression)"]);
});

test("an assignment through `?.` in C# changes its target and keeps its method in the class", async () => {
	const file = await parsed(
		"A.cs",
		`class A {
    int?[] none = new int?[2];
    public void Set(User user, List<int> list) {
        user?.Name = user?.Old == null ? "a" : "b";
        list?[0] += 1;
        user?.Home?.Street ??= Find(user);
        if (user?.Age >= 3) { try { Go(); } catch { } }
    }
    public void After() { }
}
`,
	);
	assert.deepEqual(named(file), ["1-10 class A", "3-8 method A.Set", "9-9 method A.After"]);
	assert.deepEqual(file.chunks[1]?.facts?.mutates, ["user.Name", "list[]", "user.Home.Street"]);
});

test("members of a C# extension block belong to the class around it", async () => {
	const file = await parsed(
		"A.cs",
		`#:package Newtonsoft.Json@13
public static class Extensions
{
    extension<T>(IEnumerable<T> source)
    {
        public bool IsEmpty => !source.Any();
        public IEnumerable<T> Twice()
        {
            return source;
        }
    }
    extension(string text) {
        public int Size() => text.Length;
    }
    public static int Old(this string s) => 1;
}
public class Service(ILogger logger, IDb db) : Base(logger);
`,
	);
	assert.deepEqual(named(file), [
		...["2-16 class Extensions", "7-10 method Extensions.Twice", "13-13 method Extensions.Size"],
		...["15-15 method Extensions.Old", "17-17 class Service"],
	]);
	assert.deepEqual(symbols(file), ["6 property IsEmpty", "17 property logger", "17 property db"]);
});

test("Scala givens, extensions and package objects contain their members, and an end marker is not a chunk", async () => {
	const file = await parsed(
		"a.scala",
		`given Show[Int] with
  def show(a: Int): String = a.toString

extension [T](xs: List[T])
  def second: Option[T] =
    xs.drop(1).headOption
end extension

package object util {
  def help(): Unit = {}
}
object Id:
  val low, high = 1
  def apply(s: String): Id = s
end Id
`,
	);
	assert.deepEqual(named(file), [
		...["1-2 impl Show[Int]", "2-2 method Show[Int].show", "4-7 impl List", "5-6 method List.second"],
		...["9-11 module util", "10-10 function util.help", "12-15 class Id", "14-14 method Id.apply"],
	]);
	assert.deepEqual(symbols(file), ["13 property low", "13 property high"]);
	assert.equal(file.chunks.length, 8);
	assert.deepEqual(file.exports, ["util", "help", "Id"]);
});

test("Haskell operators include their equations, and every constructor and listed name is found", async () => {
	const file = await parsed(
		"A.hs",
		`(<+>) :: Maybe a -> a -> a
Nothing <+> y = y
Just x <+> _ = x

isOk, isBad :: Int -> Bool
isOk x = x > 0
a \`op\` b = a
data Expr :: Type -> Type where
  IntE :: Int -> Expr Int
newtype Id a = MkId { unId :: a }
type family Elem c where
  Elem [a] = a
pattern P x <- Foo x
go'' :: Int
go'' = 2
`,
	);
	assert.deepEqual(named(file), [
		...["1-3 function (<+>)", "5-6 function isOk", "7-7 function op", "8-9 struct Expr", "10-10 struct Id"],
		...["11-12 type Elem", "13-13 function P", "14-15 function go''"],
	]);
	assert.deepEqual(symbols(file), ["5 function isBad", "9 property IntE", "10 property MkId", "10 property unId"]);
});

test("the fields of Zig containers are properties, and imports are found", async () => {
	const file = await parsed(
		"a.zig",
		`const std = @import("std");
pub const Point = struct {
    x: f32 = 0,
    y: f32,
};
const Kind = enum { a, b };
`,
	);
	assert.deepEqual(symbols(file), [
		...["1 constant std", "3 property x", "4 property y", "6 enum Kind", "6 property a", "6 property b"],
	]);
	assert.deepEqual(file.imports, ["std"]);
});

test("each constructor and operator of a Dart class is found by its own name", async () => {
	const file = await parsed(
		"a.dart",
		`class Circle {
  const Circle(this.radius);
  Circle.unit() : this(1);
  factory Circle.fromJson(Map json) {
    return Circle(json['r']);
  }
  operator ==(Object o) => true;
}
enum Color { red, green }
typedef int Old(int a);
`,
	);
	assert.deepEqual(named(file), [
		...[
			"1-8 class Circle",
			"4-6 constructor Circle.fromJson",
			"7-7 method Circle.==",
			"9-9 enum Color",
			"10-10 type Old",
		],
	]);
	assert.deepEqual(symbols(file), [
		...["2 constructor Circle", "3 constructor unit", "9 property red", "9 property green"],
	]);
});

test("a Java module is found with its requirements, and a varargs component of a record is a property", async () => {
	const file = await parsed(
		"module-info.java",
		"/** The module. */\nopen module com.example.app {\n    requires transitive java.sql;\n}\n",
	);
	assert.deepEqual([named(file), file.imports], [["1-4 module com.example.app"], ["java.sql"]]);
	const record = await parsed("A.java", "record Circle(double radius, String... names) {}\n");
	assert.deepEqual(symbols(record), ["1 property radius", "1 property names"]);
});

test("a PHP attribute from the root namespace ends where its bracket does", async () => {
	const file = await parsed("a.php", "<?php\nclass A {\n    #[\\Override]\n    function f() { return 1; }\n}\n");
	assert.deepEqual(file.chunks.at(-1)?.facts?.decorators, ["\\Override"]);
});

test("CSS layers and containers contain their rules", async () => {
	const file = await parsed(
		"a.css",
		`@layer reset, base;
@layer base {
  html { color: red; }
}
@container (min-width: 400px) {
  .card { display: grid; }
}
@property --angle { syntax: "<angle>"; }
`,
	);
	assert.deepEqual(named(file), ["2-4 rule base", "5-7 rule (min-width: 400px)", "8-8 rule --angle"]);
	assert.deepEqual(symbols(file), ["3 rule html", "6 rule .card"]);
});

test("an accessor field is a property, whatever modifiers it has", async () => {
	const script = "class A {\n  static accessor x = 1;\n  accessor y\n  f() {\n    return accessor;\n  }\n}\n";
	const typed =
		"class A {\n  static accessor x = 1;\n  accessor y: string;\n  @obs() private static accessor z = 2;\n}\n";
	assert.deepEqual(symbols(await parsed("a.js", script)), ["2 property x", "3 property y"]);
	assert.deepEqual(symbols(await parsed("a.ts", typed)), ["2 property x", "3 property y", "4 property z"]);
});

test("a Dart extension type contains its members", async () => {
	const file = await parsed(
		"a.dart",
		`extension type const Id._(int value) implements int {
  Id.zero() : this._(0);
  bool get isNew {
    return value == 0;
  }
}
extension type Rows<T>(List<T> items) {
  int count() {
    return items.length;
  }
}
`,
	);
	assert.deepEqual(named(file), ["1-6 class Id", "3-5 method Id.isNew", "7-11 class Rows", "8-10 method Rows.count"]);
	assert.equal(file.chunks[0]?.facts?.signature, "extension type const Id._(int value) implements int");
	assert.deepEqual(file.chunks[0]?.facts?.implements, ["int"]);
});

test("declarations exported by a C++ module have the same kinds as elsewhere", async () => {
	const file = await parsed(
		"a.cpp",
		`export module shapes;
import std;
export namespace shapes {
int area() {
  return 1;
}
}
export class Point {
  int x;
  int norm() {
    return x;
  }
};
export int twice(int n);
export template <class T> T same(T value) {
  return value;
}
export {
int one() {
  return 1;
}
}
`,
	);
	assert.deepEqual(named(file), [
		"3-7 module shapes",
		"4-6 function shapes.area",
		"8-13 class Point",
		"10-12 method Point.norm",
		"15-17 function same",
		"18-22 function one",
	]);
	assert.deepEqual(symbols(file), ["1 module shapes", "9 property x", "14 function twice"]);
	assert.deepEqual(file.imports, ["std"]);
});

test("a Scala given with its members in braces ends at its brace", async () => {
	const { chunks } = await parsed(
		"Givens.scala",
		`object O {
  given a: Ord[Int] with {
    def c(a: Int) = a
  }
  def after(x: Int): Int = {
    x
  }
}
given ord[A](using B): Ord[A] with { def c(a: A) = a }
def top(a: Int): Int = a
`,
	);
	assert.deepEqual(
		chunks.map(({ kind, qualifiedName }) => `${kind} ${qualifiedName}`),
		["class O", "impl O.a", "method O.a.c", "method O.after", "impl ord", "function top"],
	);
});

test("syntax newer than the grammars of Kotlin, TypeScript and Swift is no error", async () => {
	await parsed("a.kt", "fun plain(n: Int) {\n    for (i in 0..<n) { work(i) }\n}\n");
	const { imports } = await parsed(
		"a.ts",
		'export type * from "./types";\nexport type * as NS from "./ns";\nimport defer * as lazy from "./lazy";\n',
	);
	assert.deepEqual(imports, ["./types", "./ns", "./lazy"]);
	const swift = await parsed(
		"a.swift",
		`func a(on actor: isolated (any Actor)? = nil) {
    let y = consume x
    use(consume y)
    switch try await load() {
    case .a: go()
    default: stop()
    }
}
`,
	);
	assert.deepEqual(swift.chunks[0]?.facts?.calls, ["use", "load", "go", "stop"]);
});

test("the newer syntax of Java is no error: module imports, a default among cases, a late call of a constructor", async () => {
	const file = await parsed(
		"A.java",
		`import module java.base;

class A extends B {
    A(int size) {
        check(size);
        super(size);
    }
    A() {
        if (ready) { go(); }
        this(3);
    }
    int at(Object o) {
        return switch (o) {
            case String s -> 1;
            case null, default -> 2;
        };
    }
}
`,
	);
	assert.deepEqual(file.imports, ["java.base"]);
	assert.deepEqual(
		file.chunks.slice(2).map(({ facts }) => facts?.calls),
		[["check", "super"], ["go", "this"], []],
	);
	assert.deepEqual(file.chunks.at(-1)?.facts?.reads, ["o"]);
});

test("the guard of a case in Kotlin hides no case", async () => {
	const { chunks } = await parsed(
		"a.kt",
		`fun rate(x: Any) = when (x) {
    is User if x.isAdmin -> log(x)
    Color.RED if (isBad(x)) -> 2
    else if x.isOld -> old(x)
    else -> none()
}
fun other(a: Boolean): Int {
    val made = if (a) { 1 } else null
    return if (a) run { it -> 1 } else 2
}
`,
	);
	assert.deepEqual(chunks[0]?.facts?.calls, ["log", "isBad", "old", "none"]);
	assert.equal(chunks[1]?.facts?.branches, 2);
});

test("newer parameters and ranges of C#, C++, C, Rust and Swift are no errors", async () => {
	const sharp = await parsed(
		"a.cs",
		"class A {\n    void Log(string a, params ReadOnlySpan<int> rest)\n    {\n    }\n}\n",
	);
	assert.deepEqual(sharp.chunks[1]?.facts?.params, ["a", "rest"]);
	const cpp = await parsed("a.cpp", "struct A {\n  void open(Options options = {}, T&& t = {}) { go(options); }\n};\n");
	assert.deepEqual(cpp.chunks[1]?.facts?.params, ["options", "t"]);
	const c = await parsed("a.c", "int f(int x) {\n  switch (x) { case 1 ... 3: return 1; }\n  return 0;\n}\n");
	assert.equal(c.chunks[0]?.facts?.branches, 1);
	const rust = await parsed(
		"a.rs",
		'unsafe extern "C" {\n    pub safe fn abs(x: i32) -> i32;\n    safe static SIZE: u8;\n}\n',
	);
	assert.deepEqual(symbols(rust), ["2 function abs", "3 variable SIZE"]);
	const swift = await parsed(
		"a.swift",
		'@freestanding(expression) public macro text<T>(_ v: T) -> String = #externalMacro(module: "M", type: "S")\n',
	);
	assert.deepEqual(named(swift), ["1-1 macro text"]);
});

test("a template with types before it is a call, in TypeScript and TSX", async () => {
	for (const path of ["a.ts", "a.tsx"]) {
		const { chunks } = await parsed(
			path,
			"const a = sql<User>`x`;\nconst b = await db.sql<{ id: number }[]>`y`;\nconst c = styled(Foo)<Props>`z`;\n",
		);
		assert.deepEqual(chunks[0]?.facts?.calls, ["sql", "db.sql", "styled"]);
		assert.deepEqual(chunks[0]?.facts?.awaits, ["db.sql"]);
	}
});

test("CSS newer than its grammar is no mistake, and its rules are named as written", async () => {
	const file = await parsed(
		"a.css",
		`@import url(../base.css) layer(base.x) supports((display: grid) and (gap: 1px));
a[rel="x" i] { background: url(../img/x.svg?v=2) no-repeat; --y: url( a/y.svg ); }
@media (min-width: 3px) and (width >= 600px) {
  .deep > .x {
    color: red;
  }
}
@media (400px <= width < 900px) {
  .range {
    color: red;
  }
}
@container side (width > 3px) {
  .inside {
    color: red;
  }
}
`,
	);
	assert.deepEqual(named(file), [
		"3-7 rule (min-width: 3px) and (width >= 600px)",
		"8-12 rule (400px <= width < 900px)",
		"13-17 rule (width > 3px)",
	]);
	assert.deepEqual(symbols(file), [
		'2 rule a[rel="x" i]',
		"2 property --y",
		"4 rule .deep > .x",
		"9 rule .range",
		"14 rule .inside",
	]);
	assert.deepEqual(file.imports, ["../base.css"]);
	assert.equal(
		file.chunks.find(({ startLine }) => startLine === 13)?.facts?.signature,
		"@container side (width > 3px)",
	);
});
