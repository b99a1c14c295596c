import assert from "node:assert/strict";
import { test } from "node:test";
import { LastWords } from "../../src/upstream/failure/serverOutput.ts";

test("a megabyte of blanks or of codes that a server prints is looked at once", () => {
	const words = new LastWords();
	words.add(`${" ".repeat(1_000_000)}x`);
	words.add(" ".repeat(1_000_000));
	words.add("\u001b]".repeat(500_000));
	words.add("\u001b[1m".repeat(500_000));
	words.add("Error: no such table");
	assert.equal(words.take(), "; it said: Error: no such table");
});
