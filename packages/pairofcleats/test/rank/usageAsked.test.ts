import assert from "node:assert/strict";
import { test } from "node:test";
import { readUsageAsked } from "../../src/rank/terms/declarationAsked.ts";

test("one identifier among words that ask for its uses is what is asked for", () => {
	assert.equal(readUsageAsked("who calls openSession?"), "openSession");
	assert.equal(readUsageAsked("where is MAX_SIZE used"), "MAX_SIZE");
	assert.equal(readUsageAsked("find all usages of `Store.openSession()`"), "Store.openSession");
	assert.equal(readUsageAsked("what references _cache"), "_cache");
});

test("a question with other words, or without an identifier, is a question", () => {
	for (const query of ["who calls render", "how is openSession used with retries", "openSession", "where is it used"])
		assert.equal(readUsageAsked(query), undefined, query);
});
