import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonValue } from "../../src/json/jsonValue.ts";
import { parseJson } from "../../src/json/parseJson.ts";
import { stringifyJson } from "../../src/json/stringifyJson.ts";
import { TextModule } from "../../src/text/textModule.ts";
import { isSurelyValid } from "../../src/validate/rules/surelyValid.ts";
import type { SchemaDocument } from "../../src/validate/schemaRegistry.ts";
import { Validator } from "../../src/validate/validator.ts";
import { CODE, moduleWithRoom } from "./moduleWithRoom.ts";
import { schema as anySchema, value as anyValue, plainValue, sayable, spelling } from "./schemas.ts";

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
		{ numRuns: 300 },
	);
	assert.ok(valid > 150, `${valid} were valid`);
});

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
		{ numRuns: 500 },
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
		{ numRuns: 100 },
	);
});

test("rules that refer to themselves in many ways are given up before they take for ever", () => {
	const again = { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] };
	const judges = new Judges({ anyOf: [again, { ...again }, { type: "array", minItems: 100_000 }, { const: 1 }] });
	const nested = (depth: number, innermost: string) => `${'{"a":'.repeat(depth)}${innermost}${"}".repeat(depth)}`;
	assert.ok(judges.surely(nested(100, "1")));
	for (const innermost of ["2", `[${"0,".repeat(99_998)}0]`]) assert.ok(!judges.surely(nested(100, innermost)));
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
