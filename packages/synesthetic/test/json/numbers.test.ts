import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareNumbers, isInteger, isMultipleOf } from "../../src/json/decimal.ts";
import { isEqualJson } from "../../src/json/jsonEqual.ts";
import { compareByCodePoint, createExactNumber, isExactNumber } from "../../src/json/jsonValue.ts";
import { canBeSpeltAnew, parseJson, parseSpelt } from "../../src/json/parseJson.ts";
import { stringifyJson } from "../../src/json/stringifyJson.ts";

test("a number a double cannot hold keeps its text, any other is a number", () => {
	for (const text of [
		"9007199254740993",
		"1e999",
		"-1e400",
		"0.1000000000000000055511151231257827",
		"123456789012345678.5",
	]) {
		const value = parseJson(text);
		assert.ok(isExactNumber(value), text);
		assert.equal(stringifyJson(value), text);
	}
	for (const text of ["0", "-1.5", "0.1", "1e21", "1.0", "1000000000000000000000", "12.50"])
		assert.equal(parseJson(text), Number(text));
});

test("parsing and writing gives back the value JSON.parse would, where it is exact", () => {
	fc.assert(fc.property(fc.json(), (text) => stringifyJson(parseJson(text)) === JSON.stringify(JSON.parse(text))));
});

test("no number that would be written anew is taken for one that is not", () => {
	const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,24})$/);
	const fraction = fc.stringMatching(/^(\.0{0,9}[0-9]{1,20})?$/);
	const exponent = fc.stringMatching(/^([eE][+-]?[0-9]{1,3})?$/);
	fc.assert(
		fc.property(fc.boolean(), digits, fraction, exponent, (negative, whole, part, power) => {
			const text = `${negative ? "-" : ""}${whole}${part}${power}`;
			assert.ok(canBeSpeltAnew(text) || JSON.stringify(JSON.parse(text)) === text, text);
		}),
		{ numRuns: 2_000 },
	);
});

test("read as it is spelt, a document is written as it was, to any depth", () => {
	for (const text of [
		'{"a":[1.0,-0,1e2,0.50,"1.0",12345678901234567890],"1.0":{"b":2.50,"__proto__":[3.0]}}',
		`${"[".repeat(50_000)}1.0${"]".repeat(50_000)}`,
	])
		assert.equal(stringifyJson(parseSpelt(text)), text);
	const deep = `${"[".repeat(50_000)}9007199254740993${"]".repeat(50_000)}`;
	assert.equal(stringifyJson(parseJson(deep)), deep);
	for (const broken of [
		"[01.0]",
		"[1.0-5]",
		"[--1.0]",
		"[1.0.]",
		"1.0 2.0",
		"-",
		'{1.0:""}',
		'{1.0 :""}',
		`{${"1".repeat(900_000)}:1}`,
		'{1.0:"", "a"',
	])
		assert.throws(() => parseSpelt(broken), SyntaxError, broken);
});

test("data that looks like an exact number is data", () => {
	assert.equal(
		stringifyJson(parseJson('{"rawJSON":"1e999","n":12345678901234567890}')),
		'{"rawJSON":"1e999","n":12345678901234567890}',
	);
});

test("comparison, integers and multiples are exact in decimal", () => {
	assert.ok(compareNumbers(createExactNumber("9007199254740993"), 9007199254740992) > 0);
	assert.ok(compareNumbers(createExactNumber("-1e400"), -1e308) < 0);
	assert.ok(isInteger(createExactNumber("1e400")) && !isInteger(createExactNumber("1e-400")));
	assert.ok(isMultipleOf(0.0075, 0.0001) && !isMultipleOf(0.00751, 0.0001));
	assert.ok(
		isMultipleOf(createExactNumber("1e999999999"), 3) === false && isMultipleOf(createExactNumber("3e999999999"), 3),
	);
	assert.ok(!isMultipleOf(1e308, 0.123456789) && isMultipleOf(1e308, 0.5));
});

test("an exponent may be larger than any double, too", () => {
	const power = (digits: number, last = 9) => `${"9".repeat(digits - 1)}${last}`;
	for (const digits of [17, 400, 20_000]) {
		const large = createExactNumber(`3e${power(digits)}`);
		assert.ok(isEqualJson(large, createExactNumber(`30e${power(digits, 8)}`)));
		assert.ok(!isEqualJson(large, createExactNumber(`3e${power(digits, 8)}`)));
		assert.ok(compareNumbers(large, createExactNumber(`4e${power(digits, 8)}`)) > 0);
		assert.ok(
			compareNumbers(createExactNumber(`3e-${power(digits)}`), createExactNumber(`4e-${power(digits, 8)}`)) < 0,
		);
		assert.ok(isInteger(large) && !isInteger(createExactNumber(`3e-${power(digits)}`)));
		assert.ok(
			isMultipleOf(large, 3) && isMultipleOf(large, 1024) && isMultipleOf(large, 0.375) && !isMultipleOf(large, 7),
		);
		assert.ok(!isMultipleOf(createExactNumber(`3e-${power(digits)}`), 3));
	}
});

test("whether one number is a multiple of another is what long integers say", () => {
	const digits = fc.bigInt({ min: 1n, max: 10n ** 12n });
	fc.assert(
		fc.property(digits, fc.nat(40), digits, (value, zeros, divisor) => {
			const written = createExactNumber(`${value}e${zeros}`);
			return (
				isMultipleOf(written, createExactNumber(`${divisor}`)) === ((value * 10n ** BigInt(zeros)) % divisor === 0n)
			);
		}),
	);
	for (let twos = 0; twos < 60; twos += 1)
		for (const zeros of [twos - 1, twos].filter((count) => count >= 0))
			assert.equal(
				isMultipleOf(createExactNumber(`3e${zeros}`), createExactNumber(String(2n ** BigInt(twos)))),
				zeros === twos,
			);
});

test("equality knows 1.0 from true and ignores key order", () => {
	assert.ok(isEqualJson(parseJson('{"a":[1.0],"b":2}'), parseJson('{"b":2,"a":[1]}')));
	assert.ok(
		!isEqualJson(1, true) && !isEqualJson([0], [false]) && !isEqualJson({}, []) && !isEqualJson({ a: 1 }, { b: 1 }),
	);
});

test("order is by code point, so U+FFFF comes before an emoji", () => {
	assert.deepEqual(["😀", "\uffff", "b", "a", "aa", "é"].sort(compareByCodePoint), [
		"a",
		"aa",
		"b",
		"é",
		"\uffff",
		"😀",
	]);
});

test("zeros within a number of a megabyte are looked at once", () => {
	const zeros = "0".repeat(1_000_000);
	assert.equal(isInteger(createExactNumber(`1${zeros}1`)), true);
	assert.equal(isInteger(createExactNumber(`1${zeros}.${zeros}1`)), false);
});
