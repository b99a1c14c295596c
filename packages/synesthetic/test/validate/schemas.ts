import fc from "fast-check";
import type { JsonValue } from "../../src/json/jsonValue.ts";

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
