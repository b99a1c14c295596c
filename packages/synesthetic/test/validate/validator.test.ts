import assert from "node:assert/strict";
import { test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { Assets } from "../../src/assets.ts";
import type { JsonObject, JsonValue } from "../../src/json/jsonValue.ts";
import { parseJson, parseSpelt } from "../../src/json/parseJson.ts";
import { readSettings } from "../../src/settings.ts";
import { SchemaProblem } from "../../src/validate/schemaRegistry.ts";
import { Validator } from "../../src/validate/validator.ts";
import { deepFrozen, folder } from "../folder.ts";

const errorsOf = (schema: JsonValue, value: JsonValue): [string, string][] => {
	const document = { uri: "file:///schema.json", label: "schema", root: schema };
	return new Validator([deepFrozen(document)]).validate(document, value).map(({ path, msg }) => [path, msg]);
};
const DRAFT = { $schema: "https://json-schema.org/draft/2020-12/schema" };

const KEYWORDS: readonly (readonly [schema: string, valid: string, invalid: string, path: string, msg: string])[] = [
	['{"type":"string"}', '"x"', "5", "", "expected a string, got an integer"],
	['{"type":["integer","null"]}', "1.0", "1.5", "", "expected an integer or null, got a number"],
	['{"enum":["a",{"b":1.0}]}', '{"b":1}', '"z"', "", 'expected one of "a", {"b":1}, got "z"'],
	['{"const":1}', "1.0", "true", "", "expected 1, got true"],
	['{"const":{"a":[1.0]}}', '{"a":[1]}', '{"a":[2]}', "", 'expected {"a":[1]}, got an object'],
	['{"minimum":0}', "0", "-1", "", "expected at least 0, got -1"],
	['{"exclusiveMaximum":10}', "9.9", "10", "", "expected less than 10, got 10"],
	['{"maximum":10}', "10", "1e400", "", "expected at most 10, got 1e400"],
	['{"multipleOf":0.01}', "0.07", "0.075", "", "expected a multiple of 0.01, got 0.075"],
	['{"minLength":2}', '"😀a"', '"😀"', "", "expected at least 2 characters, got 1"],
	['{"maxLength":1}', '"😀"', '"ab"', "", "expected at most 1 character, got 2"],
	['{"pattern":"^\\\\p{L}+$"}', '"é"', '"1"', "", 'expected a string matching ^\\p{L}+$, got "1"'],
	['{"minItems":1}', "[1]", "[]", "", "expected at least 1 item, got 0"],
	[
		'{"uniqueItems":true}',
		"[1,true,0,false]",
		'[{"a":1,"b":2},{"b":2,"a":1.0}]',
		"",
		"expected unique items, item 1 repeats",
	],
	[
		'{"contains":{"type":"string"},"minContains":2}',
		'["a","b"]',
		'["a",1]',
		"",
		"expected at least 2 matching items, got 1",
	],
	['{"prefixItems":[{"type":"integer"}],"items":false}', "[1]", "[1,2]", "", "expected at most 1 items, got 2"],
	['{"items":{"type":"integer"}}', "[1]", '[1,"x"]', "/1", "expected an integer, got a string"],
	['{"required":["a"]}', '{"a":null}', '{"toString":1}', "", 'expected property "a", which is missing'],
	['{"properties":{"f":false}}', "{}", '{"f":1}', "/f", "no value is allowed here"],
	[
		'{"properties":{"k":{}},"patternProperties":{"^x_":{}},"additionalProperties":false}',
		'{"k":1,"x_":1}',
		'{"z":1,"y":2}',
		"",
		'unexpected properties "y", "z"',
	],
	['{"propertyNames":{"pattern":"^[a-z]+$"}}', '{"ab":1}', '{"AB":1}', "", 'property name "AB" is not allowed'],
	['{"maxProperties":1}', "{}", '{"a":1,"b":2}', "", "expected at most 1 property, got 2"],
	['{"dependentRequired":{"a":["b"]}}', '{"b":1}', '{"a":1}', "", 'expected property "b" beside "a"'],
	['{"dependentSchemas":{"a":{"required":["b"]}}}', "{}", '{"a":1}', "", 'expected property "b", which is missing'],
	[
		'{"oneOf":[{"multipleOf":2},{"multipleOf":3}]}',
		"4",
		"6",
		"",
		"expected exactly one of 2 alternatives to match, got 2 (0, 1)",
	],
	[
		'{"anyOf":[{"type":"null"},{"type":"object","required":["synth"]}]}',
		"null",
		"{}",
		"",
		'expected a match of one of 2 alternatives, an object matches none; closest: expected property "synth", which is missing',
	],
	[
		'{"anyOf":[{"type":"string"},{"type":"null"}]}',
		'"x"',
		"5",
		"",
		"expected a match of one of 2 alternatives, an integer matches none; closest: expected a string, got an integer",
	],
	[
		'{"anyOf":[{"required":["url"]},{"required":["mark","data"],"properties":{"mark":{"enum":["bar"]},"data":{"items":{"type":"null"}}}}]}',
		'{"url":1}',
		'{"mark":"bar","data":[1,2]}',
		"",
		"expected a match of one of 2 alternatives, an object matches none; closest: /data/0: expected null, got an integer",
	],
	[
		'{"oneOf":[{"properties":{"is":{"const":"a"},"x":false}},{"properties":{"is":{"const":"b"},"x":{"type":"null"},"y":{"type":"null"}}}]}',
		'{"is":"a"}',
		'{"is":"b","x":1,"y":1}',
		"",
		"expected a match of one of 2 alternatives, an object matches none; closest: /x: expected null, got an integer",
	],
	[
		'{"anyOf":[{"const":"a"},{"enum":["b","c"]}]}',
		'"a"',
		'"d"',
		"",
		'expected a match of one of 2 alternatives, a string matches none; closest: expected one of "b", "c", got "d"',
	],
	[
		'{"properties":{"a":{"anyOf":[{"$ref":"#"},{"type":"null"}]}},"additionalProperties":false}',
		'{"a":{"a":null}}',
		'{"a":{"a":{"b":1}}}',
		"/a",
		'expected a match of one of 2 alternatives, an object matches none; closest: /a: unexpected property "b"',
	],
	['{"not":{"type":"integer"}}', '"x"', "1", "", "an integer of this form is excluded"],
	[
		'{"if":{"properties":{"k":{"const":"a"}}},"then":{"required":["t"]}}',
		'{"k":"b"}',
		'{"k":"a"}',
		"",
		'expected property "t", which is missing',
	],
	[
		'{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}',
		'{"a":1}',
		'{"a":1,"z":2}',
		"",
		'unexpected property "z"',
	],
	[
		'{"prefixItems":[true],"contains":{"const":1},"unevaluatedItems":false}',
		"[0,1]",
		"[0,1,2]",
		"",
		"unexpected item 2",
	],
	[
		'{"$ref":"#/$defs/t","$defs":{"t":{"$anchor":"t","type":"array","items":{"$ref":"#t"}}}}',
		"[[],[[]]]",
		"[[5]]",
		"/0/0",
		"expected an array, got an integer",
	],
];

verifies(
	"003-1-draft-2020-12",
	"every assertion and applicator of draft 2020-12 accepts and refuses, with its own message",
	() => {
		for (const [schema, valid, invalid, path, msg] of KEYWORDS) {
			assert.deepEqual(errorsOf(parseJson(schema), parseJson(valid)), [], `${schema} accepts ${valid}`);
			assert.deepEqual(errorsOf(parseJson(schema), parseJson(invalid)), [[path, msg]], `${schema} refuses ${invalid}`);
		}
		assert.deepEqual(errorsOf({ format: "date-time" }, "not a date"), [], "format annotates");
	},
);

verifies("003-4-validate-asset", "a member nobody asks for is named beside whatever else is wrong, and once", () => {
	const wrong = "expected a string, got an integer";
	const part = { properties: { a: { type: "string" } } };
	const choice = { anyOf: [{ properties: { b: {} }, required: ["c"] }, { required: ["d"] }] };
	const cases: readonly [JsonValue, JsonValue, readonly (readonly [string, string])[]][] = [
		[
			part,
			{ a: 1, z: 2 },
			[
				["", 'unexpected property "z"'],
				["/a", wrong],
			],
		],
		[
			{ allOf: [part] },
			{ a: 1, z: 2 },
			[
				["", 'unexpected property "z"'],
				["/a", wrong],
			],
		],
		[
			{ required: ["a"] },
			{ z: 2 },
			[
				["", 'expected property "a", which is missing'],
				["", 'unexpected property "z"'],
			],
		],
		[{ allOf: [{ ...part, additionalProperties: false }] }, { a: "", z: 2 }, [["", 'unexpected property "z"']]],
		[
			{ allOf: [{ ...part, unevaluatedProperties: false }] },
			{ a: 1, z: 2 },
			[
				["", 'unexpected property "z"'],
				["/a", wrong],
			],
		],
		[
			{ prefixItems: [{ type: "string" }] },
			[1, 2],
			[
				["", "unexpected item 1"],
				["/0", wrong],
			],
		],
		[{ allOf: [{ prefixItems: [{}], items: false }] }, [1, 2], [["", "expected at most 1 items, got 2"]]],
		// What only a choice could have asked for is not held against the value while none of the choices fits.
		[
			choice,
			{ b: 1 },
			[
				[
					"",
					'expected a match of one of 2 alternatives, an object matches none; closest: expected property "c", which is missing',
				],
			],
		],
		[{ oneOf: [part, {}] }, { a: "" }, [["", "expected exactly one of 2 alternatives to match, got 2 (0, 1)"]]],
		[{ contains: { const: 1 } }, [2], [["", "expected at least 1 matching items, got 0"]]],
	];
	for (const [schema, value, errors] of cases) {
		const closed = { ...(schema as JsonObject), unevaluatedProperties: false, unevaluatedItems: false };
		assert.deepEqual(errorsOf(closed, value), errors, JSON.stringify(closed));
	}
});

verifies("003-1-draft-2020-12", "a dynamic reference finds the outermost anchor in scope", () => {
	const tree = {
		$id: "https://example.test/tree",
		$dynamicAnchor: "node",
		type: "object",
		properties: { children: { type: "array", items: { $dynamicRef: "#node" } } },
	};
	const strict = {
		$id: "https://example.test/strict",
		$dynamicAnchor: "node",
		$ref: "tree",
		unevaluatedProperties: false,
	};
	const documents = [tree, strict].map((root) => ({ uri: root.$id, label: root.$id, root }));
	const [, document] = documents;
	assert.ok(document);
	const validator = new Validator(documents);
	assert.deepEqual(validator.validate(document, { children: [{ children: [] }] }), []);
	assert.deepEqual(
		validator.validate(document, { children: [{ daat: 1 }] }).map(({ path }) => path),
		["/children/0"],
	);
});

verifies(
	["003-5-error-pointers", "003-5-error-sort"],
	"errors carry absolute pointers and are sorted by path, then message, in code point order",
	() => {
		const schema = {
			properties: {
				"a/b": { type: "string" },
				"m~n": { type: "string" },
				"": { type: "string" },
				arr: { items: { type: "integer" } },
				o: { required: ["z", "a"] },
				"\uffff": false,
				"😀": false,
			},
		};
		const value = {
			"a/b": 1,
			"m~n": 1,
			"": 1,
			arr: ["x", 1, "x", 1, 1, 1, 1, 1, 1, 1, "x"],
			o: {},
			"\uffff": 1,
			"😀": 1,
		};
		assert.deepEqual(errorsOf(schema, value), [
			["/", "expected a string, got an integer"],
			["/arr/0", "expected an integer, got a string"],
			["/arr/10", "expected an integer, got a string"],
			["/arr/2", "expected an integer, got a string"],
			["/a~1b", "expected a string, got an integer"],
			["/m~0n", "expected a string, got an integer"],
			["/o", 'expected property "a", which is missing'],
			["/o", 'expected property "z", which is missing'],
			["/\uffff", "no value is allowed here"],
			["/😀", "no value is allowed here"],
		]);
		assert.deepEqual(errorsOf({ type: "object" }, []), [["", "expected an object, got an array"]]);
	},
);

verifies(
	"003-8-base-uri",
	"a schema without $id resolves references against its own file, in any folder and never over the network",
	(t) => {
		const root = folder(t, {
			"s/noid.schema.json": {
				...DRAFT,
				properties: { t: { $ref: "target.schema.json" }, d: { $ref: "defs/deep.json#/$defs/n" } },
			},
			"s/target.schema.json": { ...DRAFT, type: "string" },
			"s/defs/deep.json": { $defs: { n: { $ref: "../target.schema.json" } } },
			"s/mixed.schema.json": {
				$id: "https://a.test/mixed.schema.json",
				properties: { t: { $ref: "other.schema.json" } },
			},
			"s/other.schema.json": { $id: "https://b.test/renamed.json", type: "integer" },
			"s/remote.schema.json": { properties: { a: { $ref: "http://127.0.0.1:9/none.json" } } },
			"s/outside.schema.json": { $ref: "../outside.json" },
			"outside.json": {},
		});
		const assets = new Assets(readSettings({ SYN_SCHEMAS_DIR: "s" }, root));
		assert.deepEqual(assets.validateAsset({ t: "x", d: "y" }, "noid"), { ok: true });
		assert.deepEqual(assets.validateAsset({ t: 5, d: 6 }, "noid"), {
			ok: false,
			reason: "validation_failed",
			errors: [
				{ path: "/d", msg: "expected a string, got an integer" },
				{ path: "/t", msg: "expected a string, got an integer" },
			],
		});
		assert.equal(assets.validateAsset({ t: "x" }, "mixed").ok, false);
		for (const name of ["remote", "outside"]) {
			const result = assets.validateAsset({}, name);
			assert.ok(!result.ok && result.reason === "validation_failed");
			assert.match(result.errors[0]?.msg ?? "", /points at nothing among the schema files/);
			assert.doesNotMatch(JSON.stringify(result), new RegExp(root));
		}
	},
);

verifies(
	["003-6-validation-error", "003-4-validate-schema-required", "003-4-validate-asset"],
	"validation answers ok, or the errors; a schema is never guessed",
	(t) => {
		const root = folder(t, {
			"s/v.schema.json": { type: "object", required: ["a"] },
			"s/draft7.schema.json": { $schema: "http://json-schema.org/draft-07/schema#", items: [{}] },
			"s/bad.schema.json": { type: "objekt" },
		});
		const assets = new Assets(readSettings({ SYN_SCHEMAS_DIR: "s" }, root));
		assert.deepEqual(assets.validateAsset({ a: 1 }, "v"), { ok: true });
		assert.deepEqual(assets.validateAsset({}, "v"), {
			ok: false,
			reason: "validation_failed",
			errors: [{ path: "", msg: 'expected property "a", which is missing' }],
		});
		for (const schema of [undefined, null, "", 5, {}, ["v"], "nope", "V", "../s/v", "v.schema.json"]) {
			const result = assets.validateAsset({ a: 1, schema: "v", $schemaRef: "v" }, schema);
			assert.ok(
				!result.ok &&
					result.reason === "validation_failed" &&
					result.errors.length === 1 &&
					result.errors[0]?.path === "",
				String(schema),
			);
		}
		assert.match(JSON.stringify(assets.validateAsset({}, "draft7")), /is not draft 2020-12/);
		assert.match(JSON.stringify(assets.validateAsset({}, "bad")), /is not a draft 2020-12 schema: at \\"\/type\\"/);
		assert.equal(assets.validateAsset(undefined, "v").ok, false);
	},
);

verifies(
	["003-9-alias-nested", "003-9-ignore-schema-ref"],
	"the nested alias validates as the canonical schema, and a top-level $schemaRef is ignored",
	(t) => {
		const root = folder(t, {
			"s/synesthetic-asset.schema.json": {
				type: "object",
				properties: { name: { type: "string" } },
				additionalProperties: false,
			},
		});
		const assets = new Assets(readSettings({ SYN_SCHEMAS_DIR: "s" }, root));
		for (const asset of [{ name: "x" }, { name: 5 }, { other: 1 }, [], 5])
			assert.deepEqual(
				assets.validateAsset(asset, "nested-synesthetic-asset"),
				assets.validateAsset(asset, "synesthetic-asset"),
			);
		for (const $schemaRef of ["synesthetic-asset.schema.json", "http://127.0.0.1:9/none.json", 5, null]) {
			assert.deepEqual(assets.validateAsset({ name: "x", $schemaRef }, "nested-synesthetic-asset"), { ok: true });
			assert.deepEqual(
				assets.validateAsset({ name: 5, $schemaRef }, "nested-synesthetic-asset"),
				assets.validateAsset({ name: 5 }, "synesthetic-asset"),
			);
		}
		assert.equal(assets.validateAsset({ name: { $schemaRef: "x" } }, "nested-synesthetic-asset").ok, false);
	},
);

const REPEATING: readonly (readonly [says: string, schema: JsonObject])[] = [
	[
		"a schema that extends another",
		{
			$ref: "#/$defs/extended",
			$defs: {
				base: { properties: { a: { $ref: "#/$defs/extended" } } },
				extended: {
					allOf: [{ $ref: "#/$defs/base" }],
					properties: { a: { $ref: "#/$defs/extended" }, b: { type: "string" } },
				},
			},
		},
	],
	[
		"a pattern beside a name",
		{ properties: { a: { $ref: "#" }, b: { type: "string" } }, patternProperties: { "^a": { $ref: "#" } } },
	],
	[
		"a condition",
		{
			if: { properties: { a: { $ref: "#" } } },
			else: { properties: { a: { $ref: "#" } } },
			properties: { b: { type: "string" } },
		},
	],
	[
		"a member that others depend on",
		{
			dependentSchemas: { a: { properties: { a: { $ref: "#" } } } },
			properties: { a: { $ref: "#" }, b: { type: "string" } },
		},
	],
	[
		"references to one definition",
		{
			$ref: "#/$defs/n",
			allOf: [{ $ref: "#/$defs/n" }],
			$defs: { n: { properties: { a: { $ref: "#" }, b: { type: "string" } } } },
		},
	],
	[
		"a dynamic reference",
		{
			$dynamicAnchor: "n",
			properties: { a: { $dynamicRef: "#n" }, b: { type: "string" } },
			allOf: [{ properties: { a: { $dynamicRef: "#n" } } }],
		},
	],
];

for (const [says, schema] of REPEATING) {
	test(`a value of sixty levels is judged where ${says} leads into each level twice, and what is wrong is said once`, () => {
		const nested = (leaf: JsonValue): JsonValue => {
			let value = leaf;
			for (let level = 0; level < 60; level += 1) value = { a: value };
			return value;
		};
		assert.deepEqual(errorsOf(schema, nested({ b: "" })), []);
		assert.deepEqual(errorsOf(schema, nested({ b: 1 })), [
			[`${"/a".repeat(60)}/b`, "expected a string, got an integer"],
		]);
	});
}

test("items that both items and contains ask about are judged once a level", () => {
	const schema = { type: ["array", "null"], items: { $ref: "#" }, contains: { $ref: "#" } };
	let value: JsonValue = null;
	for (let level = 0; level < 60; level += 1) value = [value];
	assert.deepEqual(errorsOf(schema, value), []);
});

test("anyOf and oneOf of one schema are decided apart, however many values there are", () => {
	const schema = {
		items: {
			anyOf: [{ required: ["a"] }, { required: ["b"] }],
			oneOf: [{ required: ["a"] }, { properties: { a: { type: "string" } } }],
		},
	};
	const items = Array.from({ length: 1_000 }, () => ({ a: "by both" }));
	assert.equal(errorsOf(schema, items).length, 1_000);
	assert.deepEqual(errorsOf(schema, [...items.map(() => ({ b: 1 })), { a: "by both" }]), [
		["/1000", "expected exactly one of 2 alternatives to match, got 2 (0, 1)"],
	]);
});

test("one value by one schema is judged apart where a dynamic reference leads elsewhere, however many there are", () => {
	const leaf = (type: string): JsonValue => ({ leaf: { $dynamicAnchor: "leaf", type: "array", items: { type } } });
	const schema = (choice: readonly string[]): JsonValue => ({
		oneOf: choice.map((type) => ({ $ref: type })),
		$defs: {
			list: { $id: "list", items: { $dynamicRef: "#leaf" }, $defs: { leaf: { $dynamicAnchor: "leaf" } } },
			string: { $id: "string", $ref: "list", $defs: leaf("string") },
			number: { $id: "number", $ref: "list", $defs: leaf("number") },
		},
	});
	const lists = Array.from({ length: 20_000 }, () => [""]);
	assert.deepEqual(errorsOf(schema(["string", "number"]), lists), []);
	assert.deepEqual(errorsOf(schema(["number", "string"]), lists), []);
	assert.equal(errorsOf(schema(["number", "number"]), lists).length, 1);
});

test("equal scalars in several places are each told of, however often each is looked at", () => {
	const twice = { $ref: "#/$defs/a", if: { $ref: "#/$defs/a" }, else: { $ref: "#/$defs/a" } };
	const $defs = { a: { allOf: [{ type: "string" }, { minimum: 2 }, { not: { const: 1 } }] } };
	let wide: JsonValue = { ...twice };
	for (let i = 0; i < 16; i += 1) wide = { if: wide, else: wide };
	const found = errorsOf(
		{ items: wide, $defs },
		Array.from({ length: 4 }, () => 1),
	);
	assert.deepEqual([...new Set(found.map(([path]) => path))], ["/0", "/1", "/2", "/3"]);
	assert.equal(found.length, 12);
});

test("a schema that refers to itself without end is a problem, a value nested without measure an error, neither a crash", () => {
	assert.throws(
		() => errorsOf({ $ref: "#" }, [1]),
		(error: unknown) => error instanceof SchemaProblem && / refers to itself without end$/.test(error.message),
	);
	const deep = parseJson(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
	assert.deepEqual(errorsOf({ items: { $ref: "#" } }, deep), [["", "nested too deeply to be checked: 200000 levels"]]);
	assert.deepEqual(errorsOf({ items: { $ref: "#" }, uniqueItems: true }, deep), [
		["", "nested too deeply to be checked: 200000 levels"],
	]);
});

test("a value nested too deeply spoils no later verdict, and violations at any depth are all found", () => {
	const root: JsonValue = { properties: { a: { $ref: "#" } }, additionalProperties: { type: "string" } };
	const document = { uri: "file:///a.json", label: "a", root };
	const validator = new Validator([document]);
	const nested = (levels: number): JsonValue => {
		let value: JsonValue = { b: 1 };
		for (let i = 0; i < levels; i += 1) value = { a: value, c: i === 0 ? 2 : "" };
		return value;
	};
	assert.match(validator.validate(document, nested(50_000))[0]?.msg ?? "", /^nested too deeply/);
	for (const levels of [1, 15, 16, 17, 40]) {
		const found = validator.validate(document, nested(levels)).map(({ path }) => path);
		const parent = "/a".repeat(levels - 1);
		assert.deepEqual(found, [`${parent}/a/b`, `${parent}/c`], `${levels}`);
	}
});

test("a schema that applies others twice over at every level is no larger for it", () => {
	const $defs: Record<string, JsonValue> = { level0: { type: "string" } };
	for (let i = 0; i < 40; i += 1) {
		const lower = { $ref: `#/$defs/level${i}` };
		$defs[`level${i + 1}`] = { allOf: [lower, lower] };
	}
	assert.deepEqual(errorsOf({ not: { $ref: "#/$defs/level40" }, $defs }, 1), []);
});

test("a pattern that is no regular expression makes the schema unusable, an old-fashioned one does not", () => {
	assert.throws(() => errorsOf({ pattern: "(" }, "x"), /pattern "\(" is not a regular expression/);
	assert.throws(() => errorsOf({ patternProperties: { "[": true } }, {}), SchemaProblem);
	assert.deepEqual(errorsOf({ pattern: "^[\\w-\\.]+\\-$" }, "a.b-"), []);
	let deep: JsonValue = {};
	for (let i = 0; i < 100_000; i += 1) deep = { not: deep };
	assert.throws(() => errorsOf(deep, 1), SchemaProblem);
});

test("an escape that says nothing leaves a pattern its Unicode rules", () => {
	const name = { pattern: "^\\p{L}[\\p{L}\\'\\ \\-]*\\-.$" };
	assert.deepEqual(errorsOf(name, "Zoë O'Brien-😀"), []);
	assert.equal(errorsOf(name, "p{L}-x").length, 1);
	assert.deepEqual(errorsOf({ patternProperties: { "^\\p{Lu}\\_": false } }, { É_: 1 }).length, 1);
});

test("a choice of alternatives that lead back to it takes no longer with each level of a value", () => {
	for (const choice of ["anyOf", "oneOf"]) {
		const expression = { $ref: "#/$defs/expression" };
		// The member that tells the alternatives apart comes after one that leads back.
		const alternatives = ["add", "sub", "mul", "div", "and", "or"].map((op) => ({
			properties: { left: expression, op: { const: op }, right: expression },
			required: ["left", "op", "right"],
		}));
		const leaf = { properties: { value: { type: "number" } }, required: ["value"], additionalProperties: false };
		const schema = { ...expression, $defs: { expression: { [choice]: [...alternatives, leaf] } } };
		const tree = (value: JsonValue): JsonValue => {
			let grown: JsonValue = { value };
			for (let i = 0; i < 40; i += 1) grown = { left: grown, op: "or", right: { value: 1 } };
			return grown;
		};
		assert.deepEqual(errorsOf(schema, tree(2)), []);
		const closest = `${"/left".repeat(40)}/value: expected a number, got a string`;
		assert.deepEqual(errorsOf(schema, tree("two")), [
			["", `expected a match of one of 7 alternatives, an object matches none; closest: ${closest}`],
		]);
	}
});

test("a refused document stays refused", () => {
	const document = { uri: "file:///a.json", label: "a", root: { $ref: "nowhere.json" } };
	const validator = new Validator([document]);
	for (let i = 0; i < 3; i += 1) assert.throws(() => validator.validate(document, 1), /points at nothing/);
	const custom = { uri: "file:///b.json", label: "b", root: { $schema: "file:///meta.json" } };
	const meta = {
		uri: "file:///meta.json",
		label: "meta",
		root: { $vocabulary: { "https://example.test/vocab": true }, $ref: "nowhere.json" },
	};
	const picky = new Validator([custom, meta]);
	for (let i = 0; i < 3; i += 1) assert.throws(() => picky.validate(custom, 1), SchemaProblem);
});

test("the metaschema of an older draft among the files does not make schemas of that draft usable", () => {
	const draft = "http://json-schema.org/draft-07/schema#";
	const metaschema = { uri: "file:///draft-07.json", label: "draft-07", root: { $schema: draft, $id: draft } };
	const root = { $schema: draft, dependencies: { a: ["b"] } };
	const document = { uri: "file:///a.json", label: "a", root };
	const validator = new Validator([metaschema, document]);
	for (const one of [document, metaschema])
		assert.throws(
			() => validator.validate(one, { a: 1 }),
			(error: unknown) => error instanceof SchemaProblem && / is not draft 2020-12, the only /.test(error.message),
		);
	// One that says no more than that it is written in this draft describes it.
	const house = { uri: "file:///house.json", label: "house", root: { $id: "https://x.test/house" } };
	const other = { uri: "file:///b.json", label: "b", root: { $schema: "https://x.test/house", type: "string" } };
	assert.equal(new Validator([house, other]).validate(other, 1).length, 1);
});

test("a number is the same to every keyword, however it is spelt and whether its spelling is kept", () => {
	const cases: readonly [JsonValue, string, boolean][] = [
		[{ enum: [1, "a"] }, "1.0", true],
		[{ enum: [100] }, "1e2", true],
		[{ enum: [[1], { a: 0 }] }, '{"a":-0.0}', true],
		[{ enum: [1] }, "1.5", false],
		[{ const: 1 }, "1.0", true],
		[{ uniqueItems: true }, "[1,1.0]", false],
		[{ uniqueItems: true }, '[{"a":[1e2]},{"a":[100]}]', false],
		[{ uniqueItems: true }, "[0,-0.0]", false],
		[{ uniqueItems: true }, "[1e400,10e399]", false],
		[{ uniqueItems: true }, '[1,1.5,"1",true,9007199254740992,9007199254740993]', true],
		[{ type: "integer", minimum: 2, maximum: 2, multipleOf: 2 }, "2.0", true],
	];
	for (const [schema, text, isValid] of cases)
		for (const value of [parseJson(text), parseSpelt(text)])
			assert.equal(errorsOf(schema, value).length === 0, isValid, `${JSON.stringify(schema)} ${text}`);
});

test("a hostile array is checked for repeats in time that grows with its length", () => {
	const items = Array.from({ length: 200_000 }, (_, i) => ({ i }));
	assert.deepEqual(errorsOf({ uniqueItems: true }, items), []);
	// And so are the arrays around it.
	let nested: JsonValue = items.slice(0, 20_000);
	for (let i = 0; i < 200; i += 1) nested = [nested, [i]];
	const atAllLevels = { uniqueItems: true, items: { $ref: "#" } };
	assert.deepEqual(errorsOf(atAllLevels, nested), []);
	assert.deepEqual(errorsOf(atAllLevels, [[nested], [[...(nested as JsonValue[])]]]), [
		["", "expected unique items, item 1 repeats"],
	]);
});

test("a reference to a place that is no schema's is followed only to what is a schema all the same", () => {
	const refersTo = (target: JsonValue): JsonValue => ({ $ref: "#/x-parts/0", "x-parts": [target] });
	assert.deepEqual(errorsOf(refersTo({ minimum: 5 }), 4), [["", "expected at least 5, got 4"]]);
	for (const [target, place] of [
		[{ minimum: "5" }, "/x-parts/0/minimum"],
		[{ items: { type: "objekt" } }, "/x-parts/0/items/type"],
	] as const)
		assert.throws(
			() => errorsOf(refersTo(target), 4),
			(error: unknown) => error instanceof SchemaProblem && error.message.includes(`at ${JSON.stringify(place)}`),
		);
});
