import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/json/jsonValue.ts";
import { parseJson } from "../../src/json/parseJson.ts";
import { stringifyJson } from "../../src/json/stringifyJson.ts";
import { type PartlyKnown, SURE } from "../../src/validate/evaluation.ts";
import { NO_DOUBT, readDoubts } from "../../src/validate/rules/doubts.ts";
import { Validator } from "../../src/validate/validator.ts";
import { moduleWithRoom } from "./moduleWithRoom.ts";
import { schema as anySchema, value as anyValue, plainValue, sayable, spelling } from "./schemas.ts";

/** What is left in doubt of assets, and the verdicts on it. */
class Doubter {
	readonly #document;
	readonly #validator;
	readonly #module = moduleWithRoom();

	constructor(root: JsonValue) {
		this.#document = { uri: "file:///schema.json", label: "schema", root };
		this.#validator = new Validator([this.#document]);
	}

	read(text: string, leftOut?: string): JsonObject | undefined {
		const bytes = Buffer.from(`{"asset":${text},"schema":"","detailed":true}`);
		return readDoubts(this.#module, bytes, 0, bytes.length, () =>
			this.#validator.ruleOf(this.#document, this.#module, leftOut),
		);
	}

	verdictOn(value: JsonValue) {
		return this.#validator.validate(this.#document, value);
	}
}

function holdsSure(value: PartlyKnown | undefined): boolean {
	return value === SURE || (typeof value === "object" && value !== null && Object.values(value).some(holdsSure));
}

test("what is left in doubt gets the verdict of the whole, whatever the schema asks and however the value is spelt", () => {
	let partly = 0;
	fc.assert(
		fc.property(
			fc.oneof(anySchema, sayable, sayable),
			fc.array(fc.oneof(anyValue, plainValue), { minLength: 4, maxLength: 8 }),
			spelling,
			(root, values, spell) => {
				const doubter = new Doubter(root);
				for (const text of values.map((value) => spell(value))) {
					const read = doubter.read(text);
					if (read === undefined) continue;
					const expected = doubter.verdictOn(parseJson(text));
					if (read === NO_DOUBT) assert.deepEqual(expected, [], JSON.stringify({ root, text }));
					else assert.deepEqual(doubter.verdictOn(read.asset ?? null), expected, JSON.stringify({ root, text }));
					if (read !== NO_DOUBT && holdsSure(read.asset)) partly += 1;
				}
			},
		),
		{ numRuns: 500 },
	);
	assert.ok(partly > 30, `${partly} were in doubt in part`);
});

test("of an asset with one thing wrong only that is parsed", () => {
	const tone = { type: "object", properties: { hertz: { minimum: 0 } }, required: ["hertz"] };
	const doubter = new Doubter({
		allOf: [{ properties: { tones: { maxItems: 3 } } }],
		properties: { name: { type: "string" }, tones: { items: tone } },
		additionalProperties: false,
	});
	const text = '{"name":"x","tones":[{"hertz":1},{"hertz":-1,"more":[{}]},{}],"extra":[1]}';
	assert.deepEqual(doubter.read(text), {
		asset: { name: SURE, tones: [SURE, { hertz: -1, more: SURE }, {}], extra: [1] },
		schema: "",
		detailed: true,
	});
	assert.equal(doubter.read('{"name":"x","tones":[{"hertz":1}]}'), NO_DOUBT);
});

test("what a choice or an alternative rules out is parsed whole, as a message may speak of any of it", () => {
	const doubter = new Doubter({ properties: { a: { enum: [{ b: 1 }] }, c: { anyOf: [{ required: ["d"] }] } } });
	assert.deepEqual(doubter.read('{"a":{"b":2},"c":{"e":[]}}')?.asset, { a: { b: 2 }, c: { e: [] } });
});

test("names keep their meaning: __proto__ is one, the last of equal ones counts, an escape takes a parser", () => {
	const doubter = new Doubter({ additionalProperties: { type: "string" } });
	const read = (text: string) => doubter.read(text)?.asset;
	assert.deepEqual(Object.entries(read('{"__proto__":1,"a":""}') ?? {}), [
		["__proto__", 1],
		["a", SURE],
	]);
	assert.deepEqual(read('{"a":1,"b":1,"a":""}'), { a: SURE, b: 1 });
	assert.deepEqual(read('{"\\u0061":1,"b":""}'), { a: 1, b: "" });
});

test("the member that is left out is in no doubt, at the top alone", () => {
	const doubter = new Doubter({ properties: { a: { $ref: "#" } }, additionalProperties: false });
	assert.deepEqual(doubter.read('{"$schemaRef":1,"a":{"$schemaRef":1,"a":{}}}', "$schemaRef")?.asset, {
		$schemaRef: SURE,
		a: { $schemaRef: 1, a: SURE },
	});
});

test("where doubts are many, everything is parsed", () => {
	const doubter = new Doubter({ items: { type: "string" } });
	const wrong = (count: number) => stringifyJson(Array.from({ length: 100 }, (_, i) => (i < count ? i : "")));
	assert.deepEqual(
		doubter.read(wrong(64))?.asset,
		Array.from({ length: 100 }, (_, i) => (i < 64 ? i : SURE)),
	);
	assert.equal(doubter.read(wrong(65)), undefined);
});

test("rules that refer to themselves in many ways leave the whole in doubt before they take for ever", () => {
	const again = { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] };
	const doubter = new Doubter({ anyOf: [again, { ...again }, { const: 1 }] });
	const recursive = new Doubter({
		allOf: [{ $ref: "#/$defs/one" }],
		$defs: { one: { allOf: [{ $ref: "#/$defs/one" }] } },
	});
	const deep = new Doubter({ properties: { a: { $ref: "#" } }, additionalProperties: false });
	const nested = (depth: number, innermost: string) => `${'{"a":'.repeat(depth)}${innermost}${"}".repeat(depth)}`;
	const start = performance.now();
	const text = nested(100, "2");
	assert.deepEqual(doubter.read(text)?.asset, JSON.parse(text));
	assert.deepEqual(recursive.read("{}")?.asset, {});
	const wrong = nested(900, '{"b":{"c":1}}');
	assert.deepEqual(deep.verdictOn(deep.read(wrong)?.asset ?? null), deep.verdictOn(JSON.parse(wrong)));
	assert.ok(performance.now() - start < 2_000, `${performance.now() - start} ms`);
});
