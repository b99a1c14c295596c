import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type JsonValue, measureDepth, measureTextDepth } from "../../src/json/jsonValue.ts";

test("text nests as deeply as the value it stands for, whatever its strings hold", () => {
	fc.assert(fc.property(fc.json(), (text) => measureTextDepth(text) === measureDepth(JSON.parse(text) as JsonValue)));
	for (const [text, depth] of [
		['"[{"', 0],
		['["\\"[","\\\\",{"]":[]}]', 3],
		[`${"[".repeat(50_000)}${"]".repeat(50_000)}`, 50_000],
	] as const)
		assert.equal(measureTextDepth(text), depth);
});
