import assert from "node:assert/strict";
import { test } from "node:test";
import { readMessageWords } from "../../src/rank/message/filledIn.ts";

const valuesOf = (text: string): string[] =>
	readMessageWords(text).flatMap(({ word, isValue }) => (isValue ? [word] : []));

test("names, paths, addresses and quoted texts in a message are its values", () => {
	assert.deepEqual(valuesOf("could not open table users of maxRetries in my_schema"), ["maxretries", "my_schema"]);
	assert.deepEqual(valuesOf('could not open "old users" of the schema'), ["old", "users"]);
	assert.deepEqual(valuesOf("could not open /srv/data for reading"), ["srv", "data"]);
	assert.deepEqual(valuesOf("could not open (./data for reading"), ["data"]);
	assert.deepEqual(valuesOf("could not reach https://example.org again"), ["https", "example", "org"]);
	assert.deepEqual(valuesOf("could not read lib/data/file again"), ["lib", "data", "file"]);
	assert.deepEqual(valuesOf("could not parse main.go:12, giving up"), ["main", "go", "12"]);
});

test("a slash between two words does not make a path", () => {
	for (const text of ["read and/or write it", "read a// b"]) assert.deepEqual(valuesOf(text), [], text);
	assert.deepEqual(readMessageWords("Read it")[0], { word: "read", isValue: false });
});

test("a text that is too long for a message has no message words", () => {
	assert.deepEqual(readMessageWords("a".repeat(100_000)), []);
});
