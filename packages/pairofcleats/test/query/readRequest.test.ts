import assert from "node:assert/strict";
import { test } from "node:test";
import { readSearchRequest } from "../../src/query/request.ts";

test("endlessly nested metadata is an error that names its field", () => {
	const metaJson = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
	for (const [field, value] of [
		["metaJson", metaJson],
		["meta", JSON.parse(metaJson)],
	] as const)
		assert.throws(() => readSearchRequest({ query: "x", [field]: value }), {
			message: `${field}: expected at most 100 objects within each other, got 101`,
		});
});

test("the error for days instead of a date, or a date instead of days, names the other argument", () => {
	for (const [field, value, says] of [
		["modifiedSince", "7d", 'a number of days (modifiedAfter takes a date), got "7d"'],
		["modifiedAfter", 7, "a date such as 2026-01-31 (modifiedSince takes days), got 7"],
	] as const)
		assert.throws(() => readSearchRequest({ query: "x", [field]: value }), { message: `${field}: expected ${says}` });
});

test("the error for a query that is too long gives the limit", () => {
	assert.equal(readSearchRequest({ query: "x".repeat(20_000) }).query.length, 20_000);
	for (const length of [20_001, 100_000])
		assert.throws(() => readSearchRequest({ query: "x".repeat(length) }), {
			message: `query: expected at most 20000 characters, got "${length} characters"`,
		});
});
