import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const manifest = JSON.parse(readFileSync(new URL("requirements.json", import.meta.url), "utf8"));
const source = new URL("../../shared/requirements.json", import.meta.url);

void test("requirement ids are unique and each has a wording", () => {
	const ids = manifest.rows.map((row: { id: string }) => row.id);
	assert.equal(new Set(ids).size, ids.length);
	assert.ok(manifest.rows.every((row: { says: string }) => row.says.length > 10));
});

void test("the manifest has exactly the ids of the specifications' list", {
	skip: existsSync(source) ? false : "the specifications are not beside this checkout",
}, () => {
	const theirs = JSON.parse(readFileSync(source, "utf8"));
	const pair = (row: { id: string; package: string }) => `${row.package} ${row.id}`;
	assert.deepEqual(manifest.rows.map(pair).toSorted(), theirs.map(pair).toSorted());
});
