import assert from "node:assert/strict";
import { test } from "node:test";
import { parsed, symbols } from "./soundFile.ts";

test("a field that only a Python constructor assigns is listed once", async () => {
	const file = await parsed(
		"a.py",
		`class A:
    size: int
    def __init__(self, size):
        self.size = size
        self.rows: list = []
        self._low, self.high = 1, 2
        if size:
            self.high = 3
        self.rows.last = 4
        def later():
            self.none = 1
    def other(self):
        self.neither = 1
class B:
    def __init__(self):
        self.size = 1
`,
	);
	assert.deepEqual(symbols(file), [
		...["2 property size", "5 property rows", "6 property _low", "6 property high", "10 function later"],
		"16 property size",
	]);
});

test("a field that only a JavaScript constructor assigns is listed once", async () => {
	const file = await parsed(
		"a.js",
		`class A {
  count = 1;
  constructor(x) {
    this.a = this.b = x;
    this.count = 3;
    this.run = function () {};
    this.list.push(1);
    on(() => { this.none = 1; });
  }
}
`,
	);
	assert.deepEqual(symbols(file), ["2 property count", "4 property a", "4 property b", "6 function run"]);
});

test("a variable that only a Ruby constructor assigns is listed, unless a reader is declared for it", async () => {
	const file = await parsed(
		"a.rb",
		"class A\n  attr_reader :a\n  def initialize(a)\n    @a = a\n    @b, @c = 1, 2\n    @d ||= 3\n  end\nend\n",
	);
	assert.deepEqual(symbols(file), ["2 property a", "5 property @b", "5 property @c", "6 property @d"]);
});
