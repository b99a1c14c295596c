import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createFault, FAULTS } from "../../src/up/controlSockets.ts";

const OPERATING = readFileSync(new URL("../../../../docs/operating.md", import.meta.url), "utf8");

test("the page for operators has one row for every fault of holdfast up, and no others", () => {
	const section = OPERATING.split("`holdfast up` adds:")[1]?.split("\n## ")[0] ?? "";
	const expected = Object.entries(FAULTS).map(
		([code, row]) => `| \`${code}\` | ${row.class} | ${row.retry} | ${row.when} |`,
	);
	assert.deepEqual(section.match(/^\| `.*$/gm), expected);
});

test("a fault has the class and the advice of its row", () => {
	const { class: kind, code, retry } = createFault("not_running", { detail: "notes has no process here" });
	assert.deepEqual([kind, code, retry], ["process", "not_running", "later"]);
});
