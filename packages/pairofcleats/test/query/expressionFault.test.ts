import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { describeExpressionFault } from "../../src/expression/expressionFault.ts";
import { parseQuery } from "../../src/query/parseQuery.ts";

test("the fault of an expression is reported with its position", () => {
	for (const [source, reason, at] of [
		["[", /Unterminated character class/, '1, "["'],
		["ab[c", /Unterminated character class/, '3, "[c"'],
		["a(b(c)", /Unterminated group/, '2, "(b(c)"'],
		["ab)c", /Unmatched '\)'/, '3, ")c"'],
		["*a", /Nothing to repeat/, '1, "*a"'],
		["a{2,1}", /numbers out of order/, '6, "}"'],
		["(?<n>a)x(?<n>b)", /Duplicate capture group name/, '10, "?<n>b)"'],
		["a(?b)", /Invalid group/, '3, "?b)"'],
	] as const) {
		const fault = describeExpressionFault(source, "") ?? "";
		assert.match(fault, reason, source);
		assert.ok(fault.endsWith(`, at character ${at}`), `${source}: ${fault}`);
	}
});

test("an expression has a fault exactly if it does not compile", () => {
	fc.assert(
		fc.property(fc.string({ unit: fc.constantFrom(..."ab[](){}\\?*+^$|<>:=!-,1"), maxLength: 12 }), (source) => {
			let valid = true;
			try {
				new RegExp(source);
			} catch {
				valid = false;
			}
			assert.equal(describeExpressionFault(source, "") === undefined, valid, source);
		}),
	);
});

test("an expression with an unclosed class is refused, and a path is not taken for an expression", () => {
	for (const query of ["/[/", "/foo[/", "/throw new [A-Z/i", "-/[ab/"])
		assert.throws(
			() => parseQuery(query),
			/query: expected a valid regular expression, got .*: Unterminated character class, at character/,
		);
	for (const query of ["/usr/lib/", "/files/[id]/page", "/app/[slug"])
		assert.equal(parseQuery(query).condition, undefined, query);
});

test("an expression with a Unicode property is read as such without its flag", () => {
	assert.deepEqual(parseQuery(String.raw`/\p{Lu}{4,}/i`).condition, {
		kind: "all",
		of: [{ kind: "regex", source: String.raw`\p{Lu}{4,}`, flags: "iu" }],
	});
	assert.deepEqual(parseQuery(String.raw`/a\\p{2}/`).condition, {
		kind: "all",
		of: [{ kind: "regex", source: String.raw`a\\p{2}`, flags: "" }],
	});
});

test("a class that JavaScript does not have, and flags that it has for other uses, are refused", () => {
	assert.throws(() => parseQuery("/[[:alpha:]]+Store/"), /\[:alpha:\] is no class here/);
	assert.throws(() => parseQuery("/[^_[:digit:]]x/"), /\[:digit:\] is no class here/);
	assert.throws(() => parseQuery("/store.{0,9}x/g"), /query: expected no flags but i, m, s and u/);
	for (const query of ["/users/me", "/files/g", "/[id]/d", "/a/g"])
		assert.equal(parseQuery(query).condition, undefined, query);
});
