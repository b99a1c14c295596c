import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	appendFileSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { verifies } from "../../../../e2e/verifies.ts";
import { createFault } from "../../src/fault/fault.ts";
import { JsonlLog } from "../../src/telemetry/jsonlLog.ts";
import { labelCall, parseRecord, writePostmortem } from "../../src/telemetry/postmortem.ts";
import type { CallOutcome, TelemetryRecord } from "../../src/telemetry/record.ts";
import { TelemetryLedger } from "../../src/telemetry/telemetryLedger.ts";

const FAULT = createFault("process", "worker_killed", { detail: "SIGKILL", generation: 1 });
const WRITER = fileURLToPath(new URL("jsonlWriter.ts", import.meta.url));

verifies(
	["002-telemetry-jsonl", "002-telemetry-append-only-events"],
	"eight processes append and rotate at once: no line is torn, none is lost",
	async (t) => {
		const folder = temporary(t);
		const path = join(folder, "host.jsonl");
		const writers = Array.from({ length: 8 }, (_, n) =>
			spawn(process.execPath, ["--disable-warning=ExperimentalWarning", WRITER, path, `w${n}`, "2000", "10000"], {
				stdio: "inherit",
			}),
		);
		for (const exit of await Promise.all(writers.map((writer) => once(writer, "exit"))))
			assert.deepEqual(exit, [0, null]);
		const lines = allLines(folder);
		const records = lines.map(parseRecord);
		assert.ok(!records.includes(undefined), "a torn line");
		assert.equal(records.filter((record) => record?.event === "call").length, 16_000);
		assert.equal(records.filter((record) => record?.event === "fault").length, 8);
		assert.ok(readdirSync(folder).length > 3, "it rotated");
	},
	{ timeout: 120_000 },
);

test("each record in the file says which process wrote it", (t) => {
	const path = join(temporary(t), "host.jsonl");
	const log = new JsonlLog({ path, name: "host" });
	log.record(call(1, { kind: "ok" }));
	log.record({ event: "fault", at: 1, generation: 1, fault: FAULT });
	log.close();
	const records = readFileSync(path, "utf8").trimEnd().split("\n").map(parseRecord);
	assert.deepEqual(
		records.map((record) => record?.pid),
		[process.pid, process.pid, process.pid],
	);
});

test("a log that somebody moved or removed is begun anew with the next record", (t) => {
	const folder = temporary(t);
	const path = join(folder, "state", "host.jsonl");
	const log = new JsonlLog({ path, name: "host" });
	log.record(call(1, { kind: "ok" }));
	renameSync(path, join(folder, "moved.jsonl"));
	log.record(call(2, { kind: "ok" }));
	rmSync(dirname(path), { recursive: true });
	log.record(call(3, { kind: "ok" }));
	log.close();
	const ids = (file: string) => readFileSync(file, "utf8").match(/"id":"?\d+/g);
	assert.deepEqual([ids(join(folder, "moved.jsonl"))?.length, ids(path)?.length], [1, 1]);
	assert.match(readFileSync(path, "utf8"), /^\{"event":"log_opened"/);
});

verifies("002-telemetry-append-only-events", "a log is never truncated, not by a restart and not by rotation", (t) => {
	const folder = temporary(t);
	const path = join(folder, "a", "host.jsonl");
	for (let run = 0; run < 3; run++) {
		const log = new JsonlLog({ path, name: "host", maxBytes: 1_000 });
		log.record({ event: "fault", at: 1, generation: 1, fault: { ...FAULT, detail: `run ${run}` } });
		for (let n = 0; n < 20; n++) log.record(call(n, { kind: "ok" }));
		log.close();
	}
	const records = allLines(join(folder, "a")).map(parseRecord);
	assert.equal(records.filter((record) => record?.event === "call").length, 60);
	assert.equal(records.filter((record) => record?.event === "fault").length, 3);
	assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("old files go only where a number to keep was asked for, and each new file still tells the last fault", (t) => {
	const folder = temporary(t);
	const path = join(folder, "host.jsonl");
	const log = new JsonlLog({ path, name: "host", maxBytes: 500, keepFiles: 2 });
	log.record({ event: "fault", at: 1, generation: 1, fault: FAULT });
	for (let n = 0; n < 50; n++) log.record(call(n, { kind: "ok" }));
	log.close();
	assert.equal(readdirSync(folder).length, 3);
	const opened = parseRecord(readFileSync(path, "utf8").split("\n")[0] ?? "");
	assert.ok(opened?.event === "log_opened");
	assert.deepEqual(opened.lastFault, FAULT);
	assert.equal(opened.pid, process.pid);
});

test("the logs of a server whose name begins with that of a log are not taken for old files of it", (t) => {
	const folder = temporary(t);
	const others = ["host.jsonl.jsonl", "host.jsonl.jsonl.20260101T000000000Z-7-1", "host.jsonl.b.jsonl"];
	for (const name of others) writeFileSync(join(folder, name), "");
	const log = new JsonlLog({ path: join(folder, "host.jsonl"), name: "host", maxBytes: 500, keepFiles: 1 });
	for (let n = 0; n < 50; n++) log.record(call(n, { kind: "ok" }));
	log.close();
	for (const name of others) assert.ok(readdirSync(folder).includes(name), name);
	assert.equal(readdirSync(folder).length, 2 + others.length);
});

verifies("002-telemetry-jsonl", "a half line left behind does not swallow the next record", (t) => {
	const path = join(temporary(t), "host.jsonl");
	writeFileSync(path, '{"event":"call","at":1');
	const log = new JsonlLog({ path, name: "host" });
	log.record(call(1, { kind: "ok" }));
	log.close();
	const lines = readFileSync(path, "utf8").trimEnd().split("\n");
	assert.equal(lines.length, 3);
	assert.ok(!lines.slice(1).map(parseRecord).includes(undefined));
	const { telemetry, badLines } = writePostmortem(lines);
	assert.equal(badLines, 1);
	assert.equal(telemetry.totals.successes, 1);
});

verifies(
	"002-telemetry-jsonl-postmortem",
	"calls, latency and errors per method, and the faults behind restarts, come back from the file alone",
	(t) => {
		const path = join(temporary(t), "host.jsonl");
		const log = new JsonlLog({ path, name: "host" });
		let clock = 0;
		const ledger = new TelemetryLedger(() => clock);
		const outcomes: CallOutcome[] = [
			{ kind: "ok" },
			{ kind: "error", code: -32602 },
			{ kind: "error", code: undefined },
			{ kind: "cancelled" },
			{ kind: "fault", fault: FAULT },
		];
		for (let n = 0; n < 100; n++) {
			const method = n % 2 === 0 ? { method: "tools/call", tool: `t${n % 3}` } : { method: "ping" };
			const outcome = outcomes[n % outcomes.length] ?? { kind: "ok" };
			const counted = ledger.began(labelCall(method));
			clock += n * 1.5;
			const latencyMs = ledger.ended(counted, outcome) ?? assert.fail();
			const { tool: _, ...record } = call(n, outcome);
			log.record({ ...record, ...method, latencyMs });
		}
		ledger.retried("ping");
		log.record({ event: "replay", at: 1, generation: 2, method: "ping", id: "7", attempt: 2 });
		ledger.faulted(FAULT);
		ledger.restarted(FAULT);
		log.record({ event: "fault", at: 1, generation: 1, fault: FAULT });
		log.record({ event: "restart", at: 2, generation: 2, delayMs: 0, cause: FAULT });
		log.record({ event: "rollout_step", at: 3, generation: 3, step: "switching", from: 2 });
		log.close();

		const found = writePostmortem(readFileSync(path, "utf8").split("\n"));
		const live = ledger.snapshot();
		const timeless = (snapshot: typeof live) =>
			JSON.parse(JSON.stringify({ ...snapshot, uptimeMs: 0 }, (key, value: unknown) => (key === "at" ? 0 : value)));
		assert.deepEqual(timeless(found.telemetry), timeless(live));
		assert.deepEqual(found.restarts, [{ at: 2, generation: 2, cause: FAULT }]);
		assert.equal(found.badLines, 0);
	},
);

test("what a peer chose the length of is cut, so that a record stays one small write", (t) => {
	const path = join(temporary(t), "host.jsonl");
	const log = new JsonlLog({ path, name: "host" });
	log.record({ ...call(1, { kind: "ok" }), method: `m${"😀".repeat(10_000)}`, id: `"${"i".repeat(1_000)}"` });
	log.close();
	const [, line = ""] = readFileSync(path, "utf8").split("\n");
	assert.ok(line.length < 4_096);
	assert.ok(line.isWellFormed());
	assert.equal(parseRecord(line)?.event, "call");
});

test("a log that cannot be written says so once and lets the host go on", (t) => {
	const folder = temporary(t);
	appendFileSync(join(folder, "file"), "");
	const failures: Error[] = [];
	const log = new JsonlLog({
		path: join(folder, "file", "host.jsonl"),
		name: "host",
		onFailure: (error) => failures.push(error),
	});
	log.record(call(1, { kind: "ok" }));
	log.record(call(2, { kind: "ok" }));
	log.close();
	assert.equal(failures.length, 1);
});

test("a log whose disk was full is written again once there is room", {
	skip: existsSync("/dev/full") ? false : "needs /dev/full",
}, async (t) => {
	const path = join(temporary(t), "host.jsonl");
	symlinkSync("/dev/full", path);
	const failures: string[] = [];
	const log = new JsonlLog({ path, name: "host", retryMs: 50, onFailure: ({ message }) => failures.push(message) });
	log.record(call(1, { kind: "ok" }));
	log.record({ event: "fault", at: 2, generation: 1, fault: FAULT });
	assert.equal(failures.length, 1);
	assert.match(failures[0] ?? "", /ENOSPC/);
	rmSync(path);
	await delay(60);
	log.record(call(3, { kind: "ok" }));
	log.close();
	const [opened, last] = allLines(dirname(path)).map(parseRecord);
	assert.deepEqual(opened?.event === "log_opened" && opened.lastFault, FAULT);
	assert.equal(last?.event, "call");
});

function call(n: number, outcome: CallOutcome): TelemetryRecord & { event: "call" } {
	return {
		event: "call",
		at: 1_700_000_000_000 + n,
		generation: 1,
		method: "tools/call",
		tool: "read",
		id: String(n),
		latencyMs: n,
		attempts: 1,
		outcome: outcome.kind,
		...(outcome.kind === "error" && outcome.code !== undefined ? { code: outcome.code } : {}),
		...(outcome.kind === "fault" ? { fault: outcome.fault } : {}),
	};
}

function allLines(folder: string): string[] {
	return readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean));
}

function temporary(t: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-jsonl-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
