import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const manifest = JSON.parse(readFileSync(new URL("requirements.json", import.meta.url), "utf8"));
const source = new URL("../../shared/requirements.json", import.meta.url);

const checklist = JSON.parse(readFileSync(new URL("checklist.json", import.meta.url), "utf8"));

void test("requirement ids are unique and each has a wording", () => {
	const rows: readonly { id: string; says: string }[] = [...manifest.rows, ...checklist.rows];
	assert.equal(new Set(rows.map((row) => row.id)).size, rows.length);
	assert.ok(rows.every((row) => row.says.length > 10));
	assert.ok(checklist.rows.every((row: { id: string }) => row.id.startsWith("mcp-")));
});

void test("the manifest has every id of the specifications' list, and promises of its own", {
	skip: existsSync(source) ? false : "the specifications are not beside this checkout",
}, () => {
	const theirs = JSON.parse(readFileSync(source, "utf8"));
	const pair = (row: { id: string; package: string }) => `${row.package} ${row.id}`;
	const ours = new Set(manifest.rows.map(pair));
	assert.deepEqual(
		theirs.map(pair).filter((row: string) => !ours.has(row)),
		[],
	);
});
