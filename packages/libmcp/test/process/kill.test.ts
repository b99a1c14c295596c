import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { verifies } from "../../../../e2e/verifies.ts";
import { CUSTODY_VARIABLE } from "../../src/environment.ts";
import { HostRecord } from "../../src/host/state/hostRecord.ts";
import { type CommandOutcome, killWindowsTree, reportKillFailure } from "../../src/process/killTree.ts";
import { killPosixTree } from "../../src/process/posixKill.ts";
import {
	carriesMark,
	createCustodyMark,
	markEnvironment,
	parseProcStat,
	parsePs,
	readStartTime,
} from "../../src/process/processTable.ts";
import { spawnCommand } from "../../src/process/spawnCustody.ts";
import type { TelemetryRecord } from "../../src/telemetry/record.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

function taskkill(outcome: CommandOutcome): { calls: unknown[]; run: () => Promise<CommandOutcome> } {
	const calls: unknown[] = [];
	const run = (...call: unknown[]): Promise<CommandOutcome> => {
		calls.push(call);
		return Promise.resolve(outcome);
	};
	return { calls, run };
}

verifies("000-p2-4.1-taskkill", "on Windows the tree is ended by taskkill with /T /F", async () => {
	const { calls, run } = taskkill({ exitCode: 0, output: "SUCCESS" });
	const result = await killWindowsTree({ pid: 4711 }, run);
	assert.deepEqual(calls, [["taskkill", ["/PID", "4711", "/T", "/F"]]]);
	assert.deepEqual(result, {
		pid: 4711,
		outcome: "killed",
		ended: [{ pid: 4711, place: "leader", by: "taskkill" }],
		survivors: [],
	});
});

verifies("000-p2-4.2-taskkill-already-gone", "taskkill finding no such process is no failure", async () => {
	const { run } = taskkill({ exitCode: 128, output: 'ERROR: The process "4711" not found.' });
	assert.deepEqual(await killWindowsTree({ pid: 4711 }, run), {
		pid: 4711,
		outcome: "already_gone",
		ended: [],
		survivors: [],
	});
});

verifies("000-p2-4.2-taskkill-denied", "taskkill refused for lack of privilege is a typed failure", async () => {
	const { run } = taskkill({
		exitCode: 1,
		output: "ERROR: The process could not be terminated.\r\nReason: Access is denied.\r\n",
	});
	const result = await killWindowsTree({ pid: 4711 }, run);
	assert.equal(result.outcome, "failed");
	assert.deepEqual(result.survivors, [4711]);
	assert.deepEqual(result.failure, {
		code: "kill_denied",
		pid: 4711,
		detail: "taskkill: ERROR: The process could not be terminated. Reason: Access is denied.",
	});
	const absent = await killWindowsTree(
		{ pid: 4711 },
		taskkill({ exitCode: "not_started", output: "spawn taskkill ENOENT" }).run,
	);
	assert.equal(absent.failure?.code, "kill_unavailable");
});

verifies("000-p2-1-same-result-on-both-platforms", "both platforms answer a vanished process alike", async () => {
	const gone = { pid: 4_194_303, startedAt: 1 };
	const windows = await killWindowsTree(gone, taskkill({ exitCode: 128, output: "" }).run);
	assert.deepEqual(await killPosixTree(gone, 10), windows);
});

test("a process that took over a dead leader's id is left alone", { skip: process.platform === "win32" }, async () => {
	const result = await killPosixTree({ pid: process.ppid, startedAt: Number.MAX_SAFE_INTEGER }, 10);
	assert.equal(result.outcome, "already_gone");
});

test("only a group of the tree's own is signalled as one", { skip: process.platform === "win32" }, async (t) => {
	// In the group of this test, so that a group of its own id would be somebody else's.
	const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1_000)"], { stdio: "ignore" });
	const { pid = 0 } = child;
	t.after(() => child.kill("SIGKILL"));
	const startedAt = readStartTime(pid);
	assert.ok(startedAt !== undefined);
	const kill = t.mock.method(process, "kill");
	const { survivors } = await killPosixTree({ pid, startedAt }, 5_000);
	assert.deepEqual(survivors, []);
	const signalled = new Set(kill.mock.calls.map((call) => call.arguments[0]));
	assert.deepEqual([...signalled], [pid]);
});

test("a tree inside a marked one carries both marks, so that ending either finds it", (t) => {
	const before = process.env[CUSTODY_VARIABLE];
	t.after(() => {
		if (before === undefined) delete process.env[CUSTODY_VARIABLE];
		else process.env[CUSTODY_VARIABLE] = before;
	});
	const [outer, inner] = [createCustodyMark(), createCustodyMark()];
	Object.assign(process.env, markEnvironment({}, outer));
	const block = `A=1\0${CUSTODY_VARIABLE}=${markEnvironment({}, inner)[CUSTODY_VARIABLE]}\0B=2`;
	for (const [mark, carried] of [
		[outer, true],
		[inner, true],
		[createCustodyMark(), false],
	] as const)
		assert.equal(carriesMark(block, mark), carried);
});

test("process rows are read whatever the command is called, and zombies are known as such", () => {
	const fields = Array.from({ length: 18 }, (_, index) => String(100 + index));
	const row = `7 (a) Z (b ) S 3 7 ${fields.join(" ")}`;
	assert.deepEqual(parseProcStat(7, row), { pid: 7, parent: 3, group: 7, startedAt: 116, zombie: false });
	assert.equal(parseProcStat(7, row.replace(") S", ") Z"))?.zombie, true);
	assert.equal(parseProcStat(7, ""), undefined);
	const listed = parsePs(
		"  12     1    12 Ss   Sun Nov 15 04:00:00 2026\n  13    12    12 Z    Sun Nov 15 04:00:01 2026\n\n",
	);
	const startedAt = Date.parse("Sun Nov 15 04:00:00 2026");
	assert.deepEqual(listed, [
		{ pid: 12, parent: 1, group: 12, startedAt, zombie: false },
		{ pid: 13, parent: 12, group: 12, startedAt: startedAt + 1_000, zombie: true },
	]);
});

test("the start of a child that has ended already is known in the turn of its spawn", {
	skip: process.platform === "win32",
}, () => {
	const child = spawn("/bin/sh", ["-c", "exit 0"], { stdio: "ignore" });
	spawnSync("/bin/sh", ["-c", "sleep 0.2"]);
	assert.ok(child.pid !== undefined);
	assert.equal(typeof readStartTime(child.pid), "number");
});

test("on Windows a batch file runs through cmd with every special character escaped", () => {
	const calls: { command: string; args: readonly string[]; verbatim: unknown }[] = [];
	const record = (
		command: string,
		args: readonly string[],
		options: { windowsVerbatimArguments?: boolean | undefined },
	): never => {
		calls.push({ command, args, verbatim: options.windowsVerbatimArguments });
		throw new Error("recorded");
	};
	const run = (command: string, args: readonly string[]): void => {
		assert.throws(() => spawnCommand(record, command, args, { env: { ComSpec: "cmd.exe" } }, "win32"), /recorded/);
	};
	run("C:\\npx.cmd", ['a"b', "c&calc", "%PATH%"]);
	run("C:\\node.exe", ["c&calc"]);
	assert.deepEqual(calls[1], { command: "C:\\node.exe", args: ["c&calc"], verbatim: undefined });
	assert.equal(calls[0]?.command, "cmd.exe");
	assert.deepEqual(calls[0]?.args.slice(0, 3), ["/d", "/s", "/c"]);
	const line = calls[0]?.args[3] ?? "";
	assert.equal(/(?<!\^)[&%]/.test(line), false, line);
});

test("a tree that could not be ended is one line on stderr and a fault in telemetry", () => {
	const failure = { code: "kill_denied", pid: 9, detail: "not permitted\nat all" } as const;
	const lines: string[] = [];
	reportKillFailure(failure, (line) => void lines.push(line));
	assert.deepEqual(lines, ["libmcp: could not end process tree 9: kill_denied: not permitted at all\n"]);
	const record = new HostRecord();
	const records: TelemetryRecord[] = [];
	record.addSink({ record: (entry) => void records.push(entry), close: () => {} });
	record.killFailed(3, failure);
	assert.deepEqual(
		records.map((entry) =>
			entry.event === "fault" ? [entry.fault.class, entry.fault.code, entry.generation] : entry.event,
		),
		[["process", "kill_denied", 3]],
	);
	assert.equal(record.board.snapshot().lastFault?.code, "kill_denied");
});

// Looking whether a process is there signals nothing; the testkit's chaos is there to kill; the launcher only passes on
// what it was sent to the process that stands in for it.
const SIGNALS = /\bprocess\.kill\((?![^)]*, 0\))|\btaskkill\b|\bchild\w*\.kill\(|\bSIGKILL\b/;

verifies("000-p2-2-one-kill-module", "no product code outside the process module signals a process", () => {
	const exempt = ["process", "testing", "launch.ts"].map((name) => join("packages", "libmcp", "src", name));
	const offenders = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: ROOT })
		.filter((file) => !exempt.some((folder) => file.startsWith(folder)))
		.filter((file) => SIGNALS.test(readFileSync(join(ROOT, file), "utf8")));
	assert.deepEqual(offenders, []);
});
