import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { watchFiles } from "../../src/control/watchFiles.ts";
import { computeReleaseKey, Quarantine } from "../../src/host/state/quarantine.ts";
import { GarbageWatch } from "../../src/host/supervision/misbehaviour.ts";
import { StderrTail } from "../../src/host/worker/stderrTail.ts";

test("garbage is one fault to a burst, and a flood within a minute ends the patience", () => {
	const watch = new GarbageWatch({ lines: 5, bytes: 1_000 }, 3);
	assert.equal(watch.saw(10, 1_000).fault?.code, "garbage_output");
	assert.equal(watch.saw(10, 1_100).fault, undefined);
	assert.equal(watch.saw(10, 5_000).fault?.code, "garbage_output");
	assert.equal(watch.saw(10, 70_000).replace, false);
	const flood = watch.saw(2_000, 70_100);
	assert.equal(flood.replace, true);
	assert.equal(flood.fault?.code, "garbage_flood");
	assert.equal(flood.fault?.generation, 3);
});

test("stderr is passed on line by line and kept within a bound", () => {
	const lines: string[] = [];
	const tail = new StderrTail((line) => lines.push(line));
	const bytes = Buffer.from("née\r\nsecond");
	for (const byte of bytes) tail.push(Buffer.from([byte]));
	assert.deepEqual(lines, ["née"]);
	tail.end();
	assert.deepEqual(lines, ["née", "second"]);
	for (let n = 0; n < 1_000; n++) tail.push(Buffer.from(`${n}${"x".repeat(5_000)}\n`));
	assert.equal(tail.lines.length, 40);
	assert.ok(tail.lines.every((line) => line.length <= 2_000));
	tail.push(Buffer.alloc(10_000, 0x61));
	assert.equal(lines.at(-1)?.length, 2_000);
});

test("stderr is masked before it is cut, kept or passed on", () => {
	const lines: string[] = [];
	const tail = new StderrTail(
		(line) => lines.push(line),
		(line) => line.replaceAll("hunter2", "[secret]"),
	);
	tail.push(Buffer.from(`denied to hunter2\n${"x".repeat(1_997)}hunter2\n`));
	assert.deepEqual(lines, ["denied to [secret]", `${"x".repeat(1_997)}[se`]);
	assert.deepEqual(tail.lines, lines);
});

test("a release in quarantine is let out when one of its files changes", (t) => {
	const folder = temporary(t);
	const script = join(folder, "server.js");
	writeFileSync(script, "broken");
	const release = { command: "node", args: [script] };
	const quarantine = new Quarantine();
	quarantine.add(computeReleaseKey(release));
	assert.equal(quarantine.refuseOnce(computeReleaseKey({ ...release, args: [script, "--other"] })), false);
	assert.equal(quarantine.refuseOnce(computeReleaseKey({ ...release })), true);
	writeFileSync(script, "repaired it");
	assert.equal(quarantine.refuseOnce(computeReleaseKey(release)), false);
	for (let n = 0; n < 40; n++) quarantine.add(computeReleaseKey({ command: `c${n}` }));
	assert.equal(quarantine.size, 16);
});

test("a burst of changes is one change, also of a file that is replaced, and none of the file beside it", async (t) => {
	const folder = temporary(t);
	const [file, beside] = [join(folder, "server.js"), join(folder, "other.js")];
	for (const path of [file, beside]) writeFileSync(path, "1");
	const changes = { file: 0, beside: 0 };
	t.after(watchFiles([file], () => changes.file++));
	t.after(watchFiles([beside], () => changes.beside++));
	for (let n = 0; n < 5; n++) writeFileSync(file, `${n}`);
	await until(() => changes.file === 1, "the burst is over");
	writeFileSync(beside, "2");
	await until(() => changes.beside > 0, "the other's change is seen");
	assert.deepEqual(changes, { file: 1, beside: 1 });
	writeFileSync(join(folder, "new"), "2");
	renameSync(join(folder, "new"), file);
	await until(() => changes.file > 1, "the replacement is seen");
	assert.deepEqual(changes, { file: 2, beside: 1 });
});

for (const [what, watched, removed] of [
	["folder", "build/dist", "build/dist"],
	["folder, removed with the one above it,", "build/dist", "build"],
	["file, removed with its folder,", "build/dist/deep/server.js", "build/dist"],
	["file, removed with all above it,", "build/dist/deep/server.js", "build"],
] as const) {
	test(`a watched ${what} is watched again when it is back, however long that takes`, async (t) => {
		const folder = temporary(t);
		const file = join(folder, "build/dist/deep/server.js");
		const make = (text: string): void => {
			mkdirSync(join(file, ".."), { recursive: true });
			writeFileSync(file, text);
		};
		make("1");
		let changes = 0;
		let sentinel = 0;
		t.after(watchFiles([join(folder, watched)], () => changes++));
		writeFileSync(join(folder, "sentinel"), "1");
		t.after(watchFiles([join(folder, "sentinel")], () => sentinel++));
		rmSync(join(folder, removed), { recursive: true });
		writeFileSync(join(folder, "sentinel"), "2");
		await until(() => sentinel === 1, "the removal would have been told by now");
		assert.equal(changes, 0, "what is gone cannot be started");
		const sees = async (what: string, change: () => void): Promise<void> => {
			const before = changes;
			change();
			await until(() => changes > before, what);
		};
		await sees("its return", () => make("2"));
		await sees("what is written then", () => writeFileSync(file, "3"));
		await sees("a replacement at once", () => {
			rmSync(join(folder, removed), { recursive: true });
			make("4");
		});
		await sees("what is written into it", () => writeFileSync(file, "5"));
	});
}

function temporary(t: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-watch-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
