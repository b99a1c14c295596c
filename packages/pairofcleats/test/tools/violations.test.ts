import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolName } from "../../src/registry/registry.ts";
import { validateArguments } from "../../src/tools/validateArguments.ts";

const TWO = "modifiedSince: expected a number from 0, got -1; async: expected true or false, got 1";
const DAYS = "expected a number of days (modifiedAfter takes a date)";
const DATE = "expected a date such as 2026-01-31 (modifiedSince takes days)";
const STATUS = 'status: expected one of fix, accept, defer, false_positive, not_affected, got "maybe"';

test("a schema error names the field, the expectation and the value", () => {
	for (const [tool, args, says] of [
		["search", [], "arguments: expected an object, got []"],
		["search", {}, "query: expected a non-empty string, got nothing"],
		["search", { query: "" }, 'query: expected a non-empty string, got ""'],
		["search", { query: "x", context: -1 }, "context: expected a number from 0, got -1"],
		["search", { query: "x", top: "3" }, 'top: expected a whole number, got "3"'],
		["search", { query: "x", path: [1] }, "path.0: expected a string, got 1"],
		["search", { query: "x", returnTypes: "y" }, "returnTypes: no such argument; did you mean returnType?"],
		["search", { query: "x", limit: 5 }, "limit: no such argument; did you mean top?"],
		["search", { query: "x", modifiedSince: -1, async: 1 }, TWO],
		["search", { query: "x", modifiedSince: "2 weeks" }, `modifiedSince: ${DAYS}, got "2 weeks"`],
		["search", { query: "x", modifiedAfter: 7 }, `modifiedAfter: ${DATE}, got 7`],
		["build_index", { mode: "code" }, 'mode: expected nothing, as it is reserved, got "code"'],
		["triage_decision", { finding: "f", status: "maybe" }, STATUS],
	] as const)
		assert.throws(() => validateArguments(tool satisfies ToolName, args), { code: "INVALID_REQUEST", message: says });
});

test("a hundred thousand unknown arguments are refused quickly", { timeout: 120_000 }, () => {
	const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`returnType${index}`, 1]));
	assert.throws(() => validateArguments("search", { query: "x", ...many }), { code: "INVALID_REQUEST" });
});
