import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonValue } from "../../src/json/jsonValue.ts";
import { SchemaProblem } from "../../src/validate/schemaRegistry.ts";
import { Validator } from "../../src/validate/validator.ts";

function problemOf(root: JsonValue): string | undefined {
	const document = { uri: "file:///a.json", label: "a", root };
	try {
		new Validator([document]).assertUsable(document);
		return undefined;
	} catch (error) {
		if (error instanceof SchemaProblem) return error.message;
		throw error;
	}
}

const ENDLESS: readonly (readonly [says: string, schema: JsonValue, where: string])[] = [
	["to itself", { $ref: "#" }, "a#"],
	["to one that refers back", { $ref: "#/$defs/b", $defs: { b: { allOf: [{ $ref: "#" }] } } }, "a#"],
	["where no type but one is tried before", { anyOf: [{ type: "null" }, { $ref: "#" }] }, "a#"],
	["under a condition", { if: { type: "object" }, else: { $ref: "#" } }, "a#"],
	["for values with one member", { dependentSchemas: { a: { $ref: "#" } } }, "a#"],
	[
		"inside a member",
		{ properties: { a: { $ref: "#/$defs/b" } }, $defs: { b: { not: { $ref: "#/$defs/b" } } } },
		"a#/$defs/b",
	],
	["by its dynamic anchor", { $dynamicAnchor: "n", allOf: [{ $dynamicRef: "#n" }] }, "a#"],
];

for (const [says, schema, where] of ENDLESS) {
	test(`a schema that refers without end ${says} cannot be used`, () => {
		assert.equal(problemOf(schema), `${where} refers to itself without end`);
	});
}

test("a schema that refers to itself from inside the value, or is never applied, can be used", () => {
	assert.equal(problemOf({ properties: { a: { $ref: "#" } }, items: { $ref: "#" } }), undefined);
	assert.equal(problemOf({ $defs: { b: { $ref: "#/$defs/b" } }, contentSchema: { $ref: "#" } }), undefined);
	assert.equal(
		problemOf({ allOf: [{ $ref: "#/$defs/b" }, { $ref: "#/$defs/b" }], $defs: { b: { items: { $ref: "#" } } } }),
		undefined,
	);
});
