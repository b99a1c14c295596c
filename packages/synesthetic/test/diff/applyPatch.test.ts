import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyPatch, PatchProblem } from "../../src/diff/applyPatch.ts";
import type { JsonValue } from "../../src/json/jsonValue.ts";
import { parseJson } from "../../src/json/parseJson.ts";
import { stringifyJson } from "../../src/json/stringifyJson.ts";

const apply = (document: string, patch: string): string =>
	stringifyJson(applyPatch(parseJson(document), parseJson(patch)));

const CASES: readonly (readonly [says: string, document: string, patch: string, result: string])[] = [
	["adds a member", '{"a":1}', '[{"op":"add","path":"/b","value":2}]', '{"a":1,"b":2}'],
	["inserts into an array", "[1,3]", '[{"op":"add","path":"/1","value":2}]', "[1,2,3]"],
	["appends with -", "[1]", '[{"op":"add","path":"/-","value":2}]', "[1,2]"],
	["replaces the root", '{"a":1}', '[{"op":"replace","path":"","value":[1]}]', "[1]"],
	["removes an item", "[1,2,3]", '[{"op":"remove","path":"/1"}]', "[1,3]"],
	["moves a member", '{"a":{"b":1},"c":{}}', '[{"op":"move","from":"/a/b","path":"/c/d"}]', '{"a":{},"c":{"d":1}}'],
	["copies a member", '{"a":[1]}', '[{"op":"copy","from":"/a","path":"/b"}]', '{"a":[1],"b":[1]}'],
	["passes a test that holds", '{"a":1.0}', '[{"op":"test","path":"/a","value":1}]', '{"a":1}'],
	["reads escapes", '{"a/b":{"m~n":1}}', '[{"op":"replace","path":"/a~1b/m~0n","value":2}]', '{"a/b":{"m~n":2}}'],
	["keeps __proto__ as data", "{}", '[{"op":"add","path":"/__proto__","value":1}]', '{"__proto__":1}'],
	["tests a null", '{"a":null}', '[{"op":"test","path":"/a","value":null}]', '{"a":null}'],
	["moves a null", '{"a":null}', '[{"op":"move","from":"/a","path":"/b"}]', '{"b":null}'],
	["copies a null", "[null]", '[{"op":"copy","from":"/0","path":"/-"}]', "[null,null]"],
	["finds a null", '{"a":{"b":null}}', '[{"op":"remove","path":"/a/b"}]', '{"a":{}}'],
];

for (const [says, document, patch, result] of CASES) {
	test(`a patch ${says}`, () => assert.equal(apply(document, patch), result));
}

const REFUSED: readonly (readonly [says: string, document: string, patch: string, index: number])[] = [
	["removes what is not there", "{}", '[{"op":"remove","path":"/a"}]', 0],
	[
		"has a test that fails, after operations that would pass",
		"{}",
		'[{"op":"add","path":"/a","value":1},{"op":"test","path":"/a","value":2}]',
		1,
	],
	["goes past an array's end", "[1]", '[{"op":"add","path":"/2","value":1}]', 0],
	["writes an index with a leading zero", "[1,2]", '[{"op":"remove","path":"/01"}]', 0],
	["moves a value into itself", '{"a":{}}', '[{"op":"move","from":"/a","path":"/a/b"}]', 0],
	["has a path that is no pointer", "{}", '[{"op":"add","path":"a","value":1}]', 0],
	["has an operation nobody knows", "{}", '[{"op":"merge","path":"","value":1}]', 0],
	["is no array", "{}", "{}", -1],
];

for (const [says, document, patch, index] of REFUSED) {
	test(`a patch is refused as a whole when it ${says}`, () => {
		const before = parseJson(document);
		assert.throws(
			() => applyPatch(before, parseJson(patch)),
			(error: unknown) => error instanceof PatchProblem && error.index === index,
		);
		assert.equal(stringifyJson(before), stringifyJson(parseJson(document)));
	});
}

const TOLD: readonly (readonly [operation: JsonValue, message: string])[] = [
	[{ op: "copy", from: "/x", path: "/y" }, 'from: there is no "x"'],
	[{ op: "move", from: "/a/x", path: "/y" }, 'from: there is no "x"'],
	[{ op: "copy", from: "/a", path: "/x/y" }, 'path: there is no "x"'],
	[{ op: "move", path: "/y" }, "from: expected a JSON Pointer, got nothing"],
	[{ op: "add", path: "a", value: 1 }, 'path: expected a JSON Pointer, got "a"'],
	[{ op: "add", path: "/a" }, "value: expected a value, got nothing"],
	[{ op: "merge", path: "" }, 'op: expected add, remove, replace, move, copy or test, got "merge"'],
	[5, "expected an operation, got 5"],
];

for (const [operation, message] of TOLD) {
	test(`a patch that is refused names the field, what was expected and what came: ${message}`, () => {
		assert.throws(() => applyPatch({ a: {} }, [operation]), { name: "PatchProblem", message });
	});
}

test("what is no patch is told with what came", () => {
	const message = "patch: expected an array of operations, got an object";
	assert.throws(() => applyPatch({}, {}), { name: "PatchProblem", message });
});

test("a patch gives what its operations give one by one, and leaves what it was given as it was", () => {
	const place = fc
		.array(fc.constantFrom("a", "b", "0", "1", "-", "__proto__"), { maxLength: 3 })
		.map((steps) => steps.map((step) => `/${step}`).join(""));
	const value = fc.constantFrom<JsonValue>(1, null, [], [1], {}, { a: {} }, { a: [{ b: 2 }] });
	const operation = fc.record({
		op: fc.constantFrom("add", "add", "replace", "remove", "copy", "copy", "move"),
		path: place,
		from: place,
		value,
	});
	const document: JsonValue = { a: { a: [1], b: {} }, b: [{}, [2]] };
	fc.assert(
		fc.property(fc.array(operation, { maxLength: 12 }), (operations) => {
			// Only those that apply: a patch is refused as a whole.
			const patch: JsonValue[] = [];
			let expected: JsonValue = document;
			for (const one of operations) {
				try {
					expected = applyPatch(expected, [one]);
					patch.push(one);
				} catch (error) {
					assert.ok(error instanceof PatchProblem, String(error));
				}
			}
			const given = JSON.stringify([document, patch]);
			assert.equal(stringifyJson(applyPatch(document, patch)), stringifyJson(expected));
			assert.equal(JSON.stringify([document, patch]), given);
		}),
		{ numRuns: 1_000 },
	);
});

test("a patch whose copies double the document again and again is refused", () => {
	const patch = Array.from({ length: 40 }, (_, i) => ({ op: "copy", from: "", path: `/${i}` }));
	assert.throws(() => applyPatch({ a: 1 }, patch), {
		name: "PatchProblem",
		message: "from: more than 16777216 characters are copied",
	});
});
