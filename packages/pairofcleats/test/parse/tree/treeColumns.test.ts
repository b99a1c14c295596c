import assert from "node:assert/strict";
import { test } from "node:test";
import { treeColumns, widerColumns } from "../../../src/parse/tree/treeColumns.ts";

test("columns grow with their content, and those of a huge tree are released", () => {
	let columns = treeColumns();
	columns.parent[7] = 11;
	for (let round = 0; round < 4; round++) columns = widerColumns();
	assert.equal(columns.type.length, 1 << 20);
	assert.equal(columns.parent[7], 11);
	assert.equal(treeColumns().type.length, 1 << 18);
	assert.equal(treeColumns(), treeColumns(), "smaller ones are used again");
});
