import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { locateValue } from "../../src/json/pointer.ts";

const TEXT = '{\n  "a": [1, {"b/c": "x\\"]"}],\n  "é": true, "a": [null,\n    {"d": [] }]\n}\n';

test("a value's line and column are where it begins; of repeated members the last counts", () => {
	assert.deepEqual(locateValue(TEXT, ""), { line: 1, column: 1 });
	assert.deepEqual(locateValue(TEXT, "/é"), { line: 3, column: 8 });
	assert.deepEqual(locateValue(TEXT, "/a/1/d"), { line: 4, column: 11 });
	assert.deepEqual(locateValue('[{"b/c": "x\\"]"}, 2]', "/0/b~1c"), { line: 1, column: 10 });
	assert.deepEqual(locateValue('[{"b/c": "x\\"]"}, 2]', "/1"), { line: 1, column: 19 });
	assert.equal(locateValue(TEXT, "/zzz"), undefined);
	assert.equal(locateValue(TEXT, "no pointer"), undefined);
});

test("the last item of any array is found, whatever the items", () => {
	fc.assert(
		fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 6 }), fc.constantFrom(0, 2), (items, indent) => {
			const text = JSON.stringify([...items, "the end"], null, indent);
			const at = locateValue(text, `/${items.length}`);
			const line = text.split("\n")[(at?.line ?? 0) - 1] ?? "";
			assert.ok(
				[...line]
					.slice((at?.column ?? 0) - 1)
					.join("")
					.startsWith('"the end"'),
			);
		}),
	);
});
