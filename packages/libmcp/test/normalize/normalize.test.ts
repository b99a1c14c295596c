import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { verifies } from "../../../../e2e/verifies.ts";
import { normalizeLocation, normalizePath } from "../../src/normalize/paths.ts";
import {
	createMethodTokens,
	describeNormalizeError,
	type Normalized,
	normalizeFields,
	normalizeInteger,
} from "../../src/normalize/values.ts";

/** The value, or the code of the refusal. */
function outcome<Value>(normalized: Normalized<Value>): Value | string {
	return normalized.ok ? normalized.value : `refused: ${normalized.error.code}`;
}

verifies(
	["002-normalization-integer-strings", "002-normalization-unambiguous-only", "002-versioning-doctrine-in-tests"],
	"an integer-like value becomes that integer or an error, never a neighbour",
	() => {
		const table: [unknown, number | string][] = [
			[42, 42],
			["42", 42],
			["-7", -7],
			["0", 0],
			["7.0", 7],
			["9007199254740991", 9007199254740991],
			["9007199254740991.000", 9007199254740991],
			["9007199254740992", "refused: out_of_range"],
			["9007199254740993", "refused: out_of_range"],
			["-9007199254740993", "refused: out_of_range"],
			["99999999999999999999999999", "refused: out_of_range"],
			[9007199254740992, "refused: not_exact"],
			[4.5, "refused: not_exact"],
			["4.5", "refused: not_exact"],
			["1e3", "refused: not_exact"],
			["1e3x", "refused: not_exact"],
			["0x10", "refused: not_exact"],
			["007", "refused: not_exact"],
			[" 7", "refused: not_exact"],
			["+7", "refused: not_exact"],
			["", "refused: not_exact"],
			["７", "refused: not_exact"],
			[Number.NaN, "refused: not_exact"],
			[Number.POSITIVE_INFINITY, "refused: not_exact"],
			[true, "refused: wrong_type"],
			[null, "refused: wrong_type"],
			[["1"], "refused: wrong_type"],
		];
		for (const [value, expected] of table) assert.equal(outcome(normalizeInteger("n", value)), expected, String(value));
		assert.equal(outcome(normalizeInteger("top", "11", { min: 1, max: 10 })), "refused: out_of_range");
		fc.assert(
			fc.property(fc.maxSafeInteger(), (n) => {
				assert.equal(outcome(normalizeInteger("n", String(n))), n);
			}),
		);
	},
);

test("a refusal names the field, what was expected and what came", () => {
	const refused = normalizeInteger("top", "11", { min: 1, max: 10 });
	assert.ok(!refused.ok);
	assert.equal(describeNormalizeError(refused.error), 'top: expected an integer from 1 to 10, got "11"');
	const long = normalizeInteger("top", "x".repeat(500));
	assert.ok(!long.ok && describeNormalizeError(long.error).length < 150);
});

verifies(
	"002-normalization-field-aliases",
	"an alias becomes its canonical field, and two different values are an error",
	() => {
		const aliases = { path: ["file", "file_path"], top: ["limit"] };
		assert.deepEqual(outcome(normalizeFields({ file: "a", other: 1 }, aliases)), { path: "a", other: 1 });
		assert.deepEqual(outcome(normalizeFields({ path: "a", file_path: "a" }, aliases)), { path: "a" });
		assert.deepEqual(outcome(normalizeFields({ path: ["a"], file: ["a"] }, aliases)), { path: ["a"] });
		const conflict = normalizeFields({ path: "a", file: "b" }, aliases);
		assert.ok(!conflict.ok);
		assert.equal(describeNormalizeError(conflict.error), 'path: expected one value under path and file, got ["a","b"]');
		assert.equal(outcome(normalizeFields({ file: 1, file_path: "1" }, aliases)), "refused: conflict");
		const hostile = normalizeFields(JSON.parse('{"__proto__":{"x":1}}'), aliases);
		assert.ok(hostile.ok && Object.hasOwn(hostile.value, "__proto__") && !("x" in hostile.value));
	},
);

verifies(
	"002-normalization-file-uris",
	"a file: URI of this machine becomes its path; other schemes and hosts are errors",
	() => {
		const posix = (value: unknown) => outcome(normalizeLocation("path", value, { windows: false }));
		const windows = (value: unknown) => outcome(normalizeLocation("path", value, { windows: true }));
		assert.equal(posix("file:///srv/a%20b/%C3%A9.ts"), "/srv/a b/é.ts");
		assert.equal(posix("FILE://localhost/srv/a"), "/srv/a");
		assert.equal(posix("file:///srv//a/"), "/srv/a");
		assert.equal(posix("src/a.ts"), "src/a.ts");
		assert.equal(windows("file:///c:/Users/a%20b"), "C:/Users/a b");
		assert.equal(windows("C:\\Users\\a"), "C:/Users/a");
		for (const foreign of [
			"http://example.com/a",
			"https:a",
			"vscode-remote://x/y",
			"file://other.host/a",
			"ssh:x",
			"data:,x",
		]) {
			assert.equal(posix(foreign), "refused: foreign", foreign);
		}
		for (const ambiguous of [
			"file:/srv/a",
			"file:srv",
			"file:///a?b",
			"file:///a#b",
			"file:///a/../b",
			"file:///a/%2E%2e/b",
		]) {
			assert.equal(posix(ambiguous), "refused: ambiguous", ambiguous);
		}
		assert.equal(posix("file:///a%2Fb"), "refused: not_exact");
		assert.equal(posix("file:///a%00b"), "refused: not_exact");
		assert.equal(posix("file:///%ff"), "refused: not_exact");
		assert.equal(windows("file:///srv/a"), "refused: not_exact");
		assert.equal(posix(7), "refused: wrong_type");
	},
);

verifies("002-normalization-path-style", "spellings of one place become one spelling", () => {
	const posix = (value: unknown) => outcome(normalizePath("path", value, { windows: false }));
	for (const spelling of ["src/a.ts", "./src/a.ts", "src//a.ts", "src\\a.ts", ".\\src\\.\\a.ts", "src/./a.ts"]) {
		assert.equal(posix(spelling), "src/a.ts", spelling);
	}
	assert.equal(posix("src/"), "src");
	assert.equal(posix("."), ".");
	assert.equal(posix("./"), ".");
	assert.equal(posix("/"), "/");
	assert.equal(posix("a/../b"), "a/../b", "only the file system knows");
	assert.equal(posix("c:\\x"), "C:/x");
	assert.equal(posix("c:"), "C:/");
	assert.equal(posix("c:x"), "refused: ambiguous");
	assert.equal(posix("\\\\server\\share"), "refused: foreign");
	assert.equal(posix(""), "refused: not_exact");
	assert.equal(posix(" a"), "refused: ambiguous");
	assert.equal(posix("./ a"), "refused: ambiguous");
	assert.equal(posix("a /"), "refused: ambiguous");
	assert.equal(posix(" c:x"), "refused: ambiguous");
	assert.equal(posix("./c:/x"), "./c:/x", "a folder, not a drive");
	assert.equal(posix(".//./c:x"), "./c:x");
	assert.equal(posix("a\0b"), "refused: not_exact");
	const spellings = fc.array(fc.constantFrom("a", "c:", ".", "..", "/", "\\", " ", "~"), { maxLength: 8 });
	fc.assert(
		fc.property(
			fc.oneof(
				fc.string(),
				spellings.map((parts) => parts.join("")),
			),
			(path) => {
				const once = normalizePath("path", path);
				if (once.ok) assert.equal(outcome(normalizePath("path", once.value)), once.value, "twice is once");
			},
		),
	);
});

verifies(
	"002-normalization-method-tokens",
	"a name in another case or with other separators is the canonical one",
	() => {
		const tokens = createMethodTokens(["read_file", "show-file", "ping"], { cat: "read_file" });
		for (const spelling of [
			"read_file",
			"read-file",
			"READ_FILE",
			"readFile",
			"Read File",
			"read.file",
			"cat",
			"CAT",
		]) {
			assert.equal(outcome(tokens("tool", spelling)), "read_file", spelling);
		}
		assert.equal(outcome(tokens("tool", "reed_file")), "refused: unknown");
		assert.equal(outcome(tokens("tool", 7)), "refused: wrong_type");
		const twins = createMethodTokens(["a_b", "ab"]);
		assert.equal(outcome(twins("tool", "ab")), "ab");
		assert.equal(outcome(twins("tool", "AB")), "refused: ambiguous");
		assert.throws(() => createMethodTokens(["a"], { b: "c" }), /alias b: expected one of a, got c/);
	},
);
