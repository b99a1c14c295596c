import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonValue } from "../../src/json/jsonValue.ts";
import { parseJson } from "../../src/json/parseJson.ts";
import { stringifyJson } from "../../src/json/stringifyJson.ts";
import { TextModule } from "../../src/text/textModule.ts";
import type { SchemaDocument } from "../../src/validate/schemaRegistry.ts";
import { isSurelyValid } from "../../src/validate/surelyValid.ts";
import { Validator } from "../../src/validate/validator.ts";
import { schema as anySchema, value as anyValue } from "./schemas.ts";

const CODE = readFileSync(new URL("../../dist/text/text.wasm", import.meta.url));

const JUDGES_TO_A_MODULE = 100;
let module = new TextModule(CODE);
let judges = 0;

function moduleWithRoom(): TextModule {
	if (judges++ % JUDGES_TO_A_MODULE === 0) module = new TextModule(CODE);
	return module;
}

/** What a schema says of values by their text, and what the validator says of the values themselves. */
class Judges {
	readonly #document: SchemaDocument;
	readonly #validator: Validator;
	readonly #module: TextModule;

	constructor(root: JsonValue, module: TextModule = moduleWithRoom()) {
		this.#document = { uri: "file:///schema.json", label: "schema", root };
		this.#validator = new Validator([this.#document]);
		this.#module = module;
	}

	surely(text: string, leftOut?: string): boolean {
		const bytes = Buffer.from(`{"asset":${text},"schema":""}`);
		const ruleOf = () => this.#validator.ruleOf(this.#document, this.#module, leftOut);
		return isSurelyValid(this.#module, bytes, 0, bytes.length, ruleOf);
	}

	/** The same by a module that is handed the rules. */
	surelyBy(other: TextModule, text: string): boolean {
		const bytes = Buffer.from(`{"asset":${text},"schema":""}`);
		assert.ok(other.takeRules(this.#module.ruleMemory));
		return isSurelyValid(other, bytes, 0, bytes.length, () => this.#validator.ruleOf(this.#document, this.#module));
	}

	really(text: string): boolean {
		return this.#validator.validate(this.#document, parseJson(text)).length === 0;
	}
}

const name = fc.constantFrom("a", "b", "é", "__proto__", "a name of more than eight bytes");
const small = fc.integer({ min: 0, max: 3 });
/** Schemas that rules can say all of. */
const sayable: fc.Arbitrary<JsonValue> = fc.letrec<{ schema: JsonValue }>((tie) => ({
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
				properties: fc.dictionary(name, tie("schema"), { maxKeys: 4 }),
				additionalProperties: tie("schema"),
				required: fc.uniqueArray(name, { maxLength: 2 }),
			},
			{ requiredKeys: [] },
		),
		fc.record({ items: tie("schema") }),
		fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
		fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }), type: fc.constant("object") }),
	),
})).schema;
const plainValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3 },
		fc.constantFrom<JsonValue>(null, true, false, 0, 1, 2, 3, 4, 12, -1, 1.5, 0.1, "", "a", "b", "é", "😀😀", "abcd"),
		fc.array(tie("value"), { maxLength: 4 }),
		fc.dictionary(name, tie("value"), { maxKeys: 4 }),
	),
})).value;

test("of a value that is plainly written, rules say exactly what the validator says", () => {
	let valid = 0;
	fc.assert(
		fc.property(sayable, fc.array(plainValue, { minLength: 4, maxLength: 8 }), (root, values) => {
			const judges = new Judges(root);
			for (const text of values.map((value) => stringifyJson(value))) {
				assert.equal(judges.surely(text), judges.really(text), JSON.stringify({ root, text }));
				if (judges.surely(text)) valid += 1;
			}
		}),
		{ numRuns: 1_000 },
	);
	assert.ok(valid > 500, `${valid} were valid`);
});

const spelling = fc.constantFrom<(value: JsonValue) => string>(
	stringifyJson,
	(value) => JSON.stringify(value, null, 1),
	(value) =>
		stringifyJson(value).replace(/"(a|b|1)/g, (_, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`),
	(value) => stringifyJson(value).replace(/([[,:]\d+)(?=[\],}])/g, "$1.0"),
	(value) => stringifyJson(value).replace(/([[,:]\d+)(?=[\],}])/g, "$1e0"),
	(value) => stringifyJson(value).replace(/\{"a":/g, '{"a":"b","a":'),
	(value) => stringifyJson(value).replace(/\{"b":/g, '{"b":1,"\\u0062":{},"b":'),
);

test("nothing is surely valid but what the validator accepts, whatever the schema asks and however the value is spelt", () => {
	fc.assert(
		fc.property(
			fc.oneof(anySchema, sayable),
			fc.array(fc.oneof(anyValue, plainValue), { minLength: 3, maxLength: 6 }),
			spelling,
			(root, values, spell) => {
				const judges = new Judges(root);
				for (const text of values.map((value) => spell(value)))
					if (judges.surely(text)) assert.ok(judges.really(text), JSON.stringify({ root, text }));
			},
		),
		{ numRuns: 1_500 },
	);
});

test("rules that were handed to another module say there what they say here", () => {
	const other = new TextModule(CODE);
	fc.assert(
		fc.property(sayable, fc.array(plainValue, { minLength: 4, maxLength: 8 }), (root, values) => {
			const judges = new Judges(root);
			const texts = values.map((value) => stringifyJson(value));
			const said = texts.map((text) => judges.surely(text));
			assert.deepEqual(
				texts.map((text) => judges.surelyBy(other, text)),
				said,
				JSON.stringify({ root, texts }),
			);
		}),
		{ numRuns: 300 },
	);
});

test("rules that refer to themselves in many ways are given up before they take for ever", () => {
	const again = { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] };
	const judges = new Judges({ anyOf: [again, { ...again }, { type: "array", minItems: 100_000 }, { const: 1 }] });
	const nested = (depth: number, innermost: string) => `${'{"a":'.repeat(depth)}${innermost}${"}".repeat(depth)}`;
	assert.ok(judges.surely(nested(100, "1")));
	const start = performance.now();
	for (const innermost of ["2", `[${"0,".repeat(99_998)}0]`]) assert.ok(!judges.surely(nested(100, innermost)));
	assert.ok(performance.now() - start < 2_000, `${performance.now() - start} ms`);
});

test("numbers at a bound are told from those beside it, or left to the validator", () => {
	const bounds = [
		"0",
		"-0",
		"1",
		"0.1",
		"0.3",
		"123456789012345",
		"-1.5",
		"99999999999999.9",
		"1e21",
		"0.30000000000000004",
		"9007199254740992",
	];
	const numbers = [
		...bounds,
		...["0.10", "0.2999999999999999", "0.30000000000000001", "123456789012344", "123456789012346", "123456789012345.0"],
		...["-1.50", "-1.49999999999999", "1e0", "1E+2", "1e-1", "1e400", "-1e400", "99999999999999.90", "100000000000000"],
		...["0.100000000000001", "0.09999999999999", "-0.0", "1.0000000000000000000001", "9007199254740993"],
	];
	for (const bound of bounds) {
		for (const keyword of ["minimum", "maximum"]) {
			const judges = new Judges(parseJson(`{"${keyword}":${bound}}`));
			for (const number of numbers)
				if (judges.surely(number)) assert.ok(judges.really(number), `${keyword} ${bound}: ${number}`);
		}
	}
	assert.ok(new Judges({ minimum: 0.1 }).surely("0.1") && !new Judges({ minimum: 0.1 }).surely("0.09999999999999"));
});

test("as many names as there are bits may be required, and more are left to the validator", () => {
	for (const count of [1, 31, 32, 33, 63, 64, 65]) {
		const required = Array.from({ length: count }, (_, i) => `name${i}`);
		const judges = new Judges({ required, additionalProperties: { type: "integer" } });
		const all = Object.fromEntries(required.map((one, i) => [one, i]));
		assert.equal(judges.surely(stringifyJson(all)), count <= 64, `${count}`);
		for (const missing of required) {
			const { [missing]: _, ...rest } = all;
			assert.equal(judges.surely(stringifyJson(rest)), false, missing);
		}
		assert.equal(judges.surely(stringifyJson({ ...all, other: "x" })), false);
	}
});

test("a member is left out of account at the top alone", () => {
	const judges = new Judges({
		anyOf: [{ properties: { a: { $ref: "#" } }, additionalProperties: false, type: "object" }, { const: 1 }],
	});
	assert.ok(judges.surely('{"$schemaRef":{"x":1},"a":{"a":1}}', "$schemaRef"));
	assert.ok(!judges.surely('{"a":{"$schemaRef":1}}', "$schemaRef"));
	assert.ok(!judges.surely('{"$schemaRef":1,"a":1}'));
});

test("a schema that is broken, refers to nothing or to itself without end makes nothing surely valid", () => {
	const broken: JsonValue[] = [
		{ type: "objekt" },
		{ $ref: "nowhere.json" },
		{ anyOf: [true, { $ref: "#/$defs/none" }] },
		{ $ref: "#" },
		{ $schema: "http://json-schema.org/draft-07/schema#" },
		{ anyOf: [{ $ref: "#/$defs/one" }], $defs: { one: { allOf: [{ $ref: "#/$defs/one" }] } } },
	];
	for (const root of broken) assert.equal(new Judges(root).surely("1"), false, JSON.stringify(root));
	// There is no room for so many.
	const wide = { properties: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`name ${i}`, {}])) };
	assert.equal(new Judges(wide, new TextModule(CODE)).surely("{}"), false);
});

test("choices and names are told apart, however many", () => {
	for (const count of [1, 2, 63, 64, 65, 5_000]) {
		const names = Array.from({ length: count }, (_, i) => `name ${i}`);
		const all = stringifyJson(Object.fromEntries(names.map((one) => [one, 1])));
		const properties = Object.fromEntries(names.map((one) => [one, { type: "integer" }]));
		const judges = new Judges({ properties, additionalProperties: false }, new TextModule(CODE));
		assert.ok(judges.surely(all), `${count}`);
		assert.ok(!judges.surely(all.replace("}", ',"name":1}')));
		assert.equal(new Judges({ items: { enum: names } }).surely(stringifyJson(names)), count <= 64);
	}
});
