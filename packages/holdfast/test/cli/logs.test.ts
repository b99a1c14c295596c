import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../../e2e/until.ts";
import { inProcess } from "./inProcess.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

test("whoever follows a log misses nothing when its file is rotated, even twice", { timeout: 120_000 }, async (t) => {
	const log = newLog(t);
	writeFileSync(log.path, "first\n");
	const followed = log.follow();
	await until(() => followed.said === "first\n", "the beginning is shown");
	log.rotate("120000000", "second");
	log.rotate("120000001", "third");
	writeFileSync(log.path, "fourth\n");
	await until(() => followed.said.includes("fourth"), "all of it is shown");
	assert.equal(followed.said, "first\nsecond\nthird\nfourth\n");
	assert.equal(followed.complained, "");
});

test("whoever follows a log sees a half-written line only once it is whole", { timeout: 120_000 }, async (t) => {
	const log = newLog(t);
	writeFileSync(log.path, "first\nsec");
	const followed = log.follow();
	await until(() => followed.said.startsWith("first\n"), "the beginning is shown");
	assert.equal(followed.said, "first\n");
	appendFileSync(log.path, "ond\n");
	await until(() => followed.said.endsWith("second\n"), "the line is shown");
	assert.equal(followed.said, "first\nsecond\n");
});

test("whoever follows a log is told when a file of it is gone before it was read", { timeout: 120_000 }, async (t) => {
	const log = newLog(t);
	writeFileSync(log.path, "first\n");
	const followed = log.follow();
	await until(() => followed.said === "first\n", "the beginning is shown");
	writeFileSync(`${log.path}.new`, "third\n");
	renameSync(`${log.path}.new`, log.path);
	await until(() => followed.said.includes("third"), "the new file is shown");
	assert.match(followed.complained, /records are missing here/);
});

test("where several processes wrote, each line says which, and --pid shows one of them", (t) => {
	const log = newLog(t);
	const call = { event: "call", generation: 1, id: "1", latencyMs: 1, attempts: 1, outcome: "ok" };
	const lines = [
		{ ...call, at: 1, method: "old" },
		{ ...call, at: 2, method: "one", pid: 71 },
		{ ...call, at: 3, method: "two", pid: 4_000_001 },
	].map((record) => `${JSON.stringify(record)}\n`);
	writeFileSync(log.path, lines.slice(0, 2).join(""));
	assert.match(log.show(), /\d {2}g1 {2}ok {2}old .*\n.*\d {2}g1 {2}ok {2}one /);
	writeFileSync(log.path, lines.join(""));
	assert.match(
		log.show(),
		/\d {2}\? {6} {2}g1 {2}ok {2}old .*\n.*\d {2}71 {5} {2}g1 {2}ok {2}one .*\n.*\d {2}4000001 {2}g1 {2}ok {2}two /,
	);
	assert.match(log.show("--pid", "71"), /^\S+ \S+ {2}g1 {2}ok {2}one .*\n$/);
	assert.equal(log.show("--pid", "4000001", "--json", "-n", "1"), lines[2]);
	assert.throws(
		() => log.show("--pid", "5"),
		/--pid: expected a process that has written to this log, such as 71 or 4000001, got 5\n/,
	);
	assert.equal(log.show("--pid", "5", "-n", "0"), "");
});

test("on a terminal a long line goes on below itself, and in a pipe it does not", async (t) => {
	const log = newLog(t);
	const fault = { class: "startup", code: "exited", detail: "its process ended before it answered ".repeat(5).trim() };
	const record = { event: "fault", at: 1, generation: 1, fault, stderr: ["no such file or folder ".repeat(6).trim()] };
	writeFileSync(log.path, `${JSON.stringify(record)}\n`);
	const piped = log.show();
	assert.equal(piped.split("\n").length, 3);
	const { isTTY, columns } = process.stdout;
	t.after(() => Object.assign(process.stdout, { isTTY, columns }));
	Object.assign(process.stdout, { isTTY: true, columns: 80 });
	const { stdout } = await inProcess(["logs", "files"], { env: { ...log.env, NO_COLOR: "1" }, cwd: tmpdir() });
	assert.ok(Math.max(...stdout.split("\n").map((line) => line.length)) <= 80, stdout);
	assert.equal(stdout.replace(/\s+/g, " "), piped.replace(/\s+/g, " "));
});

type Followed = { readonly said: string; readonly complained: string };

function newLog(t: TestContext) {
	const home = mkdtempSync(join(tmpdir(), "holdfast-logs-"));
	const folder = join(home, "holdfast");
	mkdirSync(folder);
	const path = join(folder, "files.jsonl");
	const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: home };
	const children: ChildProcessWithoutNullStreams[] = [];
	t.after(() => {
		for (const child of children) child.kill();
		rmSync(home, { recursive: true, force: true, maxRetries: 5 });
	});
	return {
		path,
		env,
		rotate(moment: string, last: string): void {
			appendFileSync(path, `${last}\n`);
			renameSync(path, `${path}.20261117T${moment}Z-1-1`);
		},
		follow(): Followed {
			const child = spawn(process.execPath, [BIN, "logs", "files", "--follow", "--json"], { env });
			children.push(child);
			const followed = { said: "", complained: "" };
			child.stdout.on("data", (chunk) => (followed.said += chunk));
			child.stderr.on("data", (chunk) => (followed.complained += chunk));
			return followed;
		},
		show: (...args: readonly string[]): string =>
			execFileSync(process.execPath, [BIN, "logs", "files", ...args], { env, encoding: "utf8" }),
	};
}
