import assert from "node:assert/strict";
import { test } from "node:test";
import { parsed } from "./soundFile.ts";

test("a method that Ruby is given by its name as a block is used", async () => {
	const { chunks } = await parsed(
		"a.rb",
		"def go(items, block)\n  items.map(&:name).each(&block).select(&:empty?)\nend\n",
	);
	assert.deepEqual(chunks[0]?.facts?.uses, ["items", "block", "name", "empty?"]);
});

test("an attribute that Ruby assigns is changed and not called, unless its old value is read", async () => {
	const { chunks } = await parsed(
		"a.rb",
		"def go(x)\n  self.name = x\n  x&.title = 1\n  self.a, x.b = 1, 2\n  self.count += 1\n  load(x).size = 2\nend\n",
	);
	const facts = chunks[0]?.facts;
	assert.deepEqual(facts?.calls, ["count", "self.count", "load"]);
	assert.deepEqual(facts?.mutates, ["self.name", "x&.title", "self.a", "x.b", "self.count", "load(x).size"]);
	for (const name of ["name", "title", "a", "b", "size"]) assert.ok(facts?.uses?.includes(name), name);
});
