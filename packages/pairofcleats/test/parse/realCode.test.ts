import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chunk } from "../../src/parse/chunk.ts";
import { parseFile } from "../../src/parse/parseFile.ts";

/** Chunks by qualified name; if there are several, the first one gets the symbols of all. */
async function chunksOf(path: string, text: string): Promise<Map<string, Chunk>> {
	const { chunks, parseErrors } = await parseFile(path, text);
	assert.deepEqual(parseErrors, []);
	const found = new Map<string, Chunk>();
	for (const chunk of chunks) {
		const first = found.get(chunk.qualifiedName) ?? { ...chunk, symbols: [] };
		found.set(chunk.qualifiedName, { ...first, symbols: [...(first.symbols ?? []), ...(chunk.symbols ?? [])] });
	}
	return found;
}

function symbolsOf(chunks: Map<string, Chunk>, name: string): string[] {
	return (chunks.get(name)?.symbols ?? []).map((symbol) => `${symbol.kind} ${symbol.name}:${symbol.line}`);
}

test("a trailing comment and a decorator of a field do not belong to the code below", async () => {
	const chunks = await chunksOf(
		"a.ts",
		`class Card {
  /** first */
  size = 1; // why
  open() {
    return 1;
  }
  @Input() title: string;
  close() {
    return 2;
  }
}
`,
	);
	assert.deepEqual(symbolsOf(chunks, "Card"), ["property size:3", "property title:7"]);
	const open = chunks.get("Card.open");
	const close = chunks.get("Card.close");
	assert.deepEqual([open?.startLine, open?.endLine, open?.facts?.docstring], [4, 6, undefined]);
	assert.deepEqual([close?.startLine, close?.endLine, close?.facts?.decorators], [8, 10, []]);
});

test("every name in a declaration of several names is found", async () => {
	const go = await chunksOf("a.go", "package a\n\nconst (\n\tA = iota\n\tB\n\tC\n)\n\nvar x, y = 1, 2\n");
	assert.deepEqual([go.get("A")?.startLine, go.get("A")?.endLine], [3, 7]);
	assert.deepEqual(symbolsOf(go, "A"), ["constant B:5", "constant C:6"]);
	assert.deepEqual(symbolsOf(go, ""), ["variable x:9", "variable y:9"]);
	const types = await chunksOf(
		"b.go",
		"package a\n\ntype (\n\tA struct {\n\t\tx int\n\t}\n\tB struct {\n\t\ty int\n\t}\n)\n",
	);
	assert.deepEqual(
		["A", "B"].map((name) => [types.get(name)?.startLine, types.get(name)?.endLine]),
		[
			[4, 6],
			[7, 9],
		],
	);
	const { exports } = await parseFile("a.c", "int a, *b, c[3];\ntypedef struct node { int v; } node_t, *node_p;\n");
	assert.deepEqual(exports, ["a", "b", "c", "node_t"]);
	const swift = await chunksOf(
		"a.swift",
		"enum Kind {\n    case a, b\n}\nprotocol Named { var name: String { get } }\n",
	);
	assert.deepEqual(symbolsOf(swift, "Kind"), ["property a:2", "property b:2"]);
	assert.deepEqual(symbolsOf(swift, "Named"), ["property name:4"]);
});

test("a C++ definition outside its class is named by class and member", async () => {
	const chunks = await chunksOf(
		"a.cc",
		`template <typename T>
int Box<T>::size() const { return n_; }
ns::Box::Box(int n) : n_(n) {}
ns::Box::~Box() {}
bool ns::operator<(const A& a, const B& b) { return true; }
struct Flag { operator bool() const { return on; } };
std::ostream& operator<<(std::ostream& os, const Box& b) { return os; }
auto all(int a) -> std::vector<int> { return {}; }
auto twice = [](int x) { return x * 2; };
TEST(BoxTest, Works) {
  EXPECT_EQ(1, 1);
}
`,
	);
	assert.deepEqual(
		[...chunks].map(([name, { kind }]) => `${kind} ${name}`),
		[
			"method Box.size",
			"constructor ns.Box.Box",
			"method ns.Box.~Box",
			"method ns.operator<",
			"struct Flag",
			"function operator<<",
			"function all",
			"function twice",
			"test BoxTest.Works",
		],
	);
	assert.deepEqual(symbolsOf(chunks, "Flag"), ["method operator bool:6"]);
	assert.equal(chunks.get("operator<<")?.facts?.returnType, "std::ostream&");
	assert.equal(chunks.get("all")?.facts?.returnType, "std::vector<int>");
	assert.deepEqual(chunks.get("twice")?.facts?.params, ["x"]);
});

test("macros in capitals around C declarations do not change them", async () => {
	const chunks = await chunksOf(
		"a.c",
		`CORE_BEGIN_DECLS
CORE_API int open_it(const char *name CORE_NONNULL)
{
  return 1;
}
CORE_EXTERN struct box *make_box(void) CORE_WARN_UNUSED;
CORE_BEGIN_DECLS
`,
	);
	assert.equal(chunks.get("open_it")?.facts?.returnType, "int");
	assert.deepEqual(chunks.get("open_it")?.facts?.params, ["name"]);
	assert.deepEqual(symbolsOf(chunks, ""), ["function make_box:6"]);
});

test("a pointer is distinguished from what it points to", async () => {
	const chunks = await chunksOf("a.c", "void f(int *q, struct box *r) {\n  int *p = q;\n  *q = 3;\n  (*r).z = 4;\n}\n");
	assert.deepEqual(chunks.get("f")?.facts?.writes, ["p"]);
	assert.deepEqual(chunks.get("f")?.facts?.mutates, ["q", "r.z"]);
	assert.deepEqual(chunks.get("f")?.facts?.aliases, ["p=q"]);
});

test("a Python comparison is a returned value, and each target of an assignment counts", async () => {
	const chunks = await chunksOf(
		"a.py",
		`from __future__ import annotations
def same(a: int, b): return a == b
def swap(self):
    self.a, self.b = self.b, self.a
    del self.x[0], self.y[1]
type Names = list[str]
twice = lambda n: n * 2
`,
	);
	assert.equal(chunks.get("same")?.facts?.returns, true);
	assert.deepEqual(chunks.get("same")?.facts?.reads, ["a", "b"]);
	assert.deepEqual(chunks.get("swap")?.facts?.mutates, ["self.a", "self.b", "self.x[]", "self.y[]"]);
	assert.deepEqual(chunks.get("")?.facts?.imports, ["__future__"]);
	assert.deepEqual(symbolsOf(chunks, "Names"), []);
	assert.equal(chunks.get("twice")?.facts?.returns, true);
});

test("Go results are not parameters", async () => {
	const chunks = await chunksOf("a.go", "package a\n\nfunc Div(a, b int, _ string) (q int, err error) { return }\n");
	assert.deepEqual(chunks.get("Div")?.facts?.params, ["a", "b"]);
});

test("a Rust impl of a short generic type is found, and lifetimes are not names", async () => {
	const chunks = await chunksOf(
		"a.rs",
		`impl<'a, T: Clone> Db<'a, T> {
    pub(in crate::x) fn find(&self) -> Option<T> { if let Some(y) = self.z { return Some(y) } None }
}
pub trait Shape: Send + 'static { type Item; }
`,
	);
	assert.equal(chunks.get("Db")?.kind, "impl");
	assert.equal(chunks.get("Db.find")?.facts?.visibility, "internal");
	assert.deepEqual(chunks.get("Db.find")?.facts?.writes, ["y"]);
	assert.deepEqual(chunks.get("Shape")?.facts?.extends, ["Send"]);
	assert.deepEqual(symbolsOf(chunks, "Shape"), ["type Item:4"]);
	assert.deepEqual(chunks.get("Shape")?.facts?.uses, ["Send"]);
});

test("all declared exceptions of a Java method are thrown, and annotations are not part of a signature", async () => {
	const chunks = await chunksOf("A.java", "class A {\n  @Deprecated void f() throws IOException, A.Bad { g(); }\n}\n");
	assert.deepEqual(chunks.get("A.f")?.facts?.throws, ["IOException", "A.Bad"]);
	assert.equal(chunks.get("A.f")?.facts?.signature, "void f() throws IOException, A.Bad");
	assert.deepEqual(chunks.get("A.f")?.facts?.decorators, ["Deprecated"]);
});

test("Kotlin extensions belong to their receiver, and default values are not parameters", async () => {
	const chunks = await chunksOf(
		"a.kt",
		`fun interface Sink {
    fun take(x: Int): Boolean
}
fun <T> List<T>.second(): T = this[1]
fun screen(modifier: Modifier = Modifier) { x!!.go(); n++ }
val twice = { n: Int -> n * 2 }
class A(val id: Int) : Base(), Face by impl { companion object Keys }
fun \`reads a name\`() { go() }
`,
	);
	assert.equal(chunks.get("Sink")?.kind, "interface");
	assert.equal(chunks.get("List.second")?.kind, "function");
	assert.deepEqual(chunks.get("screen")?.facts?.params, ["modifier"]);
	assert.deepEqual(chunks.get("screen")?.facts?.writes, ["n"]);
	assert.equal(chunks.get("twice")?.kind, "function");
	assert.deepEqual(chunks.get("A")?.facts?.extends, ["Base", "Face"]);
	assert.deepEqual(symbolsOf(chunks, "A"), ["property id:7", "class Keys:7"]);
	assert.equal(chunks.get("reads a name")?.kind, "function");
});

test("C# indexers, conversions, destructors and records are found, and x! is not an assignment", async () => {
	const chunks = await chunksOf(
		"a.cs",
		`class Box {
    public int this[int i] => i;
    public static implicit operator int(Box b) => 1;
    ~Box() { Close(); }
    public int Full
    {
        get { return x; }
    }
    async Task F() { --n; y!.Go(); await db.Find(1).ConfigureAwait(false); }
}
record Point(int X, int Y);
record struct Size(int W);
`,
	);
	assert.equal(chunks.get("Box.~Box")?.kind, "method");
	assert.equal(chunks.get("Box.operator int")?.facts?.returnType, "int");
	assert.equal(chunks.get("Box.Full")?.facts?.signature, "public int Full");
	assert.deepEqual(chunks.get("Box.F")?.facts?.writes, ["n"]);
	assert.deepEqual(chunks.get("Box.F")?.facts?.awaits, ["db.Find.ConfigureAwait"]);
	assert.deepEqual(chunks.get("Point")?.facts?.params, ["X", "Y"]);
	assert.equal(chunks.get("Size")?.kind, "struct");
	assert.ok(chunks.get("Box.F")?.facts?.uses?.includes("Task"));
});

test("Ruby knows accessors, tests, operators and what is private inside class << self", async () => {
	const chunks = await chunksOf(
		"a.rb",
		`class Box
  attr_accessor :name, :age
  class << self
    private

    def build
      new
    end
  end

  def <=>(other)
    @list << other
  end
end
RSpec.describe Box do
  it "works" do
    expect(1).to eq(1)
  end
end
`,
	);
	assert.deepEqual(symbolsOf(chunks, "Box"), ["property name:2", "property age:2"]);
	assert.equal(chunks.get("Box.build")?.facts?.visibility, "private");
	assert.deepEqual(chunks.get("Box.<=>")?.facts?.mutates, ["@list"]);
	assert.equal(chunks.get("Box.<=>")?.facts?.visibility, "public");
	assert.equal(chunks.get("Box.works")?.kind, "test");
});

test("PHP attributes are separate, promoted parameters are properties, and class names count as used", async () => {
	const chunks = await chunksOf(
		"a.php",
		`<?php
#[Entity(table: "x")]
#[Cached]
class User extends Model
{
    use SoftDeletes;
    public function __construct(private Repo $repo)
    {
        foreach ($repo->all() as $id => $row) { Log::write($row); }
    }
}
`,
	);
	assert.deepEqual(chunks.get("User")?.facts?.decorators, ['Entity(table: "x")', "Cached"]);
	assert.deepEqual(chunks.get("User")?.facts?.uses, ["Model", "SoftDeletes"]);
	assert.deepEqual(symbolsOf(chunks, "User.__construct"), ["property repo:7"]);
	assert.deepEqual(chunks.get("User.__construct")?.facts?.writes, ["id", "row"]);
	assert.ok(chunks.get("User.__construct")?.facts?.uses?.includes("Log"));
});

test("Scala 3 members have the right end, and type parameters are not parameters", async () => {
	const text = `import scala.collection.mutable.{Map => MMap, _}

enum Color:
  case Red
  case Green, Blue

object Main:
  def run[F[_]: Monad](a: Int)(using b: Int): Int =
    a + b
  def top = 1

  private[x] def near = 2
`;
	const chunks = await chunksOf("a.scala", text);
	assert.deepEqual(symbolsOf(chunks, "Color"), ["property Red:4", "property Green:5", "property Blue:5"]);
	assert.deepEqual([chunks.get("Main.run")?.startLine, chunks.get("Main.run")?.endLine], [8, 9]);
	assert.deepEqual(chunks.get("Main.run")?.facts?.params, ["a", "b"]);
	assert.equal(chunks.get("Main.top")?.facts?.returns, true);
	assert.equal(chunks.get("Main.near")?.facts?.visibility, "internal");
	const { imports } = await parseFile("a.scala", text);
	assert.deepEqual(imports, ["scala.collection.mutable.Map", "scala.collection.mutable._"]);
});

test("TypeScript enums, parameter properties, required modules and wrapped components are found", async () => {
	const chunks = await chunksOf(
		"a.tsx",
		`import lib = require("lib");
enum Color { Red = 1, Green }
class Api {
  constructor(private readonly http: Http, { a, b: [c], d = 1 }: Options = {}, ...rest: string[]) {
    use(rest);
  }
}
export const Row = memo(({ value }: Props) => {
  return <li>{value}</li>;
});
const add = (a: number) => a + 1;
declare module "virtual:x" {
  export function helper(): Map<string, Foo.Bar>;
}
`,
	);
	assert.deepEqual(chunks.get("")?.facts?.imports, ["lib"]);
	assert.deepEqual(symbolsOf(chunks, "Color"), ["property Red:2", "property Green:2"]);
	assert.deepEqual(symbolsOf(chunks, "Api.constructor"), ["property http:4"]);
	assert.deepEqual(chunks.get("Api.constructor")?.facts?.params, ["http", "a", "c", "d", "rest"]);
	assert.deepEqual(chunks.get("Api.constructor")?.facts?.reads, ["rest"]);
	assert.equal(chunks.get("Row")?.kind, "function");
	assert.deepEqual(chunks.get("Row")?.facts?.params, ["value"]);
	assert.equal(chunks.get("add")?.facts?.returns, true);
	assert.deepEqual(chunks.get("virtual:x.helper")?.facts?.uses, ["Map", "Foo", "Bar"]);
});

test("a shell function keeps the colons of its name", async () => {
	const chunks = await chunksOf("a.sh", "ns::run() {\n  echo 1\n}\n");
	assert.equal(chunks.get("ns::run")?.name, "ns::run");
});

test("SQL statements outside definitions, and in quoted bodies, read and write tables", async () => {
	const { chunks } = await parseFile(
		"a.sql",
		`CREATE TABLE users (
  id int PRIMARY KEY,
  email text,
  CONSTRAINT fk FOREIGN KEY (id) REFERENCES people(id)
);
CREATE FUNCTION touch() RETURNS void AS $$
BEGIN
  UPDATE public.users SET email = 'a;b';
END;
$$ LANGUAGE plpgsql;
DELETE FROM sessions WHERE id IN (SELECT id FROM users);
`,
	);
	assert.deepEqual(
		chunks[0]?.symbols?.map(({ name, line }) => `${name}:${line}`),
		["id:2", "email:3"],
	);
	assert.deepEqual(chunks[1]?.facts?.writes, ["public.users"]);
	assert.deepEqual(chunks[2]?.facts, { reads: ["users"], writes: ["sessions"] });
});

test("items inside a Rust cfg macro are declared as if they were outside", async () => {
	const chunks = await chunksOf(
		"a.rs",
		`cfg_net! {
    pub struct Socket;

    impl Socket {
        cfg_unix! {
            pub fn open(&self) -> u32 {
                3
            }
        }
    }
}
cfg_io! {
    pub trait Reads: Buffered {
        fn line(&self) -> u32 {
            1
        }
    }
}
`,
	);
	assert.equal(chunks.get("Reads.line")?.kind, "method");
	const open = chunks.get("Socket.open");
	assert.deepEqual([open?.kind, open?.startLine, open?.endLine], ["method", 6, 8]);
});
