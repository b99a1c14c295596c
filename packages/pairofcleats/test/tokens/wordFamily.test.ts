import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { listWordFamily, stemWord } from "../../src/tokens/wordForms.ts";

const related = (word: string, other: string): boolean => listWordFamily(stemWord(word)).includes(stemWord(other));

test("a verb, its agent and its result belong to one word family", () => {
	for (const [word, other] of [
		["parse", "parser"],
		["routing", "router"],
		["validation", "validator"],
		["connections", "connect"],
		["transform", "transformation"],
		["deploys", "deployment"],
	] as const) {
		assert.ok(related(word, other) && related(other, word), `${word}, ${other}`);
	}
});

test("words that only begin alike are not", () => {
	for (const [word, other] of [
		["content", "context"],
		["user", "use"],
		["order", "ord"],
		["error", "err"],
	] as const) {
		assert.ok(!related(word, other), `${word}, ${other}`);
	}
});

test("a stem is never its own relative", () => {
	fc.assert(fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => !listWordFamily(word).includes(word)));
});
