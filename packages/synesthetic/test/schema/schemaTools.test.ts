import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { Assets } from "../../src/assets.ts";
import { applyPatch } from "../../src/diff/applyPatch.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/json/jsonValue.ts";
import { parseSpelt } from "../../src/json/parseJson.ts";
import { checkCompatibility } from "../../src/schema/checkCompatibility.ts";
import type { SchemaSubject } from "../../src/schema/schemaArgument.ts";
import { suggestFix } from "../../src/schema/suggestFix.ts";
import { TOOLS } from "../../src/server/tools/tools.ts";
import { readSettings } from "../../src/settings.ts";
import { Validator } from "../../src/validate/validator.ts";
import { folder } from "../folder.ts";

const assetsOf = (t: TestContext, schemas: Record<string, unknown> = {}): Assets =>
	new Assets(
		readSettings(
			{ SYN_SCHEMAS_DIR: "s" },
			folder(t, Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`s/${name}.schema.json`, schema]))),
		),
	);
const run = (name: string, args: JsonObject, assets: Assets): Record<string, unknown> =>
	JSON.parse(JSON.stringify(TOOLS.get(name)?.run(args, assets)));
const subject = (root: JsonValue): SchemaSubject => {
	const document = { uri: "file:///schema.json", label: "schema", root };
	return { document, validator: new Validator([document]) };
};

const PAIRS: readonly (readonly [
	says: string,
	before: JsonValue,
	after: JsonValue,
	verdict: string,
	reasons: string[],
])[] = [
	["an equal schema", { type: "string" }, { type: "string", title: "T" }, "FULL", []],
	[
		"a new optional property of an open object",
		{ type: "object" },
		{ type: "object", properties: { a: { type: "string" } } },
		"FORWARD",
		["BACKWARD /a only string is allowed now"],
	],
	[
		"a new optional property of a closed object",
		{ properties: {}, additionalProperties: false },
		{ properties: { a: {} }, additionalProperties: false },
		"BACKWARD",
		["FORWARD /a the property was not allowed before"],
	],
	[
		"a new required property",
		{ properties: { a: {} } },
		{ properties: { a: {} }, required: ["a"] },
		"FORWARD",
		['BACKWARD  "a" is required now'],
	],
	["a wider type", { type: "integer" }, { type: "number" }, "BACKWARD", ["FORWARD  number was not allowed before"]],
	["a narrower enum", { enum: ["a", "b"] }, { enum: ["a"] }, "FORWARD", ['BACKWARD  "b" is not allowed any more']],
	["a tighter bound", { maximum: 10 }, { maximum: 5 }, "FORWARD", ["BACKWARD  maximum is 5, was 10"]],
	[
		"crossed changes",
		{ type: "string", maxLength: 5 },
		{ type: ["string", "null"], maxLength: 3 },
		"NONE",
		["BACKWARD  maxLength is 3, was 5", "FORWARD  null was not allowed before"],
	],
	[
		"a changed definition behind an unchanged reference",
		{ $ref: "#/$defs/a", $defs: { a: { type: "string" } } },
		{ $ref: "#/$defs/a", $defs: { a: { type: "integer" } } },
		"NONE",
		["BACKWARD  string is not allowed any more", "FORWARD  integer was not allowed before"],
	],
	[
		"a changed definition inside an unchanged anyOf",
		{ anyOf: [{ $ref: "#/$defs/a" }], $defs: { a: { minimum: 1 } } },
		{ anyOf: [{ $ref: "#/$defs/a" }], $defs: { a: { minimum: 2 } } },
		"NONE",
		["BACKWARD  anyOf changed and may refuse more", "FORWARD  anyOf changed and may have refused more"],
	],
	[
		"one more alternative",
		{ anyOf: [{ type: "string" }] },
		{ anyOf: [{ type: "string" }, { type: "null" }] },
		"BACKWARD",
		["FORWARD  anyOf changed and may have refused more"],
	],
	[
		"items",
		{ items: { type: "string" } },
		{ items: { type: "string", minLength: 1 } },
		"FORWARD",
		["BACKWARD /* minLength is 1, was not set"],
	],
	[
		"names whose pattern is given up, so that the rule for others holds for them",
		{ patternProperties: { "^x": { type: "number" } }, additionalProperties: { type: "string" } },
		{ additionalProperties: { type: "string" } },
		"NONE",
		["BACKWARD /* only string is allowed now", "FORWARD  patternProperties is gone and may have refused more"],
	],
	[
		"a new property whose name a pattern has covered",
		{ patternProperties: { "^x": { type: "number" } }, additionalProperties: false },
		{
			properties: { x1: { type: "string" } },
			patternProperties: { "^x": { type: "number" } },
			additionalProperties: false,
		},
		"NONE",
		["BACKWARD /x1 only string is allowed now", "FORWARD /x1 the property was not allowed before"],
	],
	[
		"a list of values beside a constant",
		{ const: 1 },
		{ const: 1, enum: [2] },
		"FORWARD",
		["BACKWARD  1 is not allowed any more"],
	],
	[
		"a bound halfway along a chain of references",
		{},
		{ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b", minimum: 5 }, b: {} } },
		"FORWARD",
		["BACKWARD  minimum is 5, was not set"],
	],
	[
		"a bound halfway along a chain of references inside an unchanged anyOf",
		{ anyOf: [{ $ref: "#/$defs/a" }], $defs: { a: { $ref: "#/$defs/b", minimum: 5 }, b: {} } },
		{ anyOf: [{ $ref: "#/$defs/a" }], $defs: { a: { $ref: "#/$defs/b", minimum: 9 }, b: {} } },
		"NONE",
		["BACKWARD  anyOf changed and may refuse more", "FORWARD  anyOf changed and may have refused more"],
	],
	[
		"a changed definition behind an unchanged dynamic reference",
		{ $dynamicRef: "#n", $defs: { n: { $dynamicAnchor: "n", type: "string" } } },
		{ $dynamicRef: "#n", $defs: { n: { $dynamicAnchor: "n", type: "number" } } },
		"NONE",
		["BACKWARD  $dynamicRef changed and may refuse more", "FORWARD  $dynamicRef changed and may have refused more"],
	],
	[
		"an equal schema that closes what a reference has left open",
		{ $ref: "#/$defs/a", unevaluatedProperties: false, $defs: { a: { properties: { b: {} } } } },
		{ $ref: "#/$defs/a", unevaluatedProperties: false, $defs: { a: { properties: { b: {} } } } },
		"FULL",
		[],
	],
	[
		"an equal schema with a dynamic reference",
		{ $dynamicAnchor: "n", items: { $dynamicRef: "#n" } },
		{ $dynamicAnchor: "n", items: { $dynamicRef: "#n" } },
		"FULL",
		[],
	],
	[
		"what annotates, in a choice too",
		{
			title: "A",
			oneOf: [{ type: "string", description: "one" }, { $ref: "#/$defs/a" }],
			$defs: { a: { title: "A" } },
		},
		{ markdownDescription: "**A**", oneOf: [{ type: "string" }, { $ref: "#/$defs/b" }], $defs: { b: { tsType: "B" } } },
		"FULL",
		[],
	],
	[
		"a member named like a keyword that annotates, in a choice",
		{ oneOf: [{ properties: { title: { type: "string" } } }] },
		{ oneOf: [{ properties: { title: { type: "number" } } }] },
		"NONE",
		["BACKWARD  oneOf changed and may refuse more", "FORWARD  oneOf changed and may have refused more"],
	],
	[
		"what holds anyway, written out",
		{ contains: { type: "null" } },
		{ contains: { type: "null" }, minContains: 1, uniqueItems: false, $dynamicAnchor: "a" },
		"FULL",
		[],
	],
	[
		"more items that must match",
		{ contains: { type: "null" } },
		{ contains: { type: "null" }, minContains: 2 },
		"FORWARD",
		["BACKWARD  minContains is 2, was 1"],
	],
	[
		"one difference that several references lead to",
		{ allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }], $defs: { a: {}, b: {} } },
		{
			allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }],
			$defs: { a: { type: "string" }, b: { type: "string" } },
		},
		"FORWARD",
		["BACKWARD  only string is allowed now"],
	],
	[
		"a branch that moves to the definitions",
		{ anyOf: [{ type: "string" }, { $ref: "#/$defs/t" }], $defs: { t: { not: { $ref: "#" } } } },
		{
			anyOf: [{ $ref: "#/$defs/s" }, { not: { $ref: "#" } }],
			$defs: { s: { title: "S", $ref: "#/$defs/r" }, r: { type: "string" } },
		},
		"FULL",
		[],
	],
];

for (const [says, before, after, verdict, reasons] of PAIRS) {
	test(`compatibility of ${says} is ${verdict}`, () => {
		const report = checkCompatibility(subject(before), subject(after));
		assert.equal(report.compatibility, verdict);
		assert.deepEqual(
			report.reasons.map(({ breaks, path, msg }) => `${breaks} ${path} ${msg}`),
			reasons,
		);
	});
}

const GIVEN_UP: readonly (readonly [before: JsonValue, after: JsonValue, reason: string])[] = [
	[false, {}, "no value was allowed before"],
	[{ type: "string" }, {}, "only string was allowed before"],
	[{ enum: [1, 2] }, {}, "only what is listed was allowed before"],
	[{ enum: [1, 2] }, { enum: [1, 2, 3] }, "3 was not allowed before"],
	[{ minimum: 1 }, {}, "minimum was 1, is not set"],
	[{ maximum: 5 }, { maximum: 10 }, "maximum was 5, is 10"],
	[{ required: ["a"] }, {}, '"a" is not required any more'],
	[{ required: ["a", "b"] }, {}, '"a", "b" are not required any more'],
	[{ pattern: "^a" }, {}, "pattern is gone and may have refused more"],
];

test("what a new schema gives up is told as what the old one had", () => {
	for (const [before, after, msg] of GIVEN_UP)
		assert.deepEqual(checkCompatibility(subject(before), subject(after)), {
			compatibility: "BACKWARD",
			reasons: [{ breaks: "FORWARD", path: "", msg }],
		});
});

test("schemas of dialects with different keywords promise each other nothing, with the same keywords they do", () => {
	const metaschema = (vocabularies: readonly string[]) => ({
		$id: `https://m.test/${vocabularies.join("-")}`,
		$schema: "https://json-schema.org/draft/2020-12/schema",
		$vocabulary: Object.fromEntries(
			vocabularies.map((name) => [`https://json-schema.org/draft/2020-12/vocab/${name}`, true]),
		),
	});
	const some = metaschema(["core", "applicator"]);
	const all = metaschema(["core", "applicator", "validation", "unevaluated"]);
	const documents = [
		{ $schema: some.$id, type: "string" },
		{ $schema: all.$id, type: "string" },
		{ type: "string" },
		some,
		all,
	].map((root, i) => ({ uri: `file:///${i}.json`, label: `${i}`, root }));
	const validator = new Validator(documents);
	const [bare, full, standard] = documents.map((document) => ({ document, validator }));
	assert.ok(bare && full && standard);
	assert.deepEqual(checkCompatibility(bare, standard), {
		compatibility: "NONE",
		reasons: [
			{ breaks: "BACKWARD", path: "", msg: "$schema names another dialect, which may refuse more" },
			{ breaks: "FORWARD", path: "", msg: "$schema names another dialect, which may refuse less" },
		],
	});
	assert.equal(checkCompatibility(full, standard).compatibility, "FULL");
});

test("a dialect with other keywords counts also below keywords that are compared as a whole, and beside $ref", () => {
	const metaschema = {
		$id: "https://m.test/bare",
		$schema: "https://json-schema.org/draft/2020-12/schema",
		$vocabulary: Object.fromEntries(
			["core", "applicator"].map((name) => [`https://json-schema.org/draft/2020-12/vocab/${name}`, true]),
		),
	};
	const bare = { $id: "https://m.test/a", $schema: metaschema.$id, type: "string" };
	const standard = { $id: "https://m.test/b", $schema: metaschema.$schema, $ref: "#/$defs/any", $defs: { any: {} } };
	const pairs: readonly [JsonObject, JsonObject][] = [
		[{ anyOf: [bare] }, { anyOf: [{ type: "string" }] }],
		[{ not: { not: bare } }, { not: { not: { type: "string" } } }],
		[{ patternProperties: { "": bare } }, { patternProperties: { "": { type: "string" } } }],
		[
			{ $schema: metaschema.$id, properties: { a: { type: "string" } } },
			{ $schema: metaschema.$id, properties: { a: { ...standard, type: "string" } } },
		],
	];
	for (const [before, after] of pairs) {
		const documents = [before, after, metaschema].map((root, i) => ({ uri: `file:///${i}.json`, label: `${i}`, root }));
		const validator = new Validator(documents);
		const [old, now] = documents.map((document) => ({ document, validator }));
		assert.ok(old && now);
		assert.equal(checkCompatibility(old, now).compatibility, "NONE", JSON.stringify(after));
	}
});

const leaf = fc.oneof(
	fc.constantFrom<JsonValue>(
		{},
		{ type: "string" },
		{ type: "integer" },
		{ type: ["number", "null"] },
		{ enum: [1, "a", null] },
		{ const: true },
		false,
		true,
	),
	fc.record({ minimum: fc.integer({ min: -2, max: 2 }) }),
	fc.record({ maxLength: fc.integer({ min: 0, max: 2 }) }),
);
const schemaArbitrary: fc.Arbitrary<JsonValue> = fc.letrec<{ schema: JsonValue }>((tie) => ({
	schema: fc.oneof(
		{ maxDepth: 2 },
		leaf,
		fc.record({ properties: fc.record({ a: tie("schema") }), additionalProperties: tie("schema") }),
		fc.record({ properties: fc.record({ a: tie("schema"), b: tie("schema") }), required: fc.subarray(["a", "b"]) }),
		fc.record({ items: tie("schema") }),
		fc.record({ prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }), items: tie("schema") }),
		fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
		fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
		fc.record({ not: tie("schema") }),
		fc.record({ patternProperties: fc.record({ "^[ac]": tie("schema") }), additionalProperties: tie("schema") }),
		fc.record({ enum: fc.constant([1, "a", { a: 1 }]), const: fc.constantFrom<JsonValue>(1, "a", 2) }),
		fc.record({ contains: tie("schema"), minContains: fc.integer({ min: 0, max: 2 }) }),
		fc.record({ if: tie("schema"), else: tie("schema") }),
		fc.record({ unevaluatedProperties: tie("schema") }),
	),
})).schema;
const values: JsonValue[] = [
	null,
	true,
	false,
	0,
	1,
	-3,
	1.5,
	"",
	"a",
	"abcd",
	[],
	[1],
	["a", null],
	{},
	{ a: 1 },
	{ a: "a", b: null },
	{ c: 1 },
	{ a: [1], b: {} },
];

/** Versions of one schema: what is not in both is from one of two others. */
const versions = fc
	.tuple(schemaArbitrary, schemaArbitrary, schemaArbitrary, fc.boolean())
	.map(([shared, one, other, isClosed]): [JsonValue, JsonValue] =>
		isJsonObject(shared) && isJsonObject(one) && isJsonObject(other)
			? [{ ...one, ...shared }, isClosed ? { ...other, ...shared } : { ...shared, ...other }]
			: [one, other],
	);

test("no schema that cannot be used is called compatible with another", (t) => {
	const assets = assetsOf(t);
	const refused: readonly [JsonValue, JsonValue, string][] = [
		[{}, { minimum: "5" }, 'new_schema: new_schema is not a draft 2020-12 schema: at "/minimum", '],
		[{ type: "objekt" }, {}, 'old_schema: old_schema is not a draft 2020-12 schema: at "/type", '],
		[{}, { $ref: "none.json" }, 'new_schema: $ref "none.json" in new_schema points at nothing'],
	];
	for (const [old_schema, new_schema, says] of refused) {
		const { ok, errors } = run("check_compatibility", { old_schema, new_schema }, assets);
		assert.equal(ok, false);
		const [{ path, msg } = { path: "none", msg: "" }] = errors as { path: string; msg: string }[];
		assert.equal(path, "");
		assert.ok(msg.startsWith(says), msg);
	}
});

test("a promise of compatibility is never broken by a value", () => {
	fc.assert(
		fc.property(versions, ([before, after]) => {
			const [old, now] = [subject(before), subject(after)];
			const { compatibility } = checkCompatibility(old, now);
			const accepts = ({ document, validator }: SchemaSubject, value: JsonValue) =>
				validator.validate(document, value).length === 0;
			for (const value of values) {
				if (["FULL", "BACKWARD"].includes(compatibility) && accepts(old, value))
					assert.ok(accepts(now, value), JSON.stringify(value));
				if (["FULL", "FORWARD"].includes(compatibility) && accepts(now, value))
					assert.ok(accepts(old, value), JSON.stringify(value));
			}
		}),
		{ numRuns: 400 },
	);
});

test("a bundle needs no other file and judges as the original does", (t) => {
	const assets = assetsOf(t, {
		root: { properties: { a: { $ref: "leaf.schema.json" }, b: { $ref: "https://b.test/b#/$defs/n" } } },
		leaf: { type: "object", properties: { next: { $ref: "leaf.schema.json" }, c: { $ref: "named.schema.json" } } },
		named: { $id: "https://b.test/b", $defs: { n: { type: "null" } }, type: "string" },
		broken: { $ref: "nowhere.json" },
	});
	const { ok, schema } = run("bundle_schema", { schema: "root" }, assets) as { ok: boolean; schema: JsonObject };
	assert.ok(ok);
	const alone = subject(schema);
	for (const value of [
		{ a: { next: { next: {} } } },
		{ a: { next: { next: 5 } } },
		{ b: null },
		{ b: 1 },
		{ a: { c: "x" } },
		{ a: { c: 5 } },
	])
		assert.equal(
			alone.validator.validate(alone.document, value).length === 0,
			assets.validateAsset(value, "root").ok,
			JSON.stringify(value),
		);
	assert.match(
		JSON.stringify(run("bundle_schema", { schema: "broken" }, assets)),
		/validation_failed.*points at nothing/,
	);
	assert.match(JSON.stringify(run("bundle_schema", { schema: "nope" }, assets)), /there is no schema named/);
});

test("a bundle keeps a schema's own definitions, whichever file has the name of one", (t) => {
	const assets = assetsOf(t, {
		root: {
			properties: { q: { $ref: "#/$defs/part.schema.json" }, p: { $ref: "part.schema.json" } },
			$defs: { "part.schema.json": { type: "string" } },
		},
		part: { type: "integer" },
	});
	const { schema } = run("bundle_schema", { schema: "root" }, assets) as { schema: JsonObject };
	const { document, validator } = subject(schema);
	for (const value of [{ q: "s" }, { q: 1 }, { p: 1 }, { p: "s" }])
		assert.equal(
			validator.validate(document, value).length === 0,
			assets.validateAsset(value, "root").ok,
			JSON.stringify(value),
		);
});

test("a bundle can be kept anywhere, also one that its parts or it itself refer to by file name", (t) => {
	const assets = assetsOf(t, {
		nameless: { type: "object", properties: { a: { $ref: "back.schema.json" } }, additionalProperties: false },
		back: {
			type: "object",
			properties: { a: { $ref: "nameless.schema.json" }, c: { $ref: "no.schema.json" } },
		},
		no: false,
		alone: { type: "object", properties: { a: { $ref: "alone.schema.json" } }, additionalProperties: false },
		named: {
			$id: "https://n.test/other.json",
			type: "object",
			properties: { a: { $ref: "named.schema.json" } },
			additionalProperties: false,
		},
	});
	for (const name of ["nameless", "back", "alone", "named"]) {
		const { schema } = run("bundle_schema", { schema: name }, assets) as { schema: JsonObject };
		const kept = subject(schema);
		for (const value of [{ a: { a: {} } }, { a: { a: { b: 1 } } }, { a: { a: 5 } }, { a: { c: 1 } }, { c: 1 }])
			assert.equal(
				kept.validator.validate(kept.document, value).length === 0,
				assets.validateAsset(value, name).ok,
				`${name} ${JSON.stringify(value)}`,
			);
	}
});

test("a bundle of a schema that embeds others refers to them as it did, and so does a bundle of that", (t) => {
	const embeds = {
		$id: "https://e.test/root.json",
		properties: {
			a: { $ref: "https://e.test/part.json" },
			b: { $ref: "part.json#/$defs/n" },
			c: { $ref: "leaf.schema.json" },
		},
		$defs: { part: { $id: "part.json", type: "string", $defs: { n: { type: "null" } } } },
		additionalProperties: false,
	};
	const assets = assetsOf(t, { embeds, leaf: { properties: { d: { $ref: "https://e.test/part.json" } } } });
	const bundled = (schema: JsonValue) => (run("bundle_schema", { schema }, assets) as { schema: JsonObject }).schema;
	const once = bundled("embeds");
	assert.deepEqual(once.properties, embeds.properties);
	for (const bundle of [once, bundled(once)]) {
		const kept = subject(bundle);
		for (const value of [
			{ a: "x" },
			{ a: 1 },
			{ a: { a: "x" } },
			{ b: null },
			{ b: "" },
			{ c: { d: "" } },
			{ c: { d: 1 } },
		])
			assert.equal(
				kept.validator.validate(kept.document, value).length === 0,
				assets.validateAsset(value, "embeds").ok,
				JSON.stringify(value),
			);
	}
});

const BUNDLED: readonly (readonly [says: string, files: Record<string, unknown>])[] = [
	["a root with a URN", { root: { $id: "urn:example:root", $ref: "part.json" }, part: { type: "integer" } }],
	[
		"a file with a URI of its own that refers to one without",
		{
			root: { $ref: "sub/part.json" },
			"sub/part": { $id: "https://p.test/v1/part", $ref: "deep/q.json" },
			"sub/deep/q": { type: "integer" },
		},
	],
	[
		"such a file below a root that has a URI too",
		{
			root: { $id: "https://x.test/root", $ref: "sub/b.json" },
			"sub/b": { $id: "https://other.test/b", $ref: "c.json" },
			"sub/c": { type: "integer" },
		},
	],
	[
		"an embedded schema that refers to a file",
		{
			root: { $defs: { n: { $id: "https://n.test/n", $ref: "part.json" } }, $ref: "https://n.test/n" },
			part: { type: "integer" },
		},
	],
	[
		"a dynamic reference to a file",
		{
			root: { $dynamicRef: "part.json#node" },
			part: { $id: "https://p.test/p", $dynamicAnchor: "node", type: "integer" },
		},
	],
	[
		"a dynamic reference beside a reference",
		{
			root: { $ref: "any.json", $dynamicRef: "part.json#node" },
			any: true,
			part: { $dynamicAnchor: "node", type: "integer" },
		},
	],
	[
		"files with relative URIs, the root's too, that refer to each other",
		{
			root: { $id: "v2/root", $defs: { i: { type: "integer" } }, allOf: [{ $ref: "part" }, { $ref: "deep/er" }] },
			part: {
				$id: "v2/part",
				$defs: { deeper: { $id: "deep/er", not: { not: { $ref: "../root#/$defs/i" } } } },
				$ref: "root#/$defs/i",
			},
		},
	],
	[
		"a name that has to be escaped",
		{ root: { $ref: "a%20%23b.json#/$defs/i" }, "a #b": { $defs: { i: { type: "integer" } } } },
	],
];

for (const [says, files] of BUNDLED) {
	test(`a bundle of ${says} can be used by any validator, wherever it is kept`, (t) => {
		const root = folder(t, Object.fromEntries(Object.entries(files).map(([name, file]) => [`s/${name}.json`, file])));
		const assets = new Assets(readSettings({ SYN_SCHEMAS_DIR: "s" }, root));
		const report = run("bundle_schema", { schema: "root" }, assets) as { ok: boolean; schema: JsonObject };
		assert.ok(report.ok, JSON.stringify(report));
		for (const schema of [report.schema, { $id: "https://where.ever/it/is.json", ...report.schema }]) {
			const kept = subject(schema);
			const accepts = (value: JsonValue): boolean => kept.validator.validate(kept.document, value).length === 0;
			// Ajv does not read dynamic references to other files.
			const judges = [accepts, ...(says.includes("dynamic") ? [] : [new Ajv2020({ strict: false }).compile(schema)])];
			for (const value of [5, "no"]) {
				assert.equal(assets.validateAsset(value, "root").ok, value === 5);
				for (const judge of judges) assert.equal(judge(value), value === 5, JSON.stringify(schema));
			}
		}
	});
}

test("a reference by a pointer that leads into an embedded schema means the same in a bundle", (t) => {
	const inner = { properties: { "y#1": { type: "integer" }, z: { $anchor: "z", type: "null" } } };
	const misleading = { x: { properties: { "y#1": { type: "string" } } } };
	const holds = (embedded: object) => ({ $id: "https://e.test/b.schema.json", $defs: { x: embedded } });
	const root = {
		$id: "https://e.test/root.schema.json",
		properties: {
			v: { $ref: "b.schema.json#/$defs/x/properties/y%231" },
			w: { $ref: "https://e.test/x.json#z" },
			whole: { $ref: "b.schema.json#/$defs/x" },
		},
	};
	for (const embedded of [inner, { ...inner, $defs: misleading }]) {
		const x = { $id: "https://e.test/x.json", ...embedded };
		const assets = assetsOf(t, { root, b: holds(x) });
		const { ok, schema } = run("bundle_schema", { schema: "root" }, assets) as { ok: boolean; schema: JsonObject };
		assert.equal(ok, true);
		assert.deepEqual(schema.properties, {
			v: { $ref: "https://e.test/x.json#/properties/y%231" },
			w: { $ref: "https://e.test/x.json#z" },
			whole: { $ref: "https://e.test/x.json" },
		});
		const bundle = subject(schema);
		for (const asset of [{ v: 1 }, { v: "" }, { w: null }, { w: 1 }, { whole: { "y#1": 1 } }, { whole: { "y#1": "" } }])
			assert.equal(
				bundle.validator.validate(bundle.document, asset).length === 0,
				run("validate_asset", { asset, schema: "root" }, assets).ok,
				JSON.stringify(asset),
			);
	}
});

test("files with different schemas of one URI cannot be in one bundle", (t) => {
	const part = (type: string) => ({ $id: "https://e.test/part", type });
	const assets = assetsOf(t, {
		root: { allOf: [{ $ref: "one.schema.json" }, { $ref: "two.schema.json" }, { $ref: "copy.schema.json" }] },
		one: part("string"),
		two: part("null"),
		copy: part("string"),
		copies: { allOf: [{ $ref: "one.schema.json" }, { $ref: "copy.schema.json" }] },
	});
	assert.match(
		JSON.stringify(run("bundle_schema", { schema: "root" }, assets)),
		/(one|copy).schema.json and two.schema.json have different schemas with the \$id/,
	);
	assert.equal(run("bundle_schema", { schema: "copies" }, assets).ok, true);
});

test("what a document embeds is meant for itself, whichever other file has the same $id", (t) => {
	const version = (type: string) => ({
		$ref: "https://e.test/part",
		$defs: { part: { $id: "https://e.test/part", type } },
	});
	const assets = assetsOf(t, { one: version("string"), two: version("null"), user: { $ref: "https://e.test/part" } });
	for (const [schema, valid, invalid] of [
		["one", "", null],
		["two", null, ""],
		["user", "", null],
	] as const) {
		assert.ok(assets.validateAsset(valid, schema).ok, schema);
		assert.ok(!assets.validateAsset(invalid, schema).ok, schema);
	}
});

test("lint finds what the draft forbids, references to nothing and definitions nobody uses", (t) => {
	const schema = {
		type: "objekt",
		properties: { a: { $ref: "#/$defs/none" }, b: { $ref: "#/$defs/used" } },
		requierd: ["a"],
		"x-note": 1,
		$defs: { used: { minLength: -1 }, unused: {} },
	};
	const report = run("lint_schema", { schema }, assetsOf(t)) as {
		valid: boolean;
		findings: { severity: string; path: string }[];
	};
	assert.equal(report.valid, false);
	assert.deepEqual(
		report.findings.map(({ severity, path }) => `${severity} ${path}`),
		[
			"warning /$defs/unused",
			"error /$defs/used/minLength",
			"error /properties/a/$ref",
			"warning /requierd",
			"error /type",
		],
	);
	const fine = run(
		"lint_schema",
		{ schema: { type: "object", required: ["a"], additionalProperties: false } },
		assetsOf(t),
	);
	assert.deepEqual(fine, {
		ok: true,
		valid: true,
		findings: [{ severity: "warning", path: "", msg: 'requires "a", which it forbids as additional' }],
	});
});

test("lint does not call a definition unused that another file refers to", (t) => {
	const assets = assetsOf(t, {
		common: { $defs: { color: { type: "string" }, size: { $defs: { unit: {} } }, unused: {} } },
		main: { $ref: "common.schema.json#/$defs/color", items: { $ref: "common.schema.json#/$defs/size/$defs/unit" } },
	});
	const { findings } = run("lint_schema", { schema: "common" }, assets);
	assert.deepEqual(findings, [
		{ severity: "warning", path: "/$defs/unused", msg: "nothing refers to this definition" },
	]);
});

test("lint names the file that has the same $id, and says which of the two references reach", (t) => {
	const same = { $id: "https://a.example/tone", type: "object" };
	const assets = assetsOf(t, {
		tone: same,
		"tone.copy": { ...same, $id: "https://a.example/tone#", required: ["pitch"] },
		user: { $ref: "https://a.example/tone" },
	});
	const findings = (schema: JsonValue) => run("lint_schema", { schema }, assets).findings;
	const msg = (other: string) =>
		`"https://a.example/tone" is also the $id of ${other}; references from other files reach tone.copy.schema.json`;
	assert.deepEqual(findings("tone"), [{ severity: "warning", path: "/$id", msg: msg("tone.copy.schema.json") }]);
	assert.deepEqual(findings("tone.copy"), [{ severity: "warning", path: "/$id", msg: msg("tone.schema.json") }]);
	assert.deepEqual(findings("user"), []);
	// A schema that is given may be the next version of a file.
	assert.deepEqual(findings(same), []);
});

test("lint says where a schema refers to itself without end", (t) => {
	const schema = { items: { $ref: "#/$defs/b" }, $defs: { b: { anyOf: [{ type: "null" }, { $ref: "#/$defs/b" }] } } };
	assert.deepEqual(run("lint_schema", { schema }, assetsOf(t)), {
		ok: true,
		valid: false,
		findings: [{ severity: "error", path: "", msg: "schema#/$defs/b refers to itself without end" }],
	});
});

test("lint points at every pattern, draft and $id that cannot be used", (t) => {
	const findings = (schema: JsonValue) => run("lint_schema", { schema }, assetsOf(t)).findings;
	const patterns = {
		properties: { "a/b": { pattern: "(" } },
		$ref: "#/$defs/c",
		$defs: { c: { patternProperties: { "[": {} } } },
	};
	assert.deepEqual(findings(patterns), [
		{ severity: "error", path: "/$defs/c/patternProperties/[", msg: 'pattern "[" is not a regular expression' },
		{ severity: "error", path: "/properties/a~1b/pattern", msg: 'pattern "(" is not a regular expression' },
	]);
	const draft = "http://json-schema.org/draft-07/schema";
	assert.deepEqual(findings({ $schema: `${draft}#`, pattern: "a" }), [
		{
			severity: "error",
			path: "/$schema",
			msg: `$schema ${JSON.stringify(draft)} in schema is not draft 2020-12, the only draft supported`,
		},
	]);
	const id = { severity: "error", path: "/items/$id", msg: '$id "http://[" is not a URI reference' };
	assert.deepEqual(findings({ $schema: "https://json-schema.org/draft/2020-12/schema", items: { $id: "http://[" } }), [
		id,
	]);
});

test("a suggested fix loses nothing and leaves only what it cannot repair", (t) => {
	const assets = assetsOf(t, {
		v: {
			type: "object",
			properties: {
				size: { type: "integer", default: 3 },
				name: { type: "string" },
				on: { type: "boolean" },
				mode: { enum: ["Fast", "Slow"] },
				kind: { const: "v" },
				n: { type: "number" },
			},
			required: ["size", "name", "kind"],
			additionalProperties: false,
		},
	});
	const asset = { name: 42, on: "true", mode: "FAST", n: "007", extra: 1 };
	const { patch, fixed, remaining } = run("suggest_fix", { asset, schema: "v" }, assets) as {
		patch: JsonValue;
		fixed: boolean;
		remaining: { path: string }[];
	};
	assert.deepEqual(applyPatch(asset, patch), {
		name: "42",
		on: true,
		mode: "Fast",
		n: "007",
		extra: 1,
		size: 3,
		kind: "v",
	});
	assert.equal(fixed, false);
	assert.deepEqual(
		remaining.map(({ path }) => path),
		["", "/n"],
	);
	assert.deepEqual(run("suggest_fix", { asset: { name: "x", size: 1, kind: "v" }, schema: "v" }, assets), {
		ok: true,
		patch: [],
		fixed: true,
		remaining: [],
	});
	assert.equal(run("suggest_fix", { asset: {}, schema: "nope" }, assets).ok, false);
	const unusable = assetsOf(t, { v: { $ref: "nowhere.json" } });
	assert.match(JSON.stringify(run("suggest_fix", { asset: {}, schema: "v" }, unusable)), /"ok":false.*cannot be used/);
});

test("hundreds of values are repaired, also where some among them cannot be", (t) => {
	const numbers = Array.from({ length: 600 }, (_, i) => (i === 100 ? "007" : i === 500 ? "-1" : String(i)));
	const assets = assetsOf(t, { v: { items: { type: "integer", minimum: 0 } } });
	const { patch, remaining } = run("suggest_fix", { asset: numbers, schema: "v" }, assets) as {
		patch: JsonValue;
		remaining: JsonValue[];
	};
	assert.deepEqual(
		applyPatch(numbers, patch),
		numbers.map((text, i) => (i === 100 || i === 500 ? text : i)),
	);
	assert.equal(remaining.length, 2);
});

test("a repair is not kept for the good that others do", (t) => {
	const assets = assetsOf(t, {
		v: {
			properties: {
				a: { type: "string", not: { enum: ["1"] } },
				b: { type: "integer" },
				c: { allOf: [{ type: "integer" }, { type: ["integer", "null"] }] },
			},
		},
	});
	const asset = { a: 1, b: "2", c: "3" };
	const { patch } = run("suggest_fix", { asset, schema: "v" }, assets) as { patch: JsonValue };
	assert.deepEqual(applyPatch(asset, patch), { a: 1, b: 2, c: 3 });
});

test("when the time is up, what is left is told", (t) => {
	const assets = assetsOf(t, { v: { type: "integer" } });
	assert.deepEqual(suggestFix(assets, "5", "v", 0), {
		patch: [],
		remaining: [{ path: "", msg: "expected an integer, got a string" }],
	});
});

test("a value is never given another type only to escape a rule for its own", (t) => {
	const escapes: readonly [JsonObject, JsonValue][] = [
		[{ maximum: 10 }, 50],
		[{ type: ["number", "string"], maximum: 10 }, 50],
		[{ type: ["string", "integer"], pattern: "^[A-Z]" }, "12"],
		[{ not: { type: "integer" } }, 5],
		[{ items: { minimum: 1 } }, [0, -5, 2]],
	];
	for (const [rule, value] of escapes) {
		const assets = assetsOf(t, { v: { properties: { a: rule } } });
		const { patch, fixed } = run("suggest_fix", { asset: { a: value }, schema: "v" }, assets);
		assert.deepEqual({ patch, fixed }, { patch: [], fixed: false }, JSON.stringify(rule));
	}
});

test("a suggested fix reaches what is optional: defaults of null, and values inside an alternative", (t) => {
	const customer = {
		type: "object",
		properties: { name: { type: "string" }, vip: { type: "boolean", default: false } },
		required: ["name", "vip"],
	};
	const assets = assetsOf(t, {
		order: {
			properties: {
				note: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
				customer: { anyOf: [{ $ref: "#/$defs/customer" }, { type: "null" }] },
				price: { type: "number" },
			},
			required: ["note"],
			$defs: { customer },
		},
	});
	const asset = { customer: { name: 7 }, price: "1.50" };
	const { patch, fixed } = run("suggest_fix", { asset, schema: "order" }, assets) as {
		patch: JsonValue;
		fixed: boolean;
	};
	assert.deepEqual(applyPatch(asset, patch), { customer: { name: "7", vip: false }, price: 1.5, note: null });
	assert.equal(fixed, true);
});

test("a suggested fix keeps how a number is written, and takes a choice only where one is meant", (t) => {
	const assets = assetsOf(t, {
		v: {
			properties: {
				version: { type: "string" },
				exact: { enum: ["A", "a"] },
				either: { enum: ["YES", "Yes"] },
			},
		},
	});
	const fix = TOOLS.get("suggest_fix");
	assert.equal(fix?.spelt, true);
	const asset = parseSpelt('{"version":1.50,"exact":"a ","either":"yes"}');
	const { patch } = JSON.parse(JSON.stringify(fix.run({ asset, schema: "v" }, assets)));
	assert.deepEqual(applyPatch(asset, patch), { version: "1.50", exact: "a", either: "yes" });
});

test("a suggested fix finds defaults behind references, and the rules of files with a hash in their names", (t) => {
	const assets = assetsOf(t, {
		"a#b": {
			properties: { a: { $ref: "other.schema.json#/$defs/first" }, "#": { type: "integer" } },
			required: ["a"],
		},
		other: { $defs: { first: { $ref: "#/$defs/second" }, second: { type: "integer", default: 7 } } },
	});
	assert.deepEqual(run("suggest_fix", { asset: { "#": "5" }, schema: "a#b" }, assets), {
		ok: true,
		patch: [
			{ op: "add", path: "/a", value: 7 },
			{ op: "replace", path: "/#", value: 5 },
		],
		fixed: true,
		remaining: [],
	});
});

test("a bundle has the numbers of its schemas as they are written, given by name or written out", (t) => {
	const schema = (ref: string): string =>
		`{"$id":"https://x.test/v1/a","properties":{"b":{"$ref":"${ref}"}},"maximum":1.0,"enum":[1e2,-0]}`;
	const other = '{"$id":"https://x.test/v2/b","minimum":0.50}';
	const root = folder(t, { "schemas/a.schema.json": schema("b.schema.json"), "schemas/b.schema.json": other });
	const assets = new Assets(readSettings({ SYN_SCHEMAS_DIR: "schemas" }, root));
	const bundle = TOOLS.get("bundle_schema");
	assert.equal(bundle?.spelt, true);
	for (const given of ["a", parseSpelt(schema("https://x.test/v2/b"))])
		assert.equal(
			JSON.stringify(bundle.run({ schema: given }, assets)),
			`{"ok":true,"schema":${schema("https://x.test/v2/b").slice(0, -1)},"$defs":{"b.schema.json":${other}}}}`,
		);
});
