import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { depthOf, depthOfText } from "../../src/json/depthOf.ts";
import type { JsonValue } from "../../src/json/jsonValue.ts";

test("text nests as deeply as the value it stands for, whatever its strings hold", () => {
	fc.assert(fc.property(fc.json(), (text) => depthOfText(text) === depthOf(JSON.parse(text) as JsonValue)));
	for (const [text, depth] of [
		['"[{"', 0],
		['["\\"[","\\\\",{"]":[]}]', 3],
		[`${"[".repeat(50_000)}${"]".repeat(50_000)}`, 50_000],
	] as const)
		assert.equal(depthOfText(text), depth);
});
