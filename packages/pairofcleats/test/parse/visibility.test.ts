import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFile } from "../../src/parse/parseFile.ts";
import { parsed } from "./soundFile.ts";

async function visibilities(path: string, text: string): Promise<Record<string, string | undefined>> {
	const { chunks } = await parseFile(path, text);
	const named = chunks.filter(({ kind }) => kind !== undefined && kind !== "block");
	return Object.fromEntries(named.map(({ qualifiedName, facts }) => [qualifiedName, facts?.visibility]));
}

test("what only its own C++ file can see is private: a static function, and all in a namespace without a name", async () => {
	const source = `static int local(int e) {
  return e;
}
namespace {
int hidden() {
  return 1;
}
}
namespace named {
int shown() {
  return 2;
}
}
`;
	assert.deepEqual(await visibilities("a.cpp", source), {
		local: "private",
		hidden: "private",
		named: "public",
		"named.shown": "public",
	});
	assert.deepEqual((await parseFile("a.cpp", source)).exports, ["named", "shown"]);
});

test("static says nothing of the visibility of a C++ member", async () => {
	assert.deepEqual(
		await visibilities(
			"a.cpp",
			`class A {
  static int hidden() {
    return 1;
  }
 public:
  static int shown() {
    return 1;
  }
};
`,
		),
		{ A: "public", "A.hidden": "private", "A.shown": "public" },
	);
});

test("a C++ member defined outside its class has the visibility of its declaration, or none without one", async () => {
	const source = `namespace n {
class A {
 public:
  A();
  void shown(int a);
 protected:
  void guarded();
 private:
  void hidden();
  void shown(char c);
};
A::A() {
  init();
}
void A::shown(int a) {
  go();
}
void A::guarded() {
  go();
}
void A::hidden() {
  go();
}
}
void Elsewhere::run() {
  go();
}
`;
	const { chunks, exports } = await parseFile("a.cpp", source);
	const methods = chunks.filter(({ kind }) => kind === "method" || kind === "constructor");
	assert.deepEqual(
		methods.map(({ qualifiedName, facts }) => [qualifiedName, facts?.visibility]),
		[
			["n.A.A", "public"],
			["n.A.shown", "public"],
			["n.A.guarded", "protected"],
			["n.A.hidden", "private"],
			["Elsewhere.run", undefined],
		],
	);
	assert.deepEqual(exports, ["n", "A", "shown", "run"]);
});

test("Ruby's private without names applies to methods of instances only", async () => {
	assert.deepEqual(
		await visibilities(
			"a.rb",
			`class A
  private

  def hidden
    1
  end

  def self.shown
    2
  end
end
`,
		),
		{ A: "public", "A.hidden": "private", "A.shown": "public" },
	);
});

test("a Scala class is as visible as the words before it say, not as its constructor", async () => {
	assert.deepEqual(
		await visibilities(
			"a.scala",
			`final class A private (x: Int) {
  def a = 1
}
class B private[pkg] (x: Int) {
  def a = 1
}
private class C protected () {
  def a = 1
}
private[pkg] class D(x: Int) {
  private def a = 1
}
`,
		),
		{
			A: "public",
			B: "public",
			C: "private",
			D: "internal",
			"A.a": "public",
			"B.a": "public",
			"C.a": "public",
			"D.a": "private",
		},
	);
});

test("a method is as visible as its Rust trait, and public where it implements one", async () => {
	assert.deepEqual(
		await visibilities(
			"a.rs",
			`trait Inner {
    fn inner(&self) -> i32 {
        1
    }
}
pub trait Outer {
    fn outer(&self) -> i32 {
        1
    }
}
impl Outer for Store {
    fn outer(&self) -> i32 {
        2
    }
}
impl Desk {
    fn hidden(&self) -> i32 {
        3
    }
}
`,
		),
		{
			Inner: "private",
			"Inner.inner": "private",
			Outer: "public",
			"Outer.outer": "public",
			Store: "private",
			"Store.outer": "public",
			Desk: "private",
			"Desk.hidden": "private",
		},
	);
});

test("members of a Swift extension are as visible as the extension, and those of a type are internal", async () => {
	assert.deepEqual(
		await visibilities(
			"a.swift",
			`public extension Store {
    func open() -> Int {
        return 1
    }
    private func hidden() -> Int {
        return 2
    }
}
private extension Desk {
    func close() -> Int {
        return 3
    }
}
public struct Shop {
    func sell() -> Int {
        return 4
    }
}
`,
		),
		{
			Store: "public",
			"Store.open": "public",
			"Store.hidden": "private",
			Desk: "private",
			"Desk.close": "private",
			Shop: "public",
			"Shop.sell": "internal",
		},
	);
});

test("the constructor of a Java enum is private without saying so", async () => {
	assert.deepEqual(
		await visibilities(
			"Color.java",
			`public enum Color {
    RED(1);

    Color(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
`,
		),
		{ Color: "public", "Color.Color": "private", "Color.code": "internal" },
	);
});

test("a friend is visible wherever in its C++ class it is defined", async () => {
	assert.deepEqual(
		await visibilities(
			"a.cpp",
			`class Point {
  friend std::ostream& operator<<(std::ostream& out, const Point& p) {
    return out << p.x;
  }
  int get() const {
    return x;
  }
};
`,
		),
		{ Point: "public", "Point.operator<<": "public", "Point.get": "private" },
	);
});

test("the title of a test says nothing about its visibility", async () => {
	const { chunks } = await parsed("a_spec.rb", 'describe "#foo" do\n  it "works" do\n    x\n  end\nend\n');
	assert.deepEqual([chunks[0]?.name, chunks[0]?.facts?.visibility], ["#foo", "public"]);
});
