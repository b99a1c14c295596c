import assert from "node:assert/strict";
import { test } from "node:test";
import { isExactNumber, parseExact, roundNumbers, stringifyForRounding } from "../../src/contract/exactJson.ts";
import { isObject, readKind, showValue } from "../../src/contract/json.ts";
import { compileArgumentsCheck, compileCheck } from "../../src/run/schema/schemaCheck.ts";

const written = (json: string): string => JSON.stringify(parseExact(json));

test("a number that JavaScript would change is written as it was read", () => {
	for (const number of [
		"9007199254740993",
		"-9007199254740993",
		"9223372036854775807",
		"12345678901234567890123",
		"9007199254740993.0",
		"9007199254740993e0",
		"90071992547409930e-1",
		"1e400",
		"-1E+400",
		"1e-400",
		"0.5e999",
	]) {
		for (const json of [`{"a":${number}}`, `[${number}]`, `{"a":[1,${number}]}`, `{"a": ${number}}`])
			assert.equal(written(json), json.replaceAll(" ", ""), json);
	}
});

test("other numbers are ordinary ones, also beside such a number", () => {
	const json = '[9007199254740993,9007199254740992,1e23,1.0,-0,0e999,3.14159265358979323846,1e100,"9007199254740993"]';
	assert.deepEqual((parseExact(json) as unknown[]).slice(1), [
		9007199254740992,
		1e23,
		1,
		-0,
		0,
		Math.PI,
		1e100,
		"9007199254740993",
	]);
	assert.throws(() => parseExact("[9007199254740993,]"), SyntaxError);
});

test("such a number counts as a number, and its digits are shown", () => {
	const [number] = parseExact("[9007199254740993]") as unknown[];
	assert.ok(isExactNumber(number));
	assert.deepEqual([isObject(number), readKind(number), showValue(number)], [false, "number", "9007199254740993"]);
	const alike = { rawJSON: "9007199254740993" };
	assert.deepEqual([isExactNumber(alike), isObject(alike)], [false, true]);
	assert.equal(
		stringifyForRounding({ a: [number, 1], b: alike }),
		`{"a":["9007199254740993",1],"b":${JSON.stringify(alike)}}`,
	);
	assert.deepEqual(roundNumbers({ a: number }), { a: 2 ** 53 });
});

test("a schema is checked with such numbers on either side", () => {
	const schema = parseExact('{"type":"object","properties":{"id":{"type":"integer","maximum":9223372036854775807}}}');
	for (const check of [compileCheck(schema), compileArgumentsCheck(schema)]) {
		assert.deepEqual(check(parseExact('{"id":9223372036854775807}')), []);
		assert.equal(check(parseExact('{"id":92233720368547758070}')).length, 1);
		assert.equal(check({ id: "1" }).length, 1);
	}
	const text = { type: "object", properties: { id: { type: "string" } } };
	assert.equal(compileCheck(text)(parseExact('{"id":9007199254740993}')).length, 1);
});
