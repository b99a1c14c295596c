import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { decodeText } from "../../src/discover/readSource.ts";
import { blankOut, parsedText } from "../../src/parse/blanks.ts";
import { parseFile } from "../../src/parse/parseFile.ts";
import { SPECS } from "../../src/parse/specs/index.ts";
import { ownProcess } from "../ownProcess.ts";
import { NESTINGS, nested, PATHS } from "./nestings.ts";
import { assertSound } from "./soundChunks.ts";

const FIXTURES = new URL("./fixtures/data/", import.meta.url);
const SAMPLES = readdirSync(FIXTURES)
	.filter((name) => name.startsWith("store."))
	.map((name) => ({ path: name.replace(/\.txt$/, ""), text: readFileSync(new URL(name, FIXTURES), "utf8") }));
/** A naive scan would read each of these to the end again from every piece. */
const LONG_LINES = ["#error(\r", "Dictionary[", "extension type i<\r", ",#", "#,#,#,#\n"].map((piece) =>
	piece.repeat(500_000 / piece.length),
);
/** Far above what any of these takes; it only ensures that a parse ends. */
const TIME = { timeout: 600_000 };

test("a file cut off anywhere still gives ordered chunks that cover its text", TIME, async () => {
	for (const { path, text } of SAMPLES) {
		for (let cut = 7; cut < text.length; cut += Math.ceil(text.length / 6)) {
			const part = text.slice(0, cut);
			assertSound(path, part, await parseFile(path, part));
		}
	}
});

test("any text can be parsed in any language", TIME, async () => {
	const words = fc.constantFrom(
		..."{ } ( ) [ ] < > ; : , . = => \" ' ` ${ */ /* // # #if #else #endif <script> </script> @a \n \t \0 \u2028 class function def fn if end é 漢 😀 \ud800".split(
			" ",
		),
	);
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...PATHS), fc.array(words, { maxLength: 120 }), async (path, parts) => {
			const text = parts.join(" ");
			assertSound(path, text, await parseFile(path, text));
		}),
		{ numRuns: 250 },
	);
});

test("bytes of mixed encodings decode to a text that every parser accepts", TIME, async () => {
	const mixed = Buffer.concat([
		Buffer.from("function f() { return 'é'; }\n"),
		Buffer.from([0xe9, 0xff, 0x80, 0x0a]),
		Buffer.from("漢字 = 1\n", "utf8"),
	]);
	const decoded = decodeText(mixed);
	assert.equal(decoded?.encoding, "latin1");
	for (const path of PATHS) assertSound(path, decoded?.text ?? "", await parseFile(path, decoded?.text ?? ""));
});

test("the text hidden from a grammar is found in linear time", TIME, () => {
	const long = [
		...[
			"__has_include(",
			") A_PRINTF",
			"x A_GUARDED_BY(()",
			"A_B(",
			"#if __cplusplus\n",
			"#if A\n(\n#else\n}\n#endif\n",
		],
		...["@a(b ", "@a(((", "@a x ", "class A<", "class A\n@a ", '"a\\', "a! {\n//\n", "= if ", "\n else ->"],
	].map((piece) => piece.repeat(500_000 / piece.length));
	long.push(`ABCD const ${"a".repeat(1_000_000)}`, `#A${" ".repeat(1_000_000)}`, ...LONG_LINES);
	for (const grammar of ["cpp", "kotlin", "swift", "rust", "bash", "nix", "dart", "gdscript"] as const) {
		const spec = SPECS[grammar];
		assert.ok(spec);
		for (const text of long) assert.equal(parsedText(blankOut(text, spec), spec).length, text.length);
	}
});

test("NUL characters are text like any other", TIME, async () => {
	const text = "a\0b = 1\nfunction \0 f() {}\n".repeat(10);
	for (const path of PATHS) assertSound(path, text, await parseFile(path, text));
});

test("a line of ten megabytes is split into pieces", TIME, async () => {
	const line = "var a=[1,2,3];".repeat(750_000);
	for (const path of ["x.js", "x.py", "x.json", "x.yaml", "x.toml", "x.md", "x.sql", "x.unknown"]) {
		// SQL is read statement by statement, which takes seconds for all of it.
		const text = path === "x.sql" ? line.slice(0, 1_000_000) : line;
		const parsed = await parseFile(path, text);
		assertSound(path, text, parsed);
		assert.ok(parsed.chunks.length > 1, path);
		assert.ok(
			parsed.chunks.every((chunk) => chunk.end - chunk.start <= 20_000 || parsed.method !== "lines"),
			path,
		);
	}
});

test("deep nesting ends without a crash", TIME, async () => {
	for (const [index, path] of PATHS.entries()) {
		// Every language meets one of them; hostile.soak.ts has each meet all.
		const text = nested(NESTINGS[index % NESTINGS.length] ?? assert.fail());
		assertSound(path, text, await parseFile(path, text));
	}
});

test("after a text nested deeper than the parser's stack, other files can still be parsed", TIME, async () => {
	const text = "object:.".repeat(3_000);
	assertSound("x.py", text, await parseFile("x.py", text));
	for (const { path, text: sample } of SAMPLES.filter(({ path }) => /\.(?:py|ts|go)$/.test(path)))
		assert.equal((await parseFile(path, sample)).method, "grammar", path);
});

test("a long chain that turns out not to be a name is scanned once", TIME, async () => {
	const optional = `a${"?.b".repeat(50)}[0]();\n`;
	assertSound("x.ts", optional, await parseFile("x.ts", optional));
	const mixins = `.x { #a${"\t\t#a".repeat(400)}|; }\n`;
	assertSound("x.less", mixins, await parseFile("x.less", mixins));
});

test("a megabyte of one letter in a declaration, a comment or a value is scanned once", TIME, async () => {
	const long = (letter: string) => letter.repeat(1_000_000 / letter.length);
	for (const [path, text] of [
		["x.ts", `function f(a${long(" ")}b) {}`],
		["x.go", `package a\nfunc (s *S${long(" ")}x) f() {}`],
		["x.ts", `/* ${long("*")} x */\nfunction f() {}`],
		["x.toml", `a = "${long('\\"')}`],
	] as const)
		assertSound(path, text, await parseFile(path, text));
});

test("inherited object members are names like any other", async () => {
	const text =
		"class constructor { __proto__() { return toString.hasOwnProperty; } valueOf = () => 1; }\nfunction constructor() { __proto__ = constructor; }\n";
	for (const path of PATHS) assertSound(path, text, await parseFile(path, text));
});

test("a grammar that fails prints nothing to stderr, and the file is chunked by lines", () => {
	const module = new URL("../../src/parse/parseFile.ts", import.meta.url).href;
	const program = `import { parseFile } from ${JSON.stringify(module)};
		console.log((await parseFile("A.java", "*a(\\n".repeat(5_000))).method);`;
	const { stdout, stderr } = ownProcess(program);
	assert.deepEqual([stdout.trim(), stderr], ["lines", ""]);
});
