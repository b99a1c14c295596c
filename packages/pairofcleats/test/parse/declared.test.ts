import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParsedFile } from "../../src/parse/chunk.ts";
import { parsed, symbols } from "./soundFile.ts";

/** `3-7 function A.add` for each chunk with a name. */
function named({ chunks }: ParsedFile): string[] {
	return chunks
		.filter(({ name }) => name !== "")
		.map(({ startLine, endLine, kind, qualifiedName }) => `${startLine}-${endLine} ${kind} ${qualifiedName}`);
}

test("an Elixir function begins with its attributes, and its @doc is its documentation", async () => {
	const file = await parsed(
		"math.ex",
		`defmodule Math do
  import Enum, only: [map: 2]
  @timeout 5_000
  @typedoc "Two of a kind."
  @type pair(a) :: {a, a}
  @callback run(term) :: term

  @doc """
  Adds two numbers.
  """
  @spec add(integer, integer) :: integer
  def add(a, b), do: a + b

  @doc false
  @impl true
  def run(x), do: x

  defguard is_even(n) when rem(n, 2) == 0
  defdelegate size(list), to: Kernel, as: :length
end
`,
	);
	assert.deepEqual(named(file), [
		"1-6 module Math",
		"8-12 function Math.add",
		"14-16 function Math.run",
		"18-18 macro Math.is_even",
		"19-19 function Math.size",
	]);
	assert.deepEqual(symbols(file), ["3 constant timeout", "5 type pair", "6 function run"]);
	const add = file.chunks.find(({ name }) => name === "add");
	assert.equal(add?.facts?.docstring, "Adds two numbers.");
	assert.deepEqual(add?.facts?.decorators, ["spec add(integer, integer) :: integer"]);
	assert.equal(add?.facts?.signature, "def add(a, b), do: a + b");
	assert.deepEqual(file.imports, ["Enum"]);
	assert.ok(file.prose.some(({ text }) => text.includes("Adds two numbers.")));
});

test("an Elixir test is named by its whole title, also with a context argument", async () => {
	const file = await parsed(
		"math_test.exs",
		`defmodule MathTest do
  describe "adding" do
    test "two numbers makes a third", %{a: a} do
      assert a
    end
    test "nothing changes nothing" do
      assert true
    end
  end
end
`,
	);
	assert.deepEqual(named(file).slice(1), [
		"2-2 test MathTest.adding",
		"3-5 test MathTest.adding.two numbers makes a third",
		"6-8 test MathTest.adding.nothing changes nothing",
	]);
});

test("a destructuring declaration declares each of its names", async () => {
	const script = await parsed(
		"api.ts",
		`export const { useUser, b: useOther, ...rest } = createApi();
export const [first, { deep = fallback.name }] = pair;
const { inner } = first;
serve(({ body }) => {
	const { local } = body;
});
`,
	);
	assert.deepEqual(symbols(script), [
		...["1 variable useUser", "1 variable useOther", "1 variable rest", "2 variable first", "2 variable deep"],
		"3 variable inner",
	]);
	assert.deepEqual(script.exports, ["useUser", "useOther", "rest", "first", "deep"]);
	const python = await parsed("a.py", "RED, GREEN = range(2)\nself.x, (Y, Z) = 1, (2, 3)\n");
	assert.deepEqual(symbols(python), ["1 variable RED", "1 variable GREEN", "2 variable Y", "2 variable Z"]);
	const scala = await parsed("a.scala", "val (left, right) = split(1)\n");
	assert.deepEqual(symbols(scala), ["1 variable left", "1 variable right"]);
});

test("a destructuring assignment declares nothing", async () => {
	const file = await parsed(
		"a.js",
		'let width = 1,\n\theight = 2;\nif (tall) [width, height] = [height, width];\n({ c, d } = require("x"));\n',
	);
	assert.deepEqual(symbols(file), ["1 variable width", "2 variable height"]);
});

test("members of an inline type of a variable are not symbols", async () => {
	const file = await parsed(
		"a.ts",
		"let { rows }: { rows: string[]; other: number } = props();\ninterface P {\n\ta: 1;\n}\n",
	);
	assert.deepEqual(symbols(file), ["1 variable rows", "3 property a"]);
});

test("a parameter property can be optional", async () => {
	const file = await parsed("a.ts", "class A {\n\tconstructor(private a?: string, readonly b = 1, c?: number) {}\n}\n");
	assert.deepEqual(symbols(file), ["2 property a", "2 property b"]);
});

test("every name of a group of constants is exported, and a title of a test is not", async () => {
	const go = await parsed("a.go", "package a\n\nconst (\n\tRed = iota\n\tGreen\n\tblue\n)\n");
	assert.deepEqual(go.exports, ["Red", "Green"]);
	const ruby = await parsed("a_spec.rb", 'RSpec.describe User do\n  it "works" do\n    expect(1)\n  end\nend\n');
	assert.deepEqual(ruby.exports, []);
});

test("a table of test cases does not hide the title of a test", async () => {
	const file = await parsed(
		"a.test.ts",
		`test.each([
	["one", "a table that is longer than a name would be"],
])("adds %s", (name) => {
	check(name);
});
test.each(["x"])("short", () => {
	check();
});
`,
	);
	assert.deepEqual(named(file), ["1-5 test adds %s", "6-8 test short"]);
});

test("Pest tests are recognised", async () => {
	const file = await parsed(
		"a.php",
		`<?php
describe('cart', function () {
    it('adds a line', function () {
        expect(true)->toBeTrue();
    });
});
test('is empty', fn () => expect([])->toBeEmpty());
`,
	);
	assert.deepEqual(named(file), ["2-2 test cart", "3-5 test cart.adds a line", "7-7 test is empty"]);
});

test("Ruby macros define the names they are given, and an alias only its new name", async () => {
	const file = await parsed(
		"user.rb",
		`class User
  alias_method :full_name, :name
  delegate :city,
    :street, to: :address
  has_many :posts, dependent: :destroy
  belongs_to :team
  scope :active, -> { where(active: true) }
end
`,
	);
	assert.deepEqual(symbols(file), [
		"2 method full_name",
		"3 method city",
		"4 method street",
		"5 property posts",
		"6 property team",
		"7 method active",
	]);
});

test("a Scala definition extends to its end marker, a given contains its members, and a test has its title", async () => {
	const file = await parsed(
		"a.scala",
		`given intShow: Show[Int] with
  def show(a: Int): String = a.toString

class Suite extends FunSuite:
  def twice(a: Int): Int =
    a + a
  end twice

  test("a title that is longer than any function's name"):
    assert(twice(1) == 2)

  test("braces") {
    assert("text" == "text")
  }
end Suite
`,
	);
	assert.deepEqual(named(file), [
		"1-1 impl intShow",
		"2-2 method intShow.show",
		"4-4 class Suite",
		"5-7 method Suite.twice",
		"9-10 test Suite.a title that is longer than any function's name",
		"12-14 test Suite.braces",
	]);
	assert.equal(file.chunks.find(({ name }) => name === "Suite")?.extentEndLine, 15);
});

test("a block of Terraform is named by its labels", async () => {
	const file = await parsed(
		"main.tf",
		`resource "aws_s3_bucket" "my-logs" {
  bucket = "x"
  lifecycle {
    prevent_destroy = true
  }
}
variable "region" {}
locals {
  a = 1
}
`,
	);
	assert.deepEqual(named(file), [
		"1-2 section resource.aws_s3_bucket.my-logs",
		"3-5 section resource.aws_s3_bucket.my-logs.lifecycle",
		"7-7 section variable.region",
		"8-10 section locals",
	]);
	assert.equal(file.chunks[0]?.name, "my-logs");
});

test("a short method of Dart is a chunk, a signature without a body and a field are symbols", async () => {
	const file = await parsed(
		"a.dart",
		`typedef Fn = void Function(int);
const kMost = 1;
abstract class A {
  final int size;
  static const least = 1;
  int get half => size ~/ 2;
  void later();
  int twice() {
    return size * 2;
  }
}
`,
	);
	assert.deepEqual(named(file), ["1-1 type Fn", "3-5 class A", "6-6 method A.half", "8-10 method A.twice"]);
	assert.deepEqual(symbols(file), ["2 constant kMost", "4 property size", "5 constant least", "7 method later"]);
});

test("the signature of a Haskell function ends before the equals sign", async () => {
	const { chunks } = await parsed("A.hs", "bound n\n  | n > 1 = go n\n  | otherwise = 2\n  where go m = m\n");
	assert.deepEqual([chunks[0]?.facts?.signature, chunks[0]?.endLine], ["bound n", 4]);
});

test("Swift test macros and TypeScript variance annotations are skipped", async () => {
	const swift = await parsed(
		"a.swift",
		"@Test func works() throws {\n    #expect(a == 1)\n    let b = try #require(c)\n}\n",
	);
	assert.deepEqual(swift.chunks[0]?.facts?.calls, ["expect", "require"]);
	const script = "export interface Source<\n\tout T = unknown,\n\tin out U extends object = {},\n> {\n\ta: T;\n}\n";
	assert.deepEqual(named(await parsed("a.ts", script)), ["1-6 interface Source"]);
});

test("an operator of Haskell keeps its name", async () => {
	const file = await parsed("A.hs", "(<+>) :: Int -> Int -> Int\nx <+> y = x\n");
	assert.deepEqual(named(file), ["1-2 function (<+>)"]);
});

test("the fields of a C structure are found wherever it is declared, and macros around them are skipped", async () => {
	const c = await parsed(
		"a.c",
		`struct header {
  int status;
  int flags;
} PACK;
static const struct entry {
  int key;
  int value;
} table[] = { { 1, 2 } };
enum { FIRST, SECOND };
typedef enum {
  OLD_SIZE CORE_DEPRECATED(7.55.0,
                           "Use NEW_SIZE")
    = 1,
  NEW_SIZE
} info;
CORE_EXTERN int CORE_DEPRECATED(7.56.0, "")
form_get(struct entry *form);
void f(void)
{
#define LOCAL_LIMIT 3
  struct { int inside; } x;
}
`,
	);
	assert.deepEqual(named(c), ["1-4 struct header", "5-8 variable table", "10-15 type info", "18-22 function f"]);
	assert.deepEqual(symbols(c), [
		...["2 property status", "3 property flags", "5 struct entry", "6 property key", "7 property value"],
		...["9 property FIRST", "9 property SECOND", "11 property OLD_SIZE", "14 property NEW_SIZE"],
		...["17 function form_get", "20 constant LOCAL_LIMIT", "21 property inside"],
	]);
	const cpp = await parsed(
		"a.cc",
		`CORE_FLAG(std::string, name, "a", "help");
void CORE_ATTRIBUTE_NOINLINE Run() {}
template <typename C>
CORE_CONSTEXPR_SINCE_CXX20 OutputIterator
copy_all(const C& c) {
  return c;
}
class CORE_LOCKABLE [[nodiscard]] Holder {};
#define CORE_ATTRIBUTE_CONST __attribute__((const))
`,
	);
	assert.deepEqual(named(cpp), ["2-2 function Run", "3-7 function copy_all", "8-8 class Holder"]);
	assert.deepEqual(symbols(cpp), ["9 constant CORE_ATTRIBUTE_CONST"]);
});

test("CommonJS exports are exported, and declared if they have no other name", async () => {
	const file = await parsed(
		"a.cjs",
		`function listed() {}
class Kept {}
function alone() {}
function hidden() {}
module.exports = { listed, Kept, other: 1, made() {}, ...rest };
exports.run = function () {};
exports.limit = 3;
module.exports.again = listed;
module.exports = alone;
exports.first = exports.second = void 0;
`,
	);
	assert.deepEqual(symbols(file), ["5 method made", "7 variable limit"]);
	assert.deepEqual(file.exports, [
		...["listed", "Kept", "other", "made", "run", "limit", "again", "alone", "first", "second"],
	]);
	assert.deepEqual(exported(file), ["listed", "Kept", "alone", "run"]);
});

test("a name exported after its declaration is exported", async () => {
	const file = await parsed(
		"a.jsx",
		"const App = () => {\n  return 1;\n};\nfunction named() {}\nfunction own() {}\nexport { named };\nexport default App;\n",
	);
	assert.deepEqual(exported(file), ["App", "named"]);
	const renamed = await parsed(
		"a.ts",
		`function one() {}
function two() {}
function three() {}
class Four {}
function zwei() {}
function other() {}
export { one, /* the second */ two as zwei, three as default, type Four as Five };
export { other, other as zwei } from "./other.ts";
`,
	);
	assert.deepEqual(exported(renamed), ["one", "two", "three", "Four"]);
	assert.deepEqual(renamed.exports, ["one", "zwei", "default", "Five", "other"]);
	const rust = await parsed(
		"a.rs",
		"#[macro_export]\nmacro_rules! shown { () => {}; }\nmacro_rules! own { () => {}; }\n",
	);
	assert.deepEqual([exported(rust), rust.exports], [["shown"], ["shown"]]);
});

function exported({ chunks }: ParsedFile): string[] {
	return chunks.filter(({ facts }) => facts?.exported === true).map(({ name }) => name);
}

test("items declared in a Rust macro's own syntax are found", async () => {
	const file = await parsed(
		"a.rs",
		`bitflags! {
    /// How it is opened.
    #[derive(Clone)]
    pub struct Mode: u32 {
        const READ = 0b1;
        const WRITE = 0b10;
    }
}
lazy_static! {
    static ref NAMES: Vec<String> = vec![];
}
thread_local!(static DEPTH: Cell<u32> = Cell::new(0));
fn f() {
    check!(struct Inner);
}
`,
	);
	assert.deepEqual(symbols(file), [
		...["4 struct Mode", "5 constant READ", "6 constant WRITE", "10 variable NAMES", "12 variable DEPTH"],
	]);
});

test("the parameters of a record are its properties, those of its methods are not", async () => {
	const csharp = await parsed("a.cs", "public record Point(int X, int Y)\n{\n    int F(int q) { return q; }\n}\n");
	assert.deepEqual(symbols(csharp), ["1 property X", "1 property Y"]);
	const java = await parsed("A.java", "record Point(int x, int y) {\n  int f(int q) { return q; }\n}\n");
	assert.deepEqual(symbols(java), ["1 property x", "1 property y"]);
	const scala = await parsed(
		"a.scala",
		"final case class P(a: Int, b: String)\nclass Q(c: Int, val d: Int, var e: Int)\n",
	);
	assert.deepEqual(symbols(scala), ["1 property a", "1 property b", "2 property d", "2 property e"]);
});

test("a Haskell function is its type and all its equations, a type its constructors and fields", async () => {
	const file = await parsed(
		"A.hs",
		`data Shape = Round | Square Int
data Point = At { left, top :: Int }
-- | Adds.
add :: Int -> Int
add 0 = 1
add n = n
size :: Int
size = 3
twice x = x
twice 2 = 3
class Named a where
  nameOf :: a -> String
`,
	);
	assert.deepEqual(named(file), [
		...["1-1 struct Shape", "2-2 struct Point", "3-6 function add", "7-8 function size", "9-10 function twice"],
		"11-12 trait Named",
	]);
	assert.deepEqual(symbols(file), [
		...["1 property Round", "1 property Square", "2 property At", "2 property left", "2 property top"],
		"12 method nameOf",
	]);
	const add = file.chunks.find(({ name }) => name === "add");
	assert.deepEqual([add?.facts?.signature, add?.facts?.docstring], ["add :: Int -> Int", "| Adds."]);
});

test("Ruby aliases, functions in Lua tables and R packages are found", async () => {
	const ruby = await parsed("a.rb", "class A\n  alias to_s name\n  alias :used? :taken?\nend\n");
	assert.deepEqual(symbols(ruby), ["2 method to_s", "3 method used?"]);
	const lua = await parsed("a.lua", "return {\n  run = function(a)\n    return a\n  end,\n  size = 1,\n}\n");
	assert.deepEqual(named(lua), ["2-4 function run"]);
	const r = await parsed("a.r", 'library(dplyr)\nlibrary("tidyr")\nf(g)\n');
	assert.deepEqual(r.imports, ["dplyr", "tidyr"]);
});

test("a Kotlin object with a delegate has the right end, and an actual parameter is a property", async () => {
	const file = await parsed(
		"a.kt",
		`class Safe actual constructor(
    internal actual val first: Int,
    @JvmField actual val second: Int
) {
    fun open() {
        val other = object : Closeable by inner {}
        use(other)
    }
    fun close() = 1
}
`,
	);
	assert.deepEqual(named(file), ["1-3 class Safe", "5-8 method Safe.open", "9-9 method Safe.close"]);
	assert.deepEqual(symbols(file), ["2 property first", "3 property second"]);
});

test("a self-closing HTML element is named by its id", async () => {
	const file = await parsed("a.html", '<form id="where">\n  <input id="city" type="text" />\n  <br />\n</form>\n');
	assert.deepEqual(symbols(file), ["2 element input#city"]);
});

test("a Scala class has the parameters after its annotation", async () => {
	const text = `@Singleton
class Home @Inject() (val cc: Components, db: Database)(implicit ec: Context) extends Controller(cc) {
  def index = 1
}
`;
	const file = await parsed("a.scala", text);
	assert.deepEqual(file.chunks[0]?.facts?.params, ["cc", "db", "ec"]);
	assert.deepEqual(symbols(file).slice(0, 1), ["2 property cc"]);
});
