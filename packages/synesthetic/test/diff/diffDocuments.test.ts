import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { verifies } from "../../../../e2e/verifies.ts";
import { diffDocuments, type PatchOperation } from "../../src/diff/diffDocuments.ts";
import { isEqualJson } from "../../src/json/jsonEqual.ts";
import type { JsonValue } from "../../src/json/jsonValue.ts";
import { parseJson } from "../../src/json/parseJson.ts";
import { stringifyJson } from "../../src/json/stringifyJson.ts";
import { document, key } from "./documents.ts";
import { independentApply } from "./independentApply.ts";

verifies("003-5-diff-valid", "applying the patch to base gives exactly new, for any two documents", () => {
	fc.assert(
		fc.property(document, document, (base, next) => {
			const result = independentApply(base, diffDocuments(base, next));
			return stringifyJson(sorted(result)) === stringifyJson(sorted(next));
		}),
		{ numRuns: 2_000 },
	);
});

verifies("003-5-diff-valid", "documents that share most of their members round-trip too", () => {
	fc.assert(
		fc.property(
			fc.dictionary(key, document, { maxKeys: 6 }),
			fc.dictionary(key, document, { maxKeys: 3 }),
			(base, change) => {
				const next = { ...base, ...change };
				return isEqualJson(independentApply(base, diffDocuments(base, next)), next);
			},
		),
		{ numRuns: 1_000 },
	);
});

verifies("003-5-diff-ops", "a patch holds no operation besides add, remove and replace", () => {
	fc.assert(
		fc.property(document, document, (base, next) =>
			diffDocuments(base, next).every(({ op }) => op === "add" || op === "remove" || op === "replace"),
		),
	);
	const patch = diffDocuments({ a: 1, b: 2 }, { b: 3, c: 4 });
	assert.deepEqual(patch, [
		{ op: "remove", path: "/a" },
		{ op: "replace", path: "/b", value: 3 },
		{ op: "add", path: "/c", value: 4 },
	]);
});

verifies("003-5-diff-sorted-keys", "the order of keys in base and new does not change the patch", () => {
	const forward = diffDocuments({ a: 1, b: { x: 1, y: 2 } }, { b: { x: 3, z: 4 }, c: 5 });
	const backward = diffDocuments({ b: { y: 2, x: 1 }, a: 1 }, { c: 5, b: { z: 4, x: 3 } });
	assert.deepEqual(forward, backward);
	fc.assert(
		fc.property(fc.dictionary(key, document), fc.dictionary(key, document), (base, next) => {
			assert.deepEqual(diffDocuments(reversed(base), reversed(next)), diffDocuments(base, next));
		}),
	);
});

verifies("003-5-diff-arrays-wholesale", "arrays that differ give one replace of the whole array, at any depth", () => {
	assert.deepEqual(diffDocuments({ a: { b: [1, { c: 2 }, 3] } }, { a: { b: [1, { c: 9 }, 3] } }), [
		{ op: "replace", path: "/a/b", value: [1, { c: 9 }, 3] },
	]);
	assert.deepEqual(diffDocuments([1], [2]), [{ op: "replace", path: "", value: [2] }]);
});

verifies("003-5-diff-patch-sort", "patch items are sorted by path in code point order", () => {
	const patch = diffDocuments({ b: 1, "a/z": 1 }, { "a-b": 1, a: { z: 1 }, "\uffff": 1, "😀": 1, A: 1 });
	assert.deepEqual(
		patch.map(({ path }) => path),
		["/A", "/a", "/a-b", "/a~1z", "/b", "/\uffff", "/😀"],
	);
	fc.assert(
		fc.property(document, document, (base, next) => {
			const ranks = { remove: 0, add: 1, replace: 2 };
			const points = (operation: PatchOperation) =>
				[...operation.path]
					.map((c) => (c.codePointAt(0) ?? 0).toString(16).padStart(6, "0"))
					.concat(`!${ranks[operation.op]}`)
					.join("");
			const order = diffDocuments(base, next).map(points);
			assert.deepEqual(order, order.toSorted());
		}),
	);
});

verifies("003-4-diff-assets", "equal documents give an empty patch, whatever the spelling of their numbers", () => {
	assert.deepEqual(diffDocuments(parseJson('{"a":1,"b":[1.0,2]}'), parseJson('{"b":[1,2.00],"a":1e0}')), []);
	assert.deepEqual(diffDocuments({ a: 1, b: 0 }, { a: true, b: false }), [
		{ op: "replace", path: "/a", value: true },
		{ op: "replace", path: "/b", value: false },
	]);
});

test("numbers beyond a double are compared and written exactly", () => {
	const patch = diffDocuments(
		parseJson('{"a":9007199254740992,"b":1e999}'),
		parseJson('{"a":9007199254740993,"b":1e998}'),
	);
	assert.equal(
		stringifyJson(patch),
		'[{"op":"replace","path":"/a","value":9007199254740993},{"op":"replace","path":"/b","value":1e998}]',
	);
	assert.deepEqual(diffDocuments(parseJson("10e998"), parseJson("1e999")), []);
});

test("a key named __proto__ is data like any other", () => {
	const patch = diffDocuments(parseJson("{}"), parseJson('{"__proto__":{"polluted":true}}'));
	assert.equal(stringifyJson(patch), '[{"op":"add","path":"/__proto__","value":{"polluted":true}}]');
	assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test("documents nested a hundred thousand deep are compared and written", () => {
	const deep = (leaf: string) => parseJson(`${'{"a":'.repeat(100_000)}${leaf}${"}".repeat(100_000)}`);
	const patch = diffDocuments(deep("1"), deep("2"));
	assert.equal(patch.length, 1);
	assert.equal(patch[0]?.path.length, 200_000);
	assert.equal(
		stringifyJson(diffDocuments(1, deep("2"))).length,
		600_000 + '[{"op":"replace","path":"","value":2}]'.length,
	);
});

function sorted(value: JsonValue): JsonValue {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== "object" || value === null) return Object.is(value, -0) ? 0 : value;
	return Object.fromEntries(
		Object.entries(value)
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([k, v]) => [k, sorted(v)]),
	);
}

function reversed<T>(value: Record<string, T>): Record<string, T> {
	return Object.fromEntries(Object.entries(value).reverse());
}
