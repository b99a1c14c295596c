import assert from "node:assert/strict";
import { test } from "node:test";
import { findKind, hasOthers, listProperties, type Schema } from "../../src/console/page/tools/argumentSchema.ts";
import { createFields, OTHERS, readFields } from "../../src/console/page/tools/schemaFields.ts";

const kinds = (schema: Schema): Record<string, string> =>
	Object.fromEntries(Object.entries(listProperties(schema)).map(([name, property]) => [name, findKind(property)]));

test("a type that has a name of its own is filled in as what it is", () => {
	const schema = {
		type: "object",
		properties: {
			color: { $ref: "#/$defs/Color" },
			shade: { allOf: [{ $ref: "#/$defs/Color" }], default: "red" },
			other: { anyOf: [{ $ref: "#/$defs/Color" }, { type: "null" }], default: null },
			name: { $ref: "#/$defs/a~1b", description: "Its own words" },
			version: { const: 2 },
			tree: { $ref: "#/$defs/Tree" },
			nowhere: { $ref: "#/$defs/Nowhere" },
			itself: { $ref: "#/properties/itself" },
			elsewhere: { $ref: "https://example.com/schema" },
			broken: { $ref: "#/%" },
		},
		required: ["color"],
		$defs: {
			Color: { type: "string", enum: ["red", "green"] },
			"a/b": { type: "string", description: "Words of the type" },
			Tree: { type: "object", properties: { below: { $ref: "#/$defs/Tree" } } },
		},
	};
	assert.deepEqual(kinds(schema), {
		color: "choice",
		shade: "choice",
		other: "choice",
		name: "text",
		version: "choice",
		tree: "json",
		nowhere: "json",
		itself: "json",
		elsewhere: "json",
		broken: "json",
	});
	const said = Object.entries(listProperties(schema)).map(([name, { description }]) => [name, description]);
	assert.deepEqual(said[3], ["name", "Its own words"]);
	assert.deepEqual(readFields(schema, { color: '"green"', name: "x" }), { args: { color: "green", name: "x" } });
	assert.deepEqual(createFields(schema), { shade: '"red"' });
	const whole = { $ref: "#/$defs/Args", $defs: { Args: { properties: { depth: { type: "integer" } } } } };
	assert.deepEqual(kinds(whole), { depth: "number" });
});

test("arguments that have no field of their own are written as an object", () => {
	const paid = { properties: { card: { type: "string" } } };
	const named = { properties: { name: { type: "string" } } };
	for (const schema of [
		{ type: "object", additionalProperties: true },
		{ type: "object", patternProperties: { "^x-": {} } },
		{ type: "object", oneOf: [paid, { properties: { cash: { type: "integer" } } }] },
		{ ...named, additionalProperties: { type: "string" } },
		{ ...named, anyOf: [{ $ref: "#/$defs/Paid" }, {}], $defs: { Paid: paid } },
	])
		assert.ok(hasOthers(schema), JSON.stringify(schema));
	for (const schema of [
		{ type: "object" },
		{ type: "object", additionalProperties: false },
		{ ...named, anyOf: [{ required: ["name"] }, named] },
	])
		assert.ok(!hasOthers(schema), JSON.stringify(schema));
	const open = { ...named, additionalProperties: true };
	const given = { name: "Ada", city: "Oslo", at: [1] };
	assert.deepEqual(readFields(open, createFields(open, given)), { args: given });
	assert.deepEqual(readFields(open, { name: "Ada" }), { args: { name: "Ada" } });
	for (const text of ["[1]", "null", "{"])
		assert.deepEqual(readFields(open, { [OTHERS]: text }), { problem: "Arguments: expected a JSON object" });
});

test("a number is sent as it was written, alone or within JSON", () => {
	const schema = {
		properties: { id: { type: "integer" }, of: { type: "object" }, either: { type: ["string", "integer"] } },
		additionalProperties: true,
	};
	const large = "9007199254740993";
	const fields = { id: large, of: `{"id":${large}}`, either: large, [OTHERS]: `{"more":[-${large}]}` };
	const read = readFields(schema, fields);
	const written = `{"more":[-${large}],"id":${large},"of":{"id":${large}},"either":${large}}`;
	assert.equal(JSON.stringify("args" in read && read.args), written);
	assert.deepEqual(createFields(schema, "args" in read ? read.args : {}), {
		...fields,
		[OTHERS]: `{\n  "more": [\n    -${large}\n  ]\n}`,
	});
	assert.deepEqual(readFields(schema, { id: "9007199254740991" }), { args: { id: 9007199254740991 } });
	assert.deepEqual(readFields(schema, { id: "1 2" }), { problem: 'id: expected a number, got "1 2"' });
	assert.deepEqual(readFields(schema, { id: "1e30" }), { args: { id: 1e30 } });
});

test("a list of texts is sent as it was given, also where its texts are not lines", () => {
	const schema = { properties: { list: { type: "array", items: { type: "string" } } } };
	for (const list of [["a", "b"], [], [""], ["a\nb", ""], ['["a"]'], ["[x]"]])
		assert.deepEqual(readFields(schema, createFields(schema, { list })), { args: { list } });
	assert.deepEqual(createFields(schema, { list: ["a", "b"] }), { list: "a\nb" });
	assert.deepEqual(readFields(schema, { list: "a\n\nb\n" }), { args: { list: ["a", "b"] } });
});

test("where a text or something else is taken, a text needs no quotes", () => {
	const schema = {
		properties: {
			url: { type: ["string", "array"], items: { type: "string" } },
			schema: { anyOf: [{ $ref: "#/$defs/Name" }, { type: "object" }, { type: "null" }] },
			port: { anyOf: [{ type: "integer" }, { enum: ["auto"] }] },
			whatever: { anyOf: [{ type: "integer" }, {}] },
			reserved: { description: "Reserved", not: {} },
			never: JSON.parse("false"),
		},
		$defs: { Name: { type: "string" } },
	};
	// What could never be given is not asked for.
	assert.deepEqual(kinds(schema), {
		url: "text or json",
		schema: "text or json",
		port: "text or json",
		whatever: "json",
	});
	const args = (fields: Record<string, string>) => readFields(schema, fields);
	assert.deepEqual(args({ url: "https://a.b/c", schema: "user.json", port: "auto" }), {
		args: { url: "https://a.b/c", schema: "user.json", port: "auto" },
	});
	assert.deepEqual(args({ url: '["a", "b"]', schema: '{"type": "object"}', port: "80" }), {
		args: { url: ["a", "b"], schema: { type: "object" }, port: 80 },
	});
	// A number is not taken here, so that this can only be a text.
	assert.deepEqual(args({ url: "80", schema: '"{}"' }), { args: { url: "80", schema: "{}" } });
	assert.deepEqual(args({ schema: '{"type": ' }), {
		problem: 'schema: expected text, or JSON, got "{\\"type\\": "',
	});
	for (const given of [{ url: "x" }, { url: "80" }, { schema: "{}" }, { schema: { a: 1 } }, { port: 80 }])
		assert.deepEqual(args(createFields(schema, given)), { args: given });
});
