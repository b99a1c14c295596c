import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { mineCheckout } from "../../model/mine/mineCheckout.ts";
import { commit, git, writeFiles } from "../filter/fixtureRepository.ts";

const FILES = {
	"src/retry.ts": `// Everything about calls that are made again.

/** Waits a little longer after every failed attempt. */
export function backOff(attempt: number): number {
	// A machine that is starved answers late, not never.
	const longest = 30_000;
	return Math.min(longest, 100 * 2 ** attempt);
}
`,
	"notes.md": "# Retries\n\nThe pause before the next attempt is what `backOff` gives for it.\n",
};

void test("a checkout teaches with its comments, names, commits and documents, each beside the code it speaks of", async (t) => {
	const checkout = mkdtempSync(join(tmpdir(), "cleats-mining-"));
	t.after(() => rmSync(checkout, { recursive: true, force: true }));
	writeFiles(checkout, FILES);
	git(checkout, "init", "-q", "-b", "main");
	commit(checkout, "Ada Lovelace", "2024-01-02T03:04:05Z");
	const pairs = await mineCheckout(checkout, 5_000_000);
	const asked = pairs.map(({ kind, query }) => `${kind}: ${query}`);
	for (const pair of [
		"commit: Change by Ada Lovelace",
		"doc: Waits a little longer after every failed attempt.",
		"file: Everything about calls that are made again.",
		"inline: A machine that is starved answers late, not never.",
		"mdmention: The pause before the next attempt is what   gives for it.",
		"name: backOff",
	])
		assert.ok(asked.includes(pair), `${pair} among ${asked.join("\n")}`);
	for (const { kind, code, path } of pairs) {
		assert.equal(path, "src/retry.ts", kind);
		assert.match(code, /attempt|longest/, kind);
	}
});
