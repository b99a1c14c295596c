import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { stemWord } from "../../src/tokens/wordForms.ts";
import {
	listEmbeddingTokens,
	listPathTokens,
	splitIdentifier,
	splitIntoTerms,
	splitIntoWords,
} from "../../src/tokens/words.ts";

test("an identifier splits at case, digits and separators", () => {
	assert.deepEqual(splitIdentifier("parseHTTPHeader_v2"), ["parse", "http", "header", "v", "2"]);
	assert.deepEqual(splitIdentifier("XMLHttpRequest"), ["xml", "http", "request"]);
	assert.deepEqual(splitIdentifier("__init__"), ["init"]);
});

test("letters match with and without accents, in any Unicode form", () => {
	assert.deepEqual(splitIdentifier("trouverClé"), ["trouver", "cle"]);
	assert.deepEqual(splitIdentifier("trouverCle\u0301"), ["trouver", "cle"]);
	assert.deepEqual(splitIdentifier("ÉTAT_größe2"), ["etat", "große", "2"]);
	assert.deepEqual(splitIdentifier("проверитьПодпись"), ["проверить", "подпись"]);
	assert.deepEqual(splitIdentifier("Ёлка"), splitIdentifier("елка"));
});

test("scripts without spaces are searched by letter pairs", () => {
	assert.deepEqual(splitIdentifier("接続プール"), ["接続", "続プ", "プー", "ール"]);
	assert.deepEqual(splitIdentifier("Vueの部品"), ["vue", "の部", "部品"]);
	assert.deepEqual(splitIdentifier("例外"), ["例外"]);
	assert.deepEqual(splitIdentifier("値"), ["値"]);
	assert.deepEqual(splitIdentifier("連結을"), ["連結", "結을"]);
	assert.deepEqual(splitIdentifier("ガ".normalize("NFD")), ["ガ"]);
});

test("a long run is a sentence in scripts without spaces, and otherwise not indexed", () => {
	const run = "接続プール".repeat(20);
	assert.deepEqual([...new Set(splitIntoTerms(run))], ["接続", "続プ", "プー", "ール", "ル接"]);
	assert.deepEqual(splitIntoTerms(`${"blob".repeat(20)}接続${"0".repeat(9)}`), ["接続"]);
	assert.deepEqual(splitIntoTerms("blob".repeat(20)), []);
	assert.deepEqual(splitIntoTerms("größe".repeat(20)), []);
});

test("spellings of one identifier share its whole term and its parts", () => {
	const camel = splitIntoTerms("getUserName");
	assert.deepEqual(camel, ["get", "user", "name", "getusername"]);
	assert.deepEqual(splitIntoTerms("get_user_name"), camel);
	assert.deepEqual(splitIntoTerms("GET_USER_NAME"), camel);
	assert.ok(splitIntoTerms("GetUsername").includes("getusername"));
});

test("a word and its inflections have the same stem", () => {
	for (const [a, b] of [
		["caches", "cache"],
		["caching", "cached"],
		["queries", "query"],
		["mapped", "mapping"],
		["classes", "class"],
	] as const) {
		assert.equal(stemWord(a), stemWord(b), `${a} and ${b}`);
	}
});

test("words that only look inflected are kept apart", () => {
	assert.equal(stemWord("status"), "status");
	assert.equal(stemWord("this"), "this");
	assert.equal(stemWord("ring"), "ring");
	assert.notEqual(stemWord("general"), stemWord("generate"));
});

test("a stem is never longer than its word and never empty", () => {
	fc.assert(
		fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
			const stemmed = stemWord(word);
			return stemmed.length > 0 && stemmed.length <= word.length + 1;
		}),
	);
});

test("every term of every word in any text is lower case and not empty", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) =>
			splitIntoWords(text)
				.flatMap(splitIntoTerms)
				.every((term) => term !== "" && term === term.toLowerCase()),
		),
	);
});

test("embedding tokens are unstemmed words of two to twenty-four letters without digits", () => {
	assert.deepEqual(listEmbeddingTokens("const fooBar2Qux = caching(x, HTTPServer_id);"), [
		"const",
		"foo",
		"bar",
		"qux",
		"caching",
		"http",
		"server",
		"id",
	]);
	assert.deepEqual(listEmbeddingTokens("a".repeat(25)), []);
});

test("path words come from the last four parts without the extension", () => {
	assert.deepEqual(listPathTokens("one/two/three/four/fiveSix.test.ts"), [
		"two",
		"three",
		"four",
		"five",
		"six",
		"test",
	]);
});
