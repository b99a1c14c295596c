import assert from "node:assert/strict";
import { test } from "node:test";
import { readLines, readReports } from "../../src/triage/readReports.ts";

const MARK = "\uFEFF";

test("a byte order mark costs no report, in one JSON text and in JSON Lines", () => {
	const both = [
		{ index: 0, raw: { id: "A" } },
		{ index: 1, raw: { id: "B" } },
	];
	assert.deepEqual(readReports(`${MARK}{"id":"A"}\n{"id":"B"}\n`), both);
	assert.deepEqual(readReports(`${MARK}[{"id":"A"},{"id":"B"}]`), both);
});

test("a line of JSON Lines has its number in the file, whatever empty lines are before it", () => {
	assert.deepEqual(
		[...readLines('\n\n{"id":"A"}\n\n5\n')],
		[
			{ index: 0, raw: { id: "A" }, line: 3 },
			{ index: 1, problem: "expected an object, got 5", line: 5 },
		],
	);
});
