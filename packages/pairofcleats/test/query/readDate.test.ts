import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readDate } from "../../src/query/request.ts";

test("a date without a time zone is in UTC, independent of the machine's zone", () => {
	assert.equal(readDate("2026-01-31"), Date.UTC(2026, 0, 31));
	assert.equal(readDate("2026-01"), Date.UTC(2026, 0, 1));
	assert.equal(readDate("2026"), Date.UTC(2026, 0, 1));
	assert.equal(readDate(" 2026-01-31T10:20 "), Date.UTC(2026, 0, 31, 10, 20));
	assert.equal(readDate("2026-01-31 10:20:30"), Date.UTC(2026, 0, 31, 10, 20, 30));
	assert.equal(readDate("2026-01-31T10:20:30+02:00"), Date.UTC(2026, 0, 31, 8, 20, 30));
	assert.equal(readDate("2024-02-29"), Date.UTC(2024, 1, 29));
});

test("an invalid day and a text with a number are not dates", () => {
	for (const text of [
		"2026-02-29",
		"2026-02-31",
		"2026-13-01",
		"2026-01-00",
		"2026-01-31T25:00",
		"last week 3",
		"1",
		"",
	])
		assert.equal(readDate(text), undefined, text);
});

test("every moment is read as it was written", () => {
	const moments = fc.date({ min: new Date("1970-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
	fc.assert(fc.property(moments, (moment) => readDate(moment.toISOString()) === moment.getTime()));
});
