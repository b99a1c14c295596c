import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { followLog, readLog, readOlderLines } from "../../src/cli/hosts/logFile.ts";

test("a part of the log that is deleted while the others are read is left out", (t) => {
	const { path, older } = newLog(t);
	const [oldest, newest] = [older("120000000"), older("120000001")];
	writeFileSync(oldest, "first\n");
	writeFileSync(newest, "second\n");
	writeFileSync(path, "third\n");
	const read = readLog(path) ?? assert.fail("there is one");
	const lines = readOlderLines(path, read);
	assert.deepEqual(lines.next().value, ["second"]);
	rmSync(oldest);
	assert.deepEqual([...lines], []);
});

test("whoever follows a log is told when a part of it is deleted while it is read", async (t) => {
	const { path, older } = newLog(t);
	const first = older("120000000");
	writeFileSync(first, "first\n");
	// Listed, and gone when it is opened.
	symlinkSync(`${path}.nowhere`, older("120000001"));
	writeFileSync(path, "third\n");
	const seen: string[] = [];
	const show = (lines: readonly string[]): void => {
		seen.push(...lines);
		if (seen.includes("third")) throw new Error("enough");
	};
	const from = { inode: statSync(first).ino, at: 6 };
	await assert.rejects(
		followLog(path, from, show, () => seen.push("a gap")),
		/enough/,
	);
	assert.deepEqual(seen, ["a gap", "third"]);
});

function newLog(t: TestContext) {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-log-file-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const path = join(folder, "files.jsonl");
	return { path, older: (moment: string): string => `${path}.20261117T${moment}Z-1-1` };
}
