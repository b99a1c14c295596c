import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMessageFinder, readMessageWords } from "../../src/rank/message/filledIn.ts";

function lineOf(message: string, text: string): number | undefined {
	const values = readMessageWords(message).flatMap(({ word, isValue }) => (isValue ? [word] : []));
	return makeMessageFinder(message, values)?.(text)?.line;
}

test("a text matches its message in every language's placeholder syntax", () => {
	const message = "Retry 3 of 5 failed for host-1";
	for (const text of [
		'"Retry #{n} of #{all} failed for #{host}"',
		"`Retry #{n} of #{all} failed for #{host}`".replaceAll("#", "$"),
		'"Retry {} of {:?} failed for {host}"',
		'"retry %d of %3d failed for %s."',
		'"Retry %(n)d of %(all)d failed for %(host)s"',
		'"Retry $n of $all failed for $host"',
		'"Retry \\(n) of \\(all) failed for \\(host)"',
		'"Retry %" PRIu64 " of %zu failed for %s"',
		'"Retry " + n + " of " + all + " failed for " + host',
	])
		assert.equal(lineOf(message, `first\n  fail(${text});\n`), 1, text);
});

test("a text does not match a message with missing, extra or reordered words", () => {
	for (const text of [
		'"Retry %d of %d went on for %s"',
		'"Never retry %d of %d failed for %s"',
		'"%d of %d Retry failed"',
	])
		assert.equal(lineOf("Retry 3 of 5 failed for host-1", `fail(${text})`), undefined, text);
	assert.equal(lineOf("Retry 3 of 5", 'fail("%d of %d")'), undefined, "words that tell nothing");
});

test("a text that contains the values itself is not a template", () => {
	const question = "Net.Router for matching a pattern";
	assert.equal(lineOf(question, "use the `Net.Router` for it, or `%s matching %s`"), undefined);
	assert.equal(lineOf(question, 'log("%s for matching a %s")'), 0);
});

test("behind a colon anything may have been filled in, and a log may have put something in brackets before it", () => {
	const text = 'first\n  fail("certificate problem: %s", reason);\n';
	for (const message of [
		"certificate problem: unable to get local issuer",
		"tool: (60) certificate problem: unable to get local issuer",
		"[2024-01-02 03:04] certificate problem: unable to get local issuer",
	])
		assert.equal(lineOf(message, text), 1, message);
	assert.equal(lineOf("no certificate problem: unable to get it", text), undefined);
});
