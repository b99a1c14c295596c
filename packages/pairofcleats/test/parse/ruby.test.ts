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
