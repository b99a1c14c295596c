import assert from "node:assert/strict";
import { test } from "node:test";
import { registerSchema, type SchemaObject, unregisterSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
import fc from "fast-check";
import type { JsonValue } from "../../src/json/jsonValue.ts";
import { Validator } from "../../src/validate/validator.ts";
import { deepFrozen } from "../folder.ts";
import { schema, value } from "./schemas.ts";

test("a second, independent validator agrees on random schemas and values", async () => {
	const uri = "https://witness.test/schema";
	await fc.assert(
		fc.asyncProperty(schema, fc.array(value, { minLength: 3, maxLength: 6 }), async (root, samples) => {
			const document = deepFrozen({ uri, label: "schema", root: structuredClone(root) });
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
