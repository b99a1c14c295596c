import assert from "node:assert/strict";
import { test } from "node:test";
import { registerSchema, type SchemaObject, unregisterSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
import fc from "fast-check";
import type { JsonValue } from "../../src/json/jsonValue.ts";
import { Validator } from "../../src/validate/validator.ts";

const name = fc.constantFrom("a", "b", "__proto__", "x_1");
const small = fc.integer({ min: 0, max: 3 });
const schema: fc.Arbitrary<JsonValue> = fc.letrec<{ schema: JsonValue }>((tie) => ({
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
const value = fc.jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom("a", "b", "1") });

test("a second, independent validator agrees on random schemas and values", async () => {
	const uri = "https://witness.test/schema";
	await fc.assert(
		fc.asyncProperty(schema, fc.array(value, { minLength: 3, maxLength: 6 }), async (root, samples) => {
			const document = { uri, label: "schema", root };
			const validator = new Validator([document]);
			registerSchema(root as SchemaObject, uri, "https://json-schema.org/draft/2020-12/schema");
			try {
				const witness = await validate(uri);
				for (const sample of samples) {
					const expected = witness(sample as never).valid;
					assert.equal(
						validator.validate(document, sample as JsonValue).length === 0,
						expected,
						JSON.stringify({ root, sample }),
					);
				}
			} finally {
				unregisterSchema(uri);
			}
		}),
		{ numRuns: 300 },
	);
});
