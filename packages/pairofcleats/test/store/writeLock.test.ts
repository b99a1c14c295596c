import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { takeWriteLock } from "../../src/store/writeLock.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "cleats-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the second to ask is told who has it, and gets it when the first is done", () => {
	const lock = takeWriteLock(folder);
	assert.throws(() => takeWriteLock(folder), {
		code: "QUEUE_OVERLOADED",
		message: new RegExp(`^another process \\(pid ${process.pid}, since .*\\) is writing this index`),
	});
	lock.release();
	takeWriteLock(folder).release();
});

test("what keeps the lock from being taken is said as it is, not as another process", () => {
	writeFileSync(join(folder, "lock.sqlite"), "no database at all, but long enough to be looked at as one".repeat(20));
	assert.throws(() => takeWriteLock(folder), {
		code: "INTERNAL",
		message: "the index cannot be written: file is not a database",
	});
});

test("the lock needs no room on the disk, and holds where its holder cannot be named", () => {
	mkdirSync(join(folder, "lock.json"));
	const lock = takeWriteLock(folder);
	assert.deepEqual(readdirSync(folder).sort(), ["lock.json", "lock.sqlite"]);
	assert.throws(() => takeWriteLock(folder), { message: /^another process is writing this index/ });
	lock.release();
});

test("a folder that cannot be made is told without its path, with what names another", () => {
	writeFileSync(join(folder, "file"), "");
	assert.throws(() => takeWriteLock(join(folder, "file", "below")), {
		code: "INTERNAL",
		message: "the index cannot be written: not a directory; PAIROFCLEATS_CACHE_ROOT names another folder",
	});
});
