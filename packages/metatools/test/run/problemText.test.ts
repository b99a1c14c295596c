import assert from "node:assert/strict";
import { test } from "node:test";
import { describeProblem } from "../../src/run/schema/problemText.ts";
import { compileCheck } from "../../src/run/schema/schemaCheck.ts";

const said = (schema: object, value: unknown): readonly string[] =>
	compileCheck(schema)(value).map((problem) => describeProblem(problem, "args"));
const field = (schema: unknown, value: unknown): readonly string[] =>
	said({ type: "object", properties: { it: schema } }, { it: value });

const mail = { type: "object", properties: { kind: { const: "mail" }, address: {} }, required: ["kind", "address"] };
const phone = { type: "object", properties: { kind: { const: "phone" }, number: {} }, required: ["kind", "number"] };

test("of several alternatives the one that was meant is corrected", () => {
	for (const keyword of ["anyOf", "oneOf"]) {
		assert.deepEqual(field({ [keyword]: [mail, phone] }, { kind: "mail", number: "1" }), [
			"args/it/address: expected a value, got none",
		]);
		assert.deepEqual(field({ [keyword]: [{ type: "array", items: { type: "string" } }, { type: "string" }] }, [1]), [
			"args/it/0: expected string, got number 1",
		]);
		assert.deepEqual(field({ [keyword]: [{ enum: ["auto"] }, { type: "integer", minimum: 1 }] }, 0), [
			"args/it: expected 1 or more, got 0",
		]);
	}
});

test("an alternative behind a reference is known too", () => {
	const schema = {
		type: "object",
		properties: { it: { anyOf: [{ $ref: "#/$defs/point" }, { type: "null" }] } },
		$defs: { point: { type: "object", properties: { x: { type: "integer" } }, required: ["x"] } },
	};
	assert.deepEqual(said(schema, { it: { x: "1" } }), ['args/it/x: expected integer, got string "1"']);
	assert.deepEqual(said(schema, { it: 4 }), ["args/it: expected {x} or null, got number 4"]);
});

test("alternatives within an alternative are told apart as well", () => {
	const id = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });
	const schema = {
		type: "object",
		properties: { parent: { anyOf: [{ $ref: "#/$defs/parent" }, { type: "string" }] } },
		$defs: {
			page: id("page_id"),
			space: { type: "object", properties: { type: { const: "workspace" } }, required: ["type"] },
			parent: { oneOf: [{ $ref: "#/$defs/page" }, { $ref: "#/$defs/space" }] },
		},
	};
	assert.deepEqual(said(schema, { parent: { type: "nothing" } }), [
		'args/parent/type: expected "workspace", got "nothing"',
	]);
	assert.deepEqual(said(schema, { parent: { page_id: 3 } }), ["args/parent/page_id: expected string, got number 3"]);
	assert.deepEqual(said(schema, { parent: 3 }), [
		'args/parent: expected {page_id} or {type: "workspace"} or string, got number 3',
	]);
});

test("all choices are named to who chose another, and nothing is said twice of null", () => {
	const zones = Array.from({ length: 20 }, (_, at) => `Region/City_${at}`);
	assert.deepEqual(field({ enum: zones }, "UTC"), [`args/it: expected one of ${JSON.stringify(zones)}, got "UTC"`]);
	assert.deepEqual(field({ type: "number" }, null), ["args/it: expected number, got null"]);
});

test("where no alternative was meant, they are named", () => {
	assert.deepEqual(field({ anyOf: [mail, phone] }, { kind: "fax" }), [
		'args/it/kind: expected one of ["mail","phone"], got "fax"',
	]);
	assert.deepEqual(field({ anyOf: [mail, phone] }, "Ada"), [
		'args/it: expected {kind: "mail", address} or {kind: "phone", number}, got string "Ada"',
	]);
	assert.deepEqual(field({ anyOf: [{ type: "string" }, { type: "null" }] }, 5), [
		"args/it: expected string or null, got number 5",
	]);
	assert.deepEqual(field({ oneOf: [{ const: "red", title: "Red" }, { const: "blue" }] }, "pink"), [
		'args/it: expected "red" or "blue", got string "pink"',
	]);
	assert.deepEqual(said({ anyOf: [{ required: ["id"] }, { required: ["name"] }] }, {}), [
		"args: expected {id} or {name}, got object {}",
	]);
	assert.deepEqual(said({ oneOf: [{ required: ["id"] }, { required: ["name"] }] }, { id: 1, name: 2 }), [
		'args: expected only one of {id} and {name}, got both: {"id":1,"name":2}',
	]);
	const many = Array.from({ length: 5_000 }, (_, n) => ({ const: `value ${n}` }));
	const [line = ""] = field({ anyOf: many }, "other");
	assert(line.length < 800, `${line.length} characters`);
});

test("no keyword speaks of schemas", () => {
	const cases: readonly [schema: object, value: unknown, line: string][] = [
		[{ const: "x" }, "y", 'args/it: expected "x", got "y"'],
		[{ not: { type: "string" } }, "y", 'args/it: expected anything but string, got "y"'],
		[{ pattern: "^a+$" }, "y", 'args/it: expected text that matches ^a+$, got "y"'],
		[{ multipleOf: 5 }, 7, "args/it: expected a multiple of 5, got 7"],
		[{ uniqueItems: true }, [1, 1], "args/it: expected no item twice, got items 0 and 1 alike"],
		[{ contains: { type: "string" } }, [1], "args/it: expected an item that is string, got [1]"],
		[{ minProperties: 1 }, {}, "args/it: expected at least 1 field, got {}"],
		[{ dependentRequired: { a: ["b"] } }, { a: 1 }, "args/it/b: expected a value, since a is given, got none"],
		[{ properties: { a: false } }, { a: 1 }, "args/it/a: expected no such field, got one"],
		[{ if: { required: ["a"] }, else: { required: ["b"] } }, {}, "args/it/b: expected a value, got none"],
		[
			{ propertyNames: { pattern: "^[a-z]+$" } },
			{ "A B": 1 },
			'name of a field of args/it: expected text that matches ^[a-z]+$, got "A B"',
		],
	];
	for (const [schema, value, line] of cases) assert.deepEqual(field(schema, value), [line]);
	assert.deepEqual(said(mail, { address: "a" }), ['args/kind: expected "mail", got none']);
});
