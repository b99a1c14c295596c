import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTreeColumns, widenColumns } from "../../../src/parse/tree/flatTree.ts";

test("columns grow with their content, and those of a huge tree are released", () => {
	let columns = makeTreeColumns();
	columns.parent[7] = 11;
	for (let round = 0; round < 4; round++) columns = widenColumns();
	assert.equal(columns.type.length, 1 << 20);
	assert.equal(columns.parent[7], 11);
	assert.equal(makeTreeColumns().type.length, 1 << 18);
	assert.equal(makeTreeColumns(), makeTreeColumns(), "smaller ones are used again");
});
