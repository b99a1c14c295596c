import assert from "node:assert/strict";
import { test } from "node:test";
import { describeProblem } from "../../src/run/schema/problemText.ts";
import { compileArgumentsCheck, compileCheck } from "../../src/run/schema/schemaCheck.ts";

const said = (schema: unknown, value: unknown): readonly string[] =>
	compileArgumentsCheck(schema)(value).map((problem) => describeProblem(problem, "args"));

test("a wrong value of many parts is found wrong without looking at every part of it", () => {
	const record = { type: "object", required: ["a", "b", "c", "d", "e", "f", "g", "h"] };
	let looked = 0;
	const counted = new Proxy(
		{},
		{
			getOwnPropertyDescriptor: () => {
				looked++;
				return undefined;
			},
		},
	);
	const problems = compileCheck({ properties: { list: { type: "array", items: record } } })({
		list: Array.from({ length: 33_000 }, () => counted),
	});
	assert.deepEqual(
		problems.map(({ at }) => at),
		[["list", "0", "a"]],
	);
	assert.ok(looked < 100, `${looked} parts looked at`);
});

test("a rule about names or items does not take a problem beside it for its own", () => {
	assert.deepEqual(
		said(
			{ required: ["a"], properties: { a: { type: "integer" } }, propertyNames: { pattern: "^[a-z]+$" } },
			{ B1: 1 },
		),
		["args/a: expected a value, got none", 'name of a field of args: expected text that matches ^[a-z]+$, got "B1"'],
	);
	assert.deepEqual(said({ properties: { it: { minItems: 3, contains: { const: 1 } } } }, { it: [2] }), [
		"args/it: expected at least 3 items, got [2]",
	]);
	const either = { anyOf: [{ required: ["b"] }, { required: ["c"] }] };
	assert.deepEqual(said({ allOf: [{ required: ["a"] }, either] }, {}), [
		"args/a: expected a value, got none",
		"args: expected {b} or {c}, got object {}",
	]);
});

test("the problems of an alternative are its own, also where it is a reference, even to where it stands", () => {
	const node = {
		type: "object",
		properties: { name: { type: "string" }, next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } },
		required: ["name"],
		additionalProperties: false,
	};
	const tree = { $defs: { node }, properties: { tree: { $ref: "#/$defs/node" } } };
	assert.deepEqual(said(tree, { tree: { next: { name: 5 } } }), [
		"args/tree/name: expected a value, got none",
		'args/tree/next: expected {name} or null, got object {"name":5}',
	]);
	const named = { $defs: { node: { ...node, $anchor: "node" } }, properties: { tree: { anyOf: [{ $ref: "#node" }] } } };
	assert.deepEqual(said(named, { tree: 5 }).length, 1);
});
