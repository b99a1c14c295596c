import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { locate } from "../../src/json/locate.ts";

const TEXT = '{\n  "a": [1, {"b/c": "x\\"]"}],\n  "é": true, "a": [null,\n    {"d": [] }]\n}\n';

test("a value's line and column are where it begins; of repeated members the last counts", () => {
	assert.deepEqual(locate(TEXT, ""), { line: 1, column: 1 });
	assert.deepEqual(locate(TEXT, "/é"), { line: 3, column: 8 });
	assert.deepEqual(locate(TEXT, "/a/1/d"), { line: 4, column: 11 });
	assert.deepEqual(locate('[{"b/c": "x\\"]"}, 2]', "/0/b~1c"), { line: 1, column: 10 });
	assert.deepEqual(locate('[{"b/c": "x\\"]"}, 2]', "/1"), { line: 1, column: 19 });
	assert.equal(locate(TEXT, "/zzz"), undefined);
	assert.equal(locate(TEXT, "no pointer"), undefined);
});

test("the last item of any array is found, whatever the items", () => {
	fc.assert(
		fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 6 }), fc.constantFrom(0, 2), (items, indent) => {
			const text = JSON.stringify([...items, "the end"], null, indent);
			const at = locate(text, `/${items.length}`);
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
