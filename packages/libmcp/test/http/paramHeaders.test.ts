import assert from "node:assert/strict";
import { test } from "node:test";
import { checkParamHeaders, paramHeaderProblem, paramHeaders, paramHeaderValues } from "../../src/http/paramHeaders.ts";

const object = (properties: object): object => ({ type: "object", properties });
const named = (name: unknown, type: unknown = "string"): object => ({ type, "x-mcp-header": name });

test("annotated arguments are found at any depth of properties, and say their header's name in lower case", () => {
	const schema = object({ region: named("Region"), where: object({ zone: named("Zone-1", "integer") }), free: {} });
	assert.equal(paramHeaderProblem(schema), undefined);
	assert.deepEqual(paramHeaders(schema), [
		{ path: ["region"], header: "mcp-param-region" },
		{ path: ["where", "zone"], header: "mcp-param-zone-1" },
	]);
	const wanted = paramHeaders(schema);
	assert.deepEqual(paramHeaderValues({ region: " padded ", where: { zone: 7 }, free: "no" }, wanted), {
		"mcp-param-region": "=?base64?IHBhZGRlZCA=?=",
		"mcp-param-zone-1": "7",
	});
	assert.deepEqual(paramHeaderValues({ region: null, where: "text" }, wanted), {});
	checkParamHeaders({ "mcp-param-zone-1": "7" }, { where: { zone: 7 } }, wanted);
	assert.throws(() => checkParamHeaders({ "mcp-param-zone-1": "8" }, { where: { zone: 7 } }, wanted), {
		message: "mcp-param-zone-1: the header does not say what arguments.where.zone says",
	});
	assert.throws(() => checkParamHeaders({}, { region: "eu" }, wanted), /is required for arguments\.region/);
	// A server's own parser may keep a large number as an object that JSON writes as the number.
	const zone = (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON("9007199254740993");
	assert.deepEqual(paramHeaderValues({ where: { zone } }, wanted), { "mcp-param-zone-1": "9007199254740993" });
	checkParamHeaders({ "mcp-param-zone-1": "9007199254740993" }, { where: { zone } }, wanted);
	assert.throws(() => checkParamHeaders({ "mcp-param-zone-1": "9007199254740992" }, { where: { zone } }, wanted));
});

test("an annotation that breaks a rule is named, and the whole schema then has none", () => {
	const broken: readonly [string, object, RegExp][] = [
		["empty", object({ a: named("") }), /a: x-mcp-header: expected the rest of a header's name/],
		["a space", object({ a: named("my region") }), /expected the rest/],
		["a line break", object({ a: named("a\r\nhost: evil") }), /expected the rest/],
		["not ASCII", object({ a: named("Région") }), /expected the rest/],
		["no text", object({ a: named(5) }), /expected the rest/],
		["a number", object({ a: named("A", "number") }), /expected a property of type string, integer or boolean/],
		["an object", object({ a: named("A", "object") }), /expected a property of type/],
		["several types", object({ a: named("A", ["string", "null"]) }), /expected a property of type/],
		["the same twice", object({ a: named("Same"), b: named("sAME") }), /b: x-mcp-header: sAME is named twice/],
		["in items", object({ list: { type: "array", items: named("A") } }), /list\.<items>: x-mcp-header is allowed on/],
		["in a branch", { ...object({}), anyOf: [object({ a: named("A") })] }, /<anyOf>\.a: x-mcp-header is allowed on/],
		["in definitions", { ...object({}), $defs: { x: object({ a: named("A") }) } }, /<\$defs>\.a: x-mcp-header/],
		["at the top", named("A", "object"), /^the schema: x-mcp-header is allowed on properties/],
	];
	for (const [what, schema, problem] of broken) {
		assert.match(paramHeaderProblem(schema) ?? "", problem, what);
		assert.deepEqual(paramHeaders(schema), [], what);
	}
});

test("a schema without end does not take the judge down with it", () => {
	let schema: object = named("A");
	for (let depth = 0; depth < 50_000; depth++) schema = object({ a: schema });
	assert.equal(paramHeaderProblem(schema), undefined);
	assert.deepEqual([paramHeaders(undefined), paramHeaders("text"), paramHeaders({ properties: [1] })], [[], [], []]);
});
