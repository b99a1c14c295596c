import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findPlaceInStack } from "../../src/code/script/insertions.ts";
import { prepareScript } from "../../src/code/script/prepareScript.ts";
import { CappedText } from "../../src/code/session/sessionOutput.ts";

const scriptOf = (...given: Parameters<typeof prepareScript>) => {
	const prepared = prepareScript(...given);
	return prepared.ok && prepared.script;
};

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
	for (const [code, script] of cases) assert.equal(scriptOf("javascript", code), script);
});

void test("a promise that nobody can await is handed to the function's argument, whatever the code calls its own", () => {
	const cases: [string, string][] = [
		["a();\nb()", "(async (watched) => {watched(a());\nreturn (b());\n})"],
		[
			"if (x) a?.b()\nelse void new C; let d",
			"(async (watched) => {if (x) watched(a?.b())\nelse void watched(new C); let d\n})",
		],
		["let watched; f(); let g", "(async (watched_) => {let watched; watched_(f()); let g\n})"],
		["a.forEach(async (b) => c(b))", "(async (watched) => {return (a.forEach(watched(async (b) => c(b))));\n})"],
		["a.forEach((b) => c(b))", "(async () => {return (a.forEach((b) => c(b)));\n})"],
		["const a = b(); const c = d(); c", "(async (watched) => {const a = watched(b()); const c = d(); return (c);\n})"],
		["await a(); b = c(); 1", "(async () => {await a(); b = c(); return (1);\n})"],
	];
	for (const [code, script] of cases) assert.equal(scriptOf("javascript", code), script);
});

void test("code in a fence is taken out of it, and every line stays where it was", () => {
	const script = "(async () => {\nreturn (1 + 1);\n\n})";
	assert.equal(scriptOf("javascript", "```js\n1 + 1\n```"), script);
	assert.equal(scriptOf("typescript", "```\n1 + 1\n```\n"), script);
	assert.equal(scriptOf("javascript", "```\n```"), "(async () => {\n\n})");
});

void test("what cannot be parsed is told in one line, with its place in the caller's own text", () => {
	const cases: [string, string, number, number][] = [
		["let a;\nlet a;", "Identifier 'a' has already been declared", 2, 5],
		["const b = ;", "Unexpected token ';'", 1, 11],
		["const é = '😀';\n\tcall(1,,2)", "Unexpected token ','", 2, 9],
		["function f() {\n  return 1;\n", "Unexpected end of the code", 3, 1],
		["let a = 1;\n}\nlet b", "Unexpected token '}'", 2, 1],
		["}); globalThis.out = 1; (async () => {", "Unexpected token '}'", 1, 1],
		["[1].map((one) => {\n  await tools.a.b(one) })", "await isn't allowed in non-async function", 2, 9],
	];
	for (const [code, message, line, column] of cases)
		assert.deepEqual(prepareScript("javascript", code), { ok: false, message, line, column });
});

void test("what cannot be stripped of its types is told with its place too", () => {
	const cases: [string, object][] = [
		["const a: number = ;", { message: "Expression expected", line: 1, column: 19 }],
		["let a: string;\n  call(1,,2)", { message: "Expression expected", line: 2, column: 10 }],
		// Only the line: the stripper shows a tab, and what is wider than one column, as several.
		["let a: string;\n\tcall(1,,2)", { message: "Expression expected", line: 2 }],
		["function f(): void {\n  f();", { message: "Unexpected end of the code", line: 2, column: 7 }],
		["const a: number = 1;\nlet a;", { message: "Identifier 'a' has already been declared", line: 2, column: 5 }],
	];
	for (const [code, problem] of cases)
		assert.deepEqual(prepareScript("typescript", code), { ok: false, ...problem }, code);
	const enumeration = prepareScript("typescript", "enum E { A }");
	assert.ok(!enumeration.ok && /enum/.test(enumeration.message) && !enumeration.message.includes("\n"));
});

void test("a place in the script is told as one in the code", () => {
	const at = (code: string, place: string) => {
		const prepared = prepareScript("javascript", code);
		return prepared.ok && findPlaceInStack(`Error: code.js:9:9\n    at f (code.js:${place})\n`, prepared.insertions);
	};
	assert.deepEqual(at("const x = null; x.y", "1:40"), { line: 1, column: 18 });
	assert.deepEqual(at("const x = null; x.y; let z", "1:32"), { line: 1, column: 18 });
	assert.deepEqual(at("let x;\n  x.y", "2:12"), { line: 2, column: 4 });
	assert.deepEqual(at("let x;\n  x.y;\nlet z", "2:4"), { line: 2, column: 4 });
	assert.deepEqual(at("a(); b(); x.y", "1:60"), { line: 1, column: 13 });
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
