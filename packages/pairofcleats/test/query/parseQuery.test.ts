import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CleatsError } from "../../src/contract/errors.ts";
import { parseQuery } from "../../src/query/parseQuery.ts";
import { readQueryTerms } from "../../src/rank/terms/queryTerms.ts";

test("plain words affect ranking and are not required", () => {
	assert.deepEqual(parseQuery("how is the session id validated?"), {
		words: ["how", "is", "the", "session", "id", "validated"],
		selects: false,
	});
});

test("lower-case and, or, not are words", () => {
	assert.deepEqual(parseQuery("read and write or not").words, ["read", "and", "write", "or", "not"]);
	assert.equal(parseQuery("read and write or not").condition, undefined);
});

test("phrases and exclusions are conditions in addition to the words", () => {
	assert.deepEqual(parseQuery('open "not found" -test'), {
		words: ["open", "not", "found"],
		selects: true,
		condition: {
			kind: "all",
			of: [
				{ kind: "phrase", text: "not found" },
				{ kind: "not", of: { kind: "word", text: "test" } },
			],
		},
	});
});

test("an operator needs no blank before a group", () => {
	assert.deepEqual(parseQuery("store NOT(dispatch)"), parseQuery("store NOT (dispatch)"));
	assert.deepEqual(parseQuery("((a))OR(b AND -c)"), parseQuery("((a)) OR (b AND -c)"));
	assert.deepEqual(parseQuery("(a)AND(NOT(b))"), parseQuery("(a) AND (NOT (b))"));
	assert.deepEqual(parseQuery("NOTE(a)").words, ["NOTE", "a"]);
});

test("a star with exclusions is everything else, with operators too", () => {
	assert.deepEqual(parseQuery("* AND NOT store"), {
		words: [],
		selects: true,
		condition: { kind: "not", of: { kind: "word", text: "store" } },
	});
	assert.deepEqual(parseQuery("* *"), { words: [], selects: true });
	assert.throws(() => parseQuery("-*"), /at least one word/);
});

test("upper-case operators bind NOT before AND before OR, and groups before all", () => {
	assert.deepEqual(parseQuery("a AND NOT b OR (c d)").condition, {
		kind: "any",
		of: [
			{
				kind: "all",
				of: [
					{ kind: "word", text: "a" },
					{ kind: "not", of: { kind: "word", text: "b" } },
				],
			},
			{
				kind: "all",
				of: [
					{ kind: "word", text: "c" },
					{ kind: "word", text: "d" },
				],
			},
		],
	});
});

test("a phrase can contain quotes escaped with a backslash", () => {
	const phrases = (query: string): unknown => parseQuery(query).condition;
	assert.deepEqual(phrases('"failf(data, \\"Could not"'), {
		kind: "all",
		of: [{ kind: "phrase", text: 'failf(data, "Could not' }],
	});
	assert.deepEqual(phrases('"C:\\dir\\" -"log"'), {
		kind: "all",
		of: [
			{ kind: "phrase", text: "C:\\dir\\" },
			{ kind: "not", of: { kind: "phrase", text: "log" } },
		],
	});
});

test("a quoted setting in a message is not required, unless it is nearly the whole query", () => {
	const message = parseQuery('ConnectionError: Pool(host="x", port=80): Max retries exceeded with url');
	assert.equal(message.condition, undefined);
	assert.ok(message.words.includes("x"));
	for (const query of ['type="submit"', 'form type="submit"', 'which form of the page has "submit" in it'])
		assert.deepEqual(parseQuery(query).condition, { kind: "all", of: [{ kind: "phrase", text: "submit" }] }, query);
});

test("a regular expression keeps its flags, and a path is not one", () => {
	assert.deepEqual(parseQuery("/foo\\/(bar|baz)/i").condition, {
		kind: "all",
		of: [{ kind: "regex", source: "foo\\/(bar|baz)", flags: "i" }],
	});
	assert.equal(parseQuery("/usr/lib/node").condition, undefined);
});

test("slashes between words separate them, and only a query of nothing else is an expression that begins with a blank", () => {
	const separated = parseQuery("disable DateOnly / TimeOnly support / see below");
	assert.equal(separated.condition, undefined);
	assert.deepEqual(separated.words, ["disable", "DateOnly", "TimeOnly", "support", "see", "below"]);
	assert.deepEqual(parseQuery("/ = null /").condition, {
		kind: "all",
		of: [{ kind: "regex", source: " = null ", flags: "" }],
	});
});

test("an expression that does not compile is refused, and the error quotes it", () => {
	assert.throws(
		() => parseQuery("/(unclosed/"),
		(error) => error instanceof CleatsError && error.code === "INVALID_REQUEST" && error.message.startsWith("query: "),
	);
});

test("a query of exclusions alone is refused", () => {
	for (const query of ["-foo", "NOT foo", "-foo -bar", "NOT !!!", '""']) {
		assert.throws(() => parseQuery(query), { code: "INVALID_REQUEST" }, query);
	}
});

test("marks without a word are searched as they are written", () => {
	for (const query of ["=>", "?? {", "()", "->", "!!!"]) {
		const condition = { kind: "all", of: [{ kind: "phrase", text: query }] };
		assert.deepEqual(parseQuery(` ${query} `), { words: [], selects: true, condition }, query);
	}
});

test("a call or an unpaired bracket is text, not a group", () => {
	assert.deepEqual(parseQuery("foo(bar)").words, ["foo", "bar"]);
	assert.equal(parseQuery("what is ( here").condition, undefined);
	assert.equal(parseQuery("how fields use (.:?) with a default (.!=)").condition, undefined);
	assert.deepEqual(parseQuery("--disable-warning").words, ["disable", "warning"]);
});

test("inherited object members are words like any other", () => {
	for (const word of ["constructor", "toString", "__proto__", "hasOwnProperty"])
		assert.deepEqual(parseQuery(word).words, [word]);
});

test("a star selects everything", () => {
	assert.deepEqual(parseQuery(" * "), { words: [], selects: true });
});

test("a star with exclusions selects everything else", () => {
	const condition = { kind: "all", of: [{ kind: "not", of: { kind: "word", text: "test" } }] };
	for (const query of ["* -test", "* NOT test", "-test *"]) {
		const parsed = parseQuery(query);
		assert.deepEqual(parsed, { words: [], selects: true, condition }, query);
		assert.equal(readQueryTerms(parsed, query).meant, "", "nothing is ranked by the meaning of what is excluded");
	}
	assert.deepEqual(parseQuery("* open -test").words, ["open"]);
});

test("any text is either parsed or refused as an invalid request, quickly", () => {
	const piece = fc.constantFrom(
		"a",
		"(",
		")",
		'"',
		"/",
		"-",
		"AND",
		"OR",
		"NOT",
		" ",
		"foo",
		"*",
		"\\",
		"[",
		"é",
		"\n",
	);
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
			try {
				parseQuery(pieces.join(""));
			} catch (error) {
				assert.ok(error instanceof CleatsError && error.code === "INVALID_REQUEST", String(error));
			}
		}),
	);
});

test("nothing in pasted text is required or excluded", () => {
	const report = `Search crashes\n\n    File "/srv/app/query.py", line 3, in run\n    - raise KeyError("x")\nOR (so it seems`;
	assert.deepEqual(parseQuery(report), {
		words: "Search crashes File srv app query py line 3 in run raise KeyError x OR so it seems".split(" "),
		selects: false,
		report: {
			title: "Search crashes",
			said: "OR (so it seems",
			shown: '    File "/srv/app/query.py", line 3, in run\n    - raise KeyError("x")',
			isTold: false,
		},
	});
	const long = `${"word ".repeat(40)}-word`;
	assert.equal(parseQuery(long).condition, undefined);
	assert.notEqual(parseQuery(long.slice(5)).condition, undefined);
	for (const data of ['{"error": "not found"}', '[{ "level": "warn" }]']) assert.equal(parseQuery(data).selects, false);
	assert.notEqual(parseQuery('[x] "not found"').condition, undefined);
});

test("a long run of parentheses or quotes is scanned once", () => {
	for (const letters of [")", '\\"']) {
		const query = `x${letters.repeat(200_000 / letters.length)}y`;
		assert.deepEqual(parseQuery(query).words, ["x", "y"], letters);
	}
});
