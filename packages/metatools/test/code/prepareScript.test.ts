import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CappedText } from "../../src/code/cappedText.ts";
import { prepareScript } from "../../src/code/prepareScript.ts";

void test("the last expression is returned and every line stays where it was", () => {
	const cases: [string, string][] = [
		["1 + 1", "(async () => {return (1 + 1);\n})"],
		["const a = 1;\n\na // the answer", "(async () => {const a = 1;\n\nreturn (a); // the answer\n})"],
		["({ a: 1 });", "(async () => {return (({ a: 1 }));\n})"],
		["return 5", "(async () => {return 5\n})"],
		["a;\nfunction f() {}\n;", "(async () => {return (a);\nfunction f() {}\n;\n})"],
		["x // c\n;", "(async () => {return (x // c\n);\n})"],
		["// only a comment", "(async () => {// only a comment\n})"],
	];
	for (const [code, script] of cases) assert.deepEqual(prepareScript("javascript", code), { ok: true, script });
});

void test("code in a fence is taken out of it, and every line stays where it was", () => {
	const script = "(async () => {\nreturn (1 + 1);\n\n})";
	assert.deepEqual(prepareScript("javascript", "```js\n1 + 1\n```"), { ok: true, script });
	assert.deepEqual(prepareScript("typescript", "```\n1 + 1\n```\n"), { ok: true, script });
	const template = prepareScript("javascript", "```\n```");
	assert.deepEqual(template, { ok: true, script: "(async () => {\n\n})" });
});

void test("what cannot be parsed is told in one line, with the line where it is known", () => {
	assert.deepEqual(prepareScript("javascript", "let a;\nlet a;"), {
		...{ ok: false, message: "Identifier 'a' has already been declared", line: 2 },
	});
	const enumeration = prepareScript("typescript", "enum E { A }");
	assert.ok(!enumeration.ok && /enum/.test(enumeration.message) && !enumeration.message.includes("\n"));
});

void test("no text makes the parser throw, and what it passes is one function", () => {
	const pieces = fc.constantFrom(
		"}",
		"{",
		"(",
		")",
		"`",
		"${",
		"'",
		"//",
		"/*",
		"*/",
		"\n",
		";",
		"a",
		"return ",
		"await ",
		"=>",
		"/",
		"<!--",
	);
	const code = fc.oneof(
		fc.string(),
		fc.array(pieces, { maxLength: 12 }).map((list) => list.join("")),
	);
	fc.assert(
		fc.property(code, fc.constantFrom("javascript" as const, "typescript" as const), (text, language) => {
			const prepared = prepareScript(language, text);
			if (prepared.ok) assert.equal(typeof new Function(`return ${prepared.script}`)(), "function");
			else assert.equal(typeof prepared.message, "string");
		}),
		{ numRuns: 500 },
	);
});

void test("capped text never holds more than its limit and never splits a character", () => {
	fc.assert(
		fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.integer({ min: 1, max: 40 }), (parts, limit) => {
			const capped = new CappedText(limit);
			const kept = parts.map((part) => capped.append(part)).join("");
			const whole = parts.join("");
			assert.ok(kept.length <= limit && whole.startsWith(kept) && kept.isWellFormed() === whole.isWellFormed());
			const notice = `\n[output truncated at ${limit} characters]`;
			assert.equal(capped.toString(), kept === whole ? whole : kept + notice);
		}),
	);
});
