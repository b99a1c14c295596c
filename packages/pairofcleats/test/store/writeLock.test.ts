import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { readLockHolder, takeWriteLock } from "../../src/store/writeLock.ts";
import { ownProcess } from "../ownProcess.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "cleats-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a second writer learns who holds the lock, and gets it when the first is done", async () => {
	const lock = await takeWriteLock(folder);
	await assert.rejects(takeWriteLock(folder), {
		code: "QUEUE_OVERLOADED",
		message: new RegExp(
			`^another process \\(pid ${process.pid}, since .*\\) is writing this index; try again when it is done$`,
		),
	});
	lock.release();
	(await takeWriteLock(folder)).release();
});

test("a writer waits for the lock without blocking the thread that may be serving requests", async () => {
	const lock = await takeWriteLock(folder);
	const second = takeWriteLock(folder, 60_000);
	// A blocked thread would never get here.
	setTimeout(lock.release, 50);
	(await second).release();
});

test("the holder of the lock and its progress can be queried without taking the lock", async (t) => {
	assert.equal(readLockHolder(folder), undefined);
	let now = 0;
	t.mock.method(performance, "now", () => now);
	const lock = await takeWriteLock(folder);
	lock.note({ done: 1, total: 20 });
	const { since, ...held } = readLockHolder(folder) ?? {};
	assert.deepEqual(held, { pid: process.pid }, "in its first second there is nothing worth telling");
	assert.ok(Math.abs(Date.parse(since ?? "") - Date.now()) < 60_000, since);
	now = 1_500;
	lock.note({ done: 9, total: 20 });
	assert.deepEqual(readLockHolder(folder), { pid: process.pid, since, done: 9, total: 20 });
	await assert.rejects(takeWriteLock(folder), { code: "QUEUE_OVERLOADED" });
	lock.release();
	assert.equal(readLockHolder(folder), undefined);
});

const GARBAGE = "no database at all, but long enough to be looked at as one".repeat(20);

test("a damaged lock file is reset, and the lock still works", async () => {
	writeFileSync(join(folder, "lock.sqlite"), GARBAGE);
	const lock = await takeWriteLock(folder);
	await assert.rejects(takeWriteLock(folder), { code: "QUEUE_OVERLOADED" });
	lock.release();
	assert.equal(readFileSync(join(folder, "lock.sqlite"), "utf8"), "");
});

test("damaging the lock file does not release a lock held by another process", async () => {
	const module = new URL("../../src/store/writeLock.ts", import.meta.url).href;
	// The timer keeps the lock referenced: an unreferenced lock would be collected and released.
	const hold = `const { takeWriteLock } = await import(process.argv[1]); const lock = await takeWriteLock(process.argv[2]);
		console.log("held"); setInterval(() => lock, 1000);`;
	const holder = spawn(process.execPath, ["--input-type=module", "-e", hold, module, folder], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	try {
		await once(holder.stdout, "data");
		writeFileSync(join(folder, "lock.sqlite"), GARBAGE);
		await assert.rejects(takeWriteLock(folder), {
			code: "QUEUE_OVERLOADED",
			message: new RegExp(`pid ${holder.pid},`),
		});
	} finally {
		holder.kill("SIGKILL");
		await once(holder, "exit");
	}
	(await takeWriteLock(folder)).release();
});

test("the real reason why the lock cannot be taken is reported, instead of another process", async () => {
	writeFileSync(join(folder, "elsewhere"), GARBAGE);
	symlinkSync(join(folder, "elsewhere"), join(folder, "lock.sqlite"));
	await assert.rejects(takeWriteLock(folder), {
		code: "INTERNAL",
		message: "the index cannot be written: file is not a database",
	});
	assert.equal(readFileSync(join(folder, "elsewhere"), "utf8"), GARBAGE);
});

test("the lock works on a full disk, and without the file that names its holder", async () => {
	mkdirSync(join(folder, "lock.json"));
	const lock = await takeWriteLock(folder);
	assert.deepEqual(readdirSync(folder).sort(), ["lock.json", "lock.sqlite"]);
	await assert.rejects(takeWriteLock(folder), { message: /^another process is writing this index/ });
	lock.release();
});

test("the error for a folder that cannot be created hides its path and names the variable for another one", async () => {
	writeFileSync(join(folder, "file"), "");
	await assert.rejects(takeWriteLock(join(folder, "file", "below")), {
		code: "INTERNAL",
		message: "the index cannot be written: not a directory; PAIROFCLEATS_CACHE_ROOT names another folder",
	});
});

test("a folder in which nothing can be created is reported, without endless retries", {
	skip: !existsSync("/proc/self") && "there is no /proc here",
}, () => {
	const module = new URL("../../src/store/writeLock.ts", import.meta.url).href;
	const program = `import { takeWriteLock } from ${JSON.stringify(module)}; takeWriteLock("/proc/none/.cache/index");`;
	const { status, signal, stderr } = ownProcess(program);
	assert.equal(signal, null, "it ended by itself");
	assert.equal(status, 1);
	assert.match(stderr, /the index cannot be written: no such file or directory; PAIROFCLEATS_CACHE_ROOT names another/);
});
