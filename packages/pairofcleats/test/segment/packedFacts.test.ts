import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ChunkFacts } from "../../src/parse/chunk.ts";
import { packFacts, unpackFacts } from "../../src/segment/packedFacts.ts";

const names = fc.array(fc.string(), { maxLength: 3 });
const lists = {
	params: names,
	decorators: names,
	inferredTypes: names,
	extends: names,
	implements: names,
	imports: names,
	calls: names,
	uses: names,
	throws: names,
	awaits: names,
	reads: names,
	writes: names,
	mutates: names,
	aliases: names,
};
const texts = { signature: fc.string(), returnType: fc.string(), docstring: fc.string() };
const flags = { exported: fc.boolean(), async: fc.boolean(), generator: fc.boolean(), returns: fc.boolean() };
const counts = { branches: fc.nat(3), loops: fc.nat(3), breaks: fc.nat(3), continues: fc.nat(3) };
const facts: fc.Arbitrary<ChunkFacts> = fc.record(
	{
		...lists,
		...texts,
		...flags,
		...counts,
		visibility: fc.constantFrom("public" as const, "private" as const),
		risk: fc.constant({
			tags: [],
			categories: [],
			sources: ["request"],
			sinks: [],
			flows: [],
			severity: "low" as const,
		}),
	},
	{ requiredKeys: [], noNullPrototype: true },
);

test("facts are read back exactly as they were stored", () => {
	fc.assert(
		fc.property(facts, (given) => {
			const packed = JSON.parse(JSON.stringify(packFacts(given)));
			assert.deepEqual(unpackFacts(packed, given.signature ?? ""), given);
		}),
	);
});
