import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { Assets } from "../../src/assets.ts";
import { readFolder } from "../../src/catalog/folders.ts";
import { readSettings } from "../../src/settings.ts";
import { folder } from "../folder.ts";

const assetsIn = (root: string, environment: Record<string, string> = {}): Assets =>
	new Assets(readSettings(environment, root));
const SUBMODULE = "libs/synesthetic-schemas";

verifies(
	["003-2-source-priority", "003-7-syn-schemas-dir", "003-7-syn-examples-dir"],
	"the submodule under the working directory is used, each folder unless its variable names another",
	(t) => {
		const root = folder(t, {
			[`${SUBMODULE}/jsonschema/inner.schema.json`]: { version: "1" },
			[`${SUBMODULE}/examples/inner.json`]: {},
			"mine/outer.schema.json": {},
			"theirs/outer.json": {},
		});
		assert.deepEqual(assetsIn(root).listSchemas(), {
			ok: true,
			schemas: [{ name: "inner", version: "1", path: "libs/synesthetic-schemas/jsonschema/inner.schema.json" }],
		});
		assert.deepEqual(assetsIn(root).listExamples("all"), {
			ok: true,
			examples: [{ component: "inner", path: "libs/synesthetic-schemas/examples/inner.json" }],
		});
		const onlySchemas = assetsIn(root, { SYN_SCHEMAS_DIR: "mine" });
		assert.deepEqual(onlySchemas.listSchemas(), {
			ok: true,
			schemas: [{ name: "outer", version: "", path: "mine/outer.schema.json" }],
		});
		assert.deepEqual(onlySchemas.listExamples("all"), assetsIn(root).listExamples("all"));
		const onlyExamples = assetsIn(root, { SYN_EXAMPLES_DIR: join(root, "theirs") });
		assert.deepEqual(onlyExamples.listExamples("all"), {
			ok: true,
			examples: [{ component: "outer", path: "theirs/outer.json" }],
		});
		assert.deepEqual(onlyExamples.listSchemas(), assetsIn(root).listSchemas());
	},
);

verifies("003-2-source-none", "with no source listings are empty and nothing is found", (t) => {
	for (const environment of [{}, { SYN_SCHEMAS_DIR: "no-such", SYN_EXAMPLES_DIR: "no-such" }]) {
		const assets = assetsIn(folder(t), environment);
		assert.deepEqual(assets.listSchemas(), { ok: true, schemas: [] });
		assert.deepEqual(assets.listExamples("all"), { ok: true, examples: [] });
		assert.deepEqual(assets.getSchema("tone"), { ok: false, reason: "not_found" });
		assert.deepEqual(assets.getExample("Tone.bell.json"), { ok: false, reason: "not_found" });
	}
});

verifies(
	["003-5-sort-schemas", "003-4-list-schemas"],
	"schemas are listed by name in code point order, all strings",
	(t) => {
		const names = ["b", "a-b", "a", "Z", "é", "a.b"];
		const root = folder(t, Object.fromEntries(names.map((name) => [`s/${name}.schema.json`, { version: 2 }])));
		const result = assetsIn(root, { SYN_SCHEMAS_DIR: "s" }).listSchemas();
		assert.deepEqual(result, {
			ok: true,
			schemas: ["Z", "a", "a-b", "a.b", "b", "é"].map((name) => ({
				name,
				version: "2",
				path: `s/${name}.schema.json`,
			})),
		});
	},
);

verifies("003-5-sort-examples", "examples are listed by component, then path", (t) => {
	const root = folder(t, { "e/b.json": {}, "e/a.z.json": {}, "e/sub/a.a.json": {}, "e/a.b.json": {}, "e/B.json": {} });
	const result = assetsIn(root, { SYN_EXAMPLES_DIR: "e" }).listExamples("all");
	assert.deepEqual(result, {
		ok: true,
		examples: [
			{ component: "B", path: "e/B.json" },
			{ component: "a", path: "e/a.b.json" },
			{ component: "a", path: "e/a.z.json" },
			{ component: "a", path: "e/sub/a.a.json" },
			{ component: "b", path: "e/b.json" },
		],
	});
});

verifies(
	["003-4-list-examples-component", "003-4-list-examples-all"],
	"a component's examples, or everybody's",
	(t) => {
		const assets = assetsIn(folder(t, { "e/tone.a.json": {}, "e/tone.b.json": {}, "e/tones.json": {} }), {
			SYN_EXAMPLES_DIR: "e",
		});
		const paths = (component: string): unknown[] => {
			const result = assets.listExamples(component);
			assert.ok(result.ok && "examples" in result && Array.isArray(result.examples));
			return result.examples.map(({ path }: { path: string }) => path);
		};
		assert.deepEqual(paths("tone"), ["e/tone.a.json", "e/tone.b.json"]);
		assert.deepEqual(paths("all"), ["e/tone.a.json", "e/tone.b.json", "e/tones.json"]);
		assert.deepEqual(paths("ALL"), []);
		assert.deepEqual(paths("ton"), []);
		assert.equal(assets.listExamples(5).ok, false);
	},
);

verifies(
	["003-4-get-schema", "003-4-get-schema-not-found"],
	"a schema is given as it is on disk, by its exact name",
	(t) => {
		const schema = {
			$schema: "https://json-schema.org/draft/2020-12/schema",
			"x-schema-version": "0.7.3",
			title: "T",
			unknown: [1, null],
		};
		const assets = assetsIn(
			folder(t, { "s/t.schema.json": schema, "s/broken.schema.json": "{", "s/list.schema.json": [1] }),
			{ SYN_SCHEMAS_DIR: "s" },
		);
		assert.deepEqual(assets.getSchema("t"), { ok: true, schema, version: "0.7.3" });
		for (const name of ["T", "t.schema.json", "../s/t", "", " t ", "broken", "list", null, 5, undefined])
			assert.deepEqual(assets.getSchema(name), { ok: false, reason: "not_found" }, String(name));
	},
);

verifies(
	["003-4-get-example", "003-4-get-example-not-found"],
	"an example is found by exactly the paths that are listed or lie inside the folder",
	(t) => {
		const root = folder(t, {
			"secret.json": { a: 1 },
			"e/foo.json": { a: 1 },
			"e/sub/foo.deep.json": { b: 2 },
			"e/list.json": [1],
			"e/broken.json": "{",
		});
		symlinkSync(join(root, "secret.json"), join(root, "e/link.json"));
		symlinkSync(root, join(root, "e/up"));
		const assets = assetsIn(root, { SYN_EXAMPLES_DIR: "e" });
		const listed = assets.listExamples("all");
		assert.ok(listed.ok && "examples" in listed && Array.isArray(listed.examples));
		assert.deepEqual(
			listed.examples.map(({ path }: { path: string }) => path),
			["e/foo.json", "e/sub/foo.deep.json"],
		);
		for (const { path } of listed.examples) assert.equal(assets.getExample(path).ok, true, path);
		assert.deepEqual(assets.getExample("sub/foo.deep.json"), {
			ok: true,
			example: { b: 2 },
			schema: "foo.deep",
			validated: false,
		});
		const escapes = [
			"../secret.json",
			"e/../secret.json",
			join(root, "e/foo.json"),
			"/etc/passwd",
			"link.json",
			"up/secret.json",
			"e/foo.json\0",
			"%2e%2e/secret.json",
			"e%2Ffoo.json",
			".",
			"",
			"sub",
			"list.json",
			"broken.json",
			null,
			5,
			undefined,
		];
		for (const path of escapes)
			assert.deepEqual(assets.getExample(path), { ok: false, reason: "not_found" }, String(path));
		assert.deepEqual(
			assets.catalog.skipped.find(({ path }) => path === "e/link.json"),
			{ kind: "examples", path: "e/link.json", reason: "a link that leads outside the folder" },
		);
	},
);

verifies(
	"003-4-get-example-validated",
	"validated is true exactly when the example validates against the schema returned",
	(t) => {
		const assets = assetsIn(
			folder(t, {
				"s/v.schema.json": { properties: { a: { type: "string" } } },
				"e/good.json": { $schemaRef: "x/y/v.schema.json", a: "x" },
				"e/bad.json": { schema: "v", a: 5 },
				"e/v.json": { a: "by file name" },
				"e/orphan.json": { a: 1 },
			}),
			{ SYN_SCHEMAS_DIR: "s", SYN_EXAMPLES_DIR: "e" },
		);
		const outcome = (path: string): unknown[] => {
			const result = assets.getExample(path);
			assert.ok(result.ok && "schema" in result && "validated" in result && "example" in result);
			assert.equal(result.validated, assets.validateAsset(result.example as never, result.schema as never).ok);
			return [result.schema, result.validated];
		};
		assert.deepEqual(outcome("good.json"), ["v", true]);
		assert.deepEqual(outcome("bad.json"), ["v", false]);
		assert.deepEqual(outcome("v.json"), ["v", true]);
		assert.deepEqual(outcome("orphan.json"), ["orphan", false]);
	},
);

test("no absolute path of the machine is listed, even when the folder is configured by one", (t) => {
	const root = folder(t, { "s/a.schema.json": {} });
	const assets = assetsIn(folder(t), { SYN_SCHEMAS_DIR: join(root, "s") });
	assert.deepEqual(assets.listSchemas(), { ok: true, schemas: [{ name: "a", version: "", path: "a.schema.json" }] });
});

test("a version is the schema's own word, or a version segment of its $id", (t) => {
	const root = folder(t, {
		"s/a.schema.json": { version: "9.9.9", "x-schema-version": "1" },
		"s/b.schema.json": { $id: "https://example.test/0.7.3/b.schema.json" },
		"s/c.schema.json": { $id: "https://example.test/c.schema.json" },
	});
	const versions = [...assetsIn(root, { SYN_SCHEMAS_DIR: "s" }).catalog.schemas.values()].map(({ version }) => version);
	assert.deepEqual(versions, ["9.9.9", "0.7.3", ""]);
});

test("schemas and examples are given with their numbers as they are written", (t) => {
	const schema =
		'{"version":1.0,"properties":{"a":{"multipleOf":1e-2,"default":0.0000001,"maximum":2.50,"minimum":-0}}}';
	const example = '{"schema":"tone","a":1.0}';
	const root = folder(t, {});
	for (const [name, text] of Object.entries({ "tone.schema.json": schema, "tone.one.json": example }))
		writeFileSync(join(root, name), text);
	const assets = assetsIn(root, { SYN_SCHEMAS_DIR: ".", SYN_EXAMPLES_DIR: "." });
	assert.equal(JSON.stringify(assets.getSchema("tone")), `{"ok":true,"schema":${schema},"version":"1.0"}`);
	assert.equal(
		JSON.stringify(assets.getExample("tone.one.json")),
		`{"ok":true,"example":${example},"schema":"tone","validated":true}`,
	);
});

test("an example that names no schema is meant for the one called like it, else like its component", (t) => {
	const root = folder(t, {
		"s/order.schema.json": { required: ["id"] },
		"s/order.open.schema.json": { required: ["until"] },
		"e/order.good.json": { id: 1 },
		"e/order.open.json": { until: "noon" },
		"e/other.good.json": {},
	});
	const assets = new Assets(readSettings({ SYN_SCHEMAS_DIR: join(root, "s"), SYN_EXAMPLES_DIR: join(root, "e") }));
	const schemaOf = (path: string): unknown => {
		const { example: _, ...told } = assets.getExample(path) as Record<string, unknown>;
		return told;
	};
	assert.deepEqual(schemaOf("order.good.json"), { ok: true, schema: "order", validated: true });
	assert.deepEqual(schemaOf("order.open.json"), { ok: true, schema: "order.open", validated: true });
	assert.deepEqual(schemaOf("other.good.json"), { ok: true, schema: "other.good", validated: false });
});

test("an example is found by its path, also with ./ before it, and by no way round or out of the folder", (t) => {
	const root = folder(t, { "e/sub/a.json": {}, "b.json": {} });
	const assets = assetsIn(root, { SYN_EXAMPLES_DIR: "./e" });
	for (const path of ["sub/a.json", "./sub/a.json", "e/sub/a.json", "./e/sub/a.json"])
		assert.deepEqual(assets.getExample(path), { ok: true, example: {}, schema: "a", validated: false }, path);
	for (const path of [
		"",
		".",
		"./",
		"sub",
		"../b.json",
		"./../b.json",
		"sub/a.json/",
		"sub//a.json",
		"sub/../sub/a.json",
		"e/../e/sub/a.json",
		"/sub/a.json",
		join(root, "b.json"),
	])
		assert.deepEqual(assets.getExample(path), { ok: false, reason: "not_found" }, path);
});

test("a folder without *.schema.json files keeps its schemas in plain ones", (t) => {
	const root = folder(t, { "s/a.json": { version: "1" }, "s/sub/b.json": {} });
	assert.deepEqual([...assetsIn(root, { SYN_SCHEMAS_DIR: "s" }).catalog.schemas.keys()], ["a"]);
});

const NO_SUCH_NAMES = process.platform === "linux" ? false : "names of files are text here";

test("a folder that cannot be read is passed over with the reason, and the rest is served", {
	skip: NO_SUCH_NAMES,
}, (t) => {
	const root = folder(t, { "s/a.schema.json": {}, "e/A.json": {} });
	// Its name is no text, so that nobody can open it by what the system says its name is.
	for (const place of ["s", "e"]) mkdirSync(Buffer.concat([Buffer.from(join(root, place, "x")), Buffer.of(0xff)]));
	const { catalog } = assetsIn(root, { SYN_SCHEMAS_DIR: "s", SYN_EXAMPLES_DIR: "e" });
	assert.deepEqual([...catalog.schemas.keys()], ["a"]);
	assert.deepEqual(
		catalog.examples.map(({ path }) => path),
		["e/A.json"],
	);
	assert.deepEqual(catalog.skipped, [
		{ kind: "schemas", path: "s/x\ufffd", reason: "no such file" },
		{ kind: "examples", path: "e/x\ufffd", reason: "no such file" },
	]);
});

test("a schema file without a name, which nobody could ask for, is passed over, and can be referred to", (t) => {
	const root = folder(t, { "s/.schema.json": { type: "string" }, "s/a.schema.json": { $ref: ".schema.json" } });
	const assets = assetsIn(root, { SYN_SCHEMAS_DIR: "s" });
	assert.deepEqual([...assets.catalog.schemas.keys()], ["a"]);
	assert.deepEqual(assets.catalog.skipped, [{ kind: "schemas", path: "s/.schema.json", reason: "has no name" }]);
	assert.deepEqual(assets.validateAsset("x", "a"), { ok: true });
});

test("of a folder with too many files the first are read, and that is said", (t) => {
	const root = folder(t, { "b.json": 2, "a.json": 1, "c.json": 3 });
	assert.deepEqual(
		readFolder(root, 2).map(({ path, value, problem }) => [path, value ?? problem]),
		[
			["a.json", 1],
			["b.json", 2],
			["", "only the first 2 files are read"],
		],
	);
});

test("a configured folder that is not there is named, and one that is not configured is not", (t) => {
	assert.deepEqual(assetsIn(folder(t), { SYN_SCHEMAS_DIR: "none", SYN_EXAMPLES_DIR: "neither" }).catalog.skipped, [
		{ kind: "schemas", path: "none", reason: "no such folder" },
		{ kind: "examples", path: "neither", reason: "no such folder" },
	]);
	assert.deepEqual(assetsIn(folder(t)).catalog.skipped, []);
});

test("a schema that is only true or false can be validated against, and is not listed as an object", (t) => {
	const root = folder(t, { "s/any.schema.json": true, "s/none.schema.json": false, "s/list.schema.json": [] });
	const assets = assetsIn(root, { SYN_SCHEMAS_DIR: "s" });
	assert.deepEqual(assets.validateAsset({ a: 1 }, "any"), { ok: true });
	assert.deepEqual(assets.validateAsset(1, "none"), {
		ok: false,
		reason: "validation_failed",
		errors: [{ path: "", msg: "no value is allowed here" }],
	});
	assert.deepEqual(assets.listSchemas(), { ok: true, schemas: [] });
	assert.deepEqual(assets.getSchema("any"), { ok: false, reason: "not_found" });
	assert.deepEqual(assets.catalog.skipped, [
		{ kind: "schemas", path: "s/list.schema.json", reason: "not a JSON object" },
	]);
});

test("$schemaRef belongs to the asset where the schema declares or requires it", (t) => {
	const root = folder(t, {
		"s/closed.schema.json": { additionalProperties: false },
		"s/declares.schema.json": { properties: { $schemaRef: { type: "integer" } } },
		"s/requires.schema.json": { required: ["$schemaRef"] },
	});
	const assets = assetsIn(root, { SYN_SCHEMAS_DIR: "s" });
	const outcome = (schema: string) => assets.validateAsset({ $schemaRef: "x" }, schema).ok;
	assert.deepEqual(["closed", "declares", "requires"].map(outcome), [true, false, true]);
	assert.equal(assets.validateAsset({}, "requires").ok, false);
});
