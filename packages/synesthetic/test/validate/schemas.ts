import fc from "fast-check";
import type { JsonValue } from "../../src/json/jsonValue.ts";
import { stringifyJson } from "../../src/json/stringifyJson.ts";

const name = fc.constantFrom("a", "b", "__proto__", "x_1");
const small = fc.integer({ min: 0, max: 3 });
/** Schemas that use most keywords, and values that some of them accept. */
export const schema: fc.Arbitrary<JsonValue> = fc.letrec<{ schema: JsonValue }>((tie) => ({
	schema: fc.oneof(
		{ maxDepth: 3 },
		fc.constantFrom<JsonValue>(
			true,
			false,
			{},
			{ type: "integer" },
			{ type: ["string", "null"] },
			{ enum: [1, "a", [1]] },
			{ const: { a: 1 } },
			{ uniqueItems: true },
			{ pattern: "^a" },
		),
		fc.record({ minimum: small }),
		fc.record({ minLength: small }),
		fc.record({ maxItems: small }),
		fc.record({ required: fc.uniqueArray(name, { maxLength: 2 }) }),
		fc.record({ properties: fc.dictionary(name, tie("schema"), { maxKeys: 2 }), additionalProperties: tie("schema") }),
		fc.record({
			patternProperties: fc.record({ "^x_": tie("schema") }),
			unevaluatedProperties: tie("schema"),
			anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
		}),
		fc.record({
			prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
			unevaluatedItems: tie("schema"),
			contains: tie("schema"),
			minContains: fc.constantFrom(0, 1),
		}),
		fc.record({ items: tie("schema") }),
		fc.record({
			oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
			allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
		}),
		// biome-ignore lint/suspicious/noThenProperty: the keyword's name
		fc.record({ if: tie("schema"), then: tie("schema"), else: tie("schema") }),
		fc.record({ not: tie("schema"), propertyNames: tie("schema") }),
		fc.constantFrom<JsonValue>({ items: { $ref: "#" } }, { properties: { a: { $ref: "#" } } }),
	),
})).schema;
export const value: fc.Arbitrary<JsonValue> = fc
	.jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom("a", "b", "1") })
	.map((one) => one as JsonValue);

const sayableName = fc.constantFrom("a", "b", "é", "__proto__", "a name of more than eight bytes");
/** Schemas that rules can say all of. */
export const sayable: fc.Arbitrary<JsonValue> = fc.letrec<{ schema: JsonValue }>((tie) => ({
	schema: fc.oneof(
		{ maxDepth: 4 },
		fc.constantFrom<JsonValue>(
			true,
			{ title: "annotates" },
			{ type: "integer" },
			{ type: ["string", "null", "boolean"] },
			{ type: ["object", "array", "number"] },
			{ enum: ["a", "é", null, false, 12] },
			{ const: "b" },
		),
		fc.constantFrom<JsonValue>(false, { items: { $ref: "#" } }, { properties: { a: { $ref: "#" } } }),
		fc.record({ minimum: small, maximum: small, minLength: small }, { requiredKeys: [] }),
		fc.record({ maxLength: small, minItems: small, maxItems: small }, { requiredKeys: [] }),
		fc.record(
			{
				properties: fc.dictionary(sayableName, tie("schema"), { maxKeys: 4 }),
				additionalProperties: tie("schema"),
				required: fc.uniqueArray(sayableName, { maxLength: 2 }),
			},
			{ requiredKeys: [] },
		),
		fc.record({ items: tie("schema") }),
		fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
		fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }), type: fc.constant("object") }),
	),
})).schema;
/** Values that are written in one way only. */
export const plainValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3 },
		fc.constantFrom<JsonValue>(null, true, false, 0, 1, 2, 3, 4, 12, -1, 1.5, 0.1, "", "a", "b", "é", "😀😀", "abcd"),
		fc.array(tie("value"), { maxLength: 4 }),
		fc.dictionary(sayableName, tie("value"), { maxKeys: 4 }),
	),
})).value;

/** Other ways to write a value. */
export const spelling: fc.Arbitrary<(value: JsonValue) => string> = fc.constantFrom<(value: JsonValue) => string>(
	stringifyJson,
	(value) => JSON.stringify(value, null, 1),
	(value) =>
		stringifyJson(value).replace(/"(a|b|1)/g, (_, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`),
	(value) => stringifyJson(value).replace(/([[,:]\d+)(?=[\],}])/g, "$1.0"),
	(value) => stringifyJson(value).replace(/([[,:]\d+)(?=[\],}])/g, "$1e0"),
	(value) => stringifyJson(value).replace(/\{"a":/g, '{"a":"b","a":'),
	(value) => stringifyJson(value).replace(/\{"b":/g, '{"b":1,"\\u0062":{},"b":'),
);
