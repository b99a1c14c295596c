import assert from "node:assert/strict";
import { test } from "node:test";
import { usageAsked } from "../../src/rank/usageAsked.ts";

test("one identifier among words that ask for its uses is what is asked for", () => {
	assert.equal(usageAsked("who calls openSession?"), "openSession");
	assert.equal(usageAsked("where is MAX_SIZE used"), "MAX_SIZE");
	assert.equal(usageAsked("find all usages of `Store.openSession()`"), "Store.openSession");
	assert.equal(usageAsked("what references _cache"), "_cache");
});

test("a question with other words, or without an identifier, is a question", () => {
	for (const query of ["who calls render", "how is openSession used with retries", "openSession", "where is it used"])
		assert.equal(usageAsked(query), undefined, query);
});
