import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Decision, type Finding, shortenText } from "../../src/records/record.ts";
import { RecordStore } from "../../src/triage/recordStore.ts";
import { ownProcess } from "../ownProcess.ts";

const MODULE = new URL("../../src/triage/recordStore.ts", import.meta.url).href;
const ID = `finding-${"1".repeat(32)}`;
const POSIX = { skip: process.platform === "win32" && "needs a POSIX shell" };

function finding(over: Partial<Finding> = {}): Finding {
	const vuln = { vulnId: "X-1", title: "first", severity: "low" } as const;
	const [createdAt, updatedAt] = ["2020-01-01T00:00:00.000Z", "2020-01-01T00:00:00.000Z"];
	return { recordId: ID, recordType: "finding", source: "manual", createdAt, updatedAt, vuln, warnings: [], ...over };
}

function decision(digit: string, over: Partial<Decision> = {}): Decision {
	const { vuln, createdAt } = finding();
	const recordId = `decision-${digit.repeat(32)}`;
	return { recordId, recordType: "decision", source: "manual", createdAt, finding: ID, status: "fix", vuln, ...over };
}

function storeOf(t: TestContext): RecordStore {
	const folder = mkdtempSync(join(tmpdir(), "cleats-records-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return new RecordStore(folder);
}

test("a finding that is stored again is replaced and keeps the time it was first seen", (t) => {
	const store = storeOf(t);
	assert.equal(store.putFinding(finding()), "created");
	const again = finding({ createdAt: "2030-01-01T00:00:00.000Z", updatedAt: "2030-01-01T00:00:00.000Z" });
	assert.equal(store.putFinding(again), "updated");
	assert.deepEqual(store.read(ID), { ...again, createdAt: finding().createdAt });
	assert.deepEqual(readdirSync(store.folder), [`${ID}.json`]);
});

test("a decision is never replaced, and those about a finding come oldest first", (t) => {
	const store = storeOf(t);
	store.putFinding(finding());
	const [newer, older] = [decision("a", { createdAt: "2022-01-01T00:00:00.000Z" }), decision("b")];
	store.addDecision(newer);
	store.addDecision(older);
	store.addDecision(decision("c", { finding: `finding-${"2".repeat(32)}` }));
	assert.throws(() => store.addDecision({ ...newer, status: "accept" }), /EEXIST/);
	assert.deepEqual(store.decisions(ID), { records: [older, newer], unreadable: [] });
	assert.equal(readdirSync(store.folder).length, 4, "no draft is left");
});

test("a decision is stored, and never replaced, where the file system has no hard links", (t) => {
	const store = storeOf(t);
	t.mock.method(fs, "linkSync", () => {
		throw Object.assign(new Error("EPERM: operation not permitted, link"), { code: "EPERM" });
	});
	syncBuiltinESMExports();
	t.after(() => {
		t.mock.restoreAll();
		syncBuiltinESMExports();
	});
	store.addDecision(decision("a"));
	assert.throws(() => store.addDecision(decision("a", { status: "accept" })), /EPERM/);
	assert.deepEqual(store.decisions(ID), { records: [decision("a")], unreadable: [] });
	assert.deepEqual(readdirSync(store.folder), [`${decision("a").recordId}.json`]);
});

test("a write that the disk takes only in part fails, and the old record stays", POSIX, (t) => {
	const store = storeOf(t);
	store.putFinding(finding());
	const before = readFileSync(join(store.folder, `${ID}.json`), "utf8");
	const large = [
		finding({ meta: { text: "x".repeat(100_000) } }),
		decision("a", { justification: "x".repeat(100_000) }),
	];
	for (const [method, record] of [
		["putFinding", large[0]],
		["addDecision", large[1]],
	]) {
		const program = `import { RecordStore } from ${JSON.stringify(MODULE)}; new RecordStore(${JSON.stringify(store.folder)}).${method}(${JSON.stringify(record)});`;
		// A limit on the size of files cuts a write short, as a disk with little space does.
		const limited = 'ulimit -f 8 && exec "$0" "$@"';
		const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program];
		const { status, stderr } = spawnSync("sh", ["-c", limited, process.execPath, ...flags], { encoding: "utf8" });
		assert.equal(status, 1, `${method}: ${stderr}`);
		assert.match(stderr, /EFBIG/);
	}
	assert.deepEqual(readdirSync(store.folder), [`${ID}.json`]);
	assert.equal(readFileSync(join(store.folder, `${ID}.json`), "utf8"), before);
});

test("a record that cannot be read is not taken for an absent one, and one that is damaged is named", (t) => {
	const store = storeOf(t);
	store.putFinding(finding());
	store.addDecision(decision("a"));
	writeFileSync(join(store.folder, `${decision("b").recordId}.json`), '{"recordId":');
	writeFileSync(join(store.folder, "notes.txt"), "not a record");
	assert.deepEqual(store.all(), { records: [decision("a"), finding()], unreadable: [decision("b").recordId] });
	assert.deepEqual(store.decisions(ID).unreadable, [decision("b").recordId]);
	// A folder in its place: unlike permissions, it stops an administrator as well.
	rmSync(join(store.folder, `${ID}.json`));
	mkdirSync(join(store.folder, `${ID}.json`));
	assert.throws(() => store.read(ID), /EISDIR/);
	assert.throws(() => store.putFinding(finding()), /EISDIR/);
	assert.deepEqual(store.all().unreadable, [decision("b").recordId, ID]);
});

test("JSON that is no record is named as damaged, beside the records that are whole", (t) => {
	const store = storeOf(t);
	store.putFinding(finding());
	store.addDecision(decision("a"));
	const { vuln, ...bare } = decision("b");
	const others = [
		null,
		[],
		1,
		{},
		bare,
		{ ...bare, vuln: null },
		{ ...bare, vuln, finding: 1 },
		{ ...bare, vuln, expiresAt: 0 },
	];
	for (const [at, other] of others.entries())
		writeFileSync(join(store.folder, `${decision(`${at}`).recordId}.json`), JSON.stringify(other));
	const unreadable = others.map((_, at) => decision(`${at}`).recordId);
	assert.deepEqual(store.all(), { records: [decision("a"), finding()], unreadable });
	assert.deepEqual(store.decisions(ID), { records: [decision("a")], unreadable });
	for (const part of [{ location: 7 }, { asset: {} }, { package: { name: null } }, { warnings: null }]) {
		writeFileSync(join(store.folder, `${ID}.json`), JSON.stringify({ ...finding(), ...part }));
		assert.equal(store.read(ID), undefined, JSON.stringify(part));
		assert.equal(store.putFinding(finding()), "created", "a damaged one is replaced by the next report");
	}
});

test("a folder in which no record can be created is an error, without endless retries", {
	skip: !existsSync("/proc/self") && "there is no /proc here",
}, () => {
	const program = `import { RecordStore } from ${JSON.stringify(MODULE)}; new RecordStore("/proc/none/a/b").putFinding({ recordId: "x" });`;
	const { status, signal, stderr } = ownProcess(program);
	assert.equal(signal, null, "it ended by itself");
	assert.equal(status, 1);
	assert.match(stderr, /ENOENT: no such file or directory, mkdir '\/proc\/none'/);
});

test("a long title is cut between characters", () => {
	assert.equal(shortenText("x".repeat(240)), "x".repeat(240));
	assert.equal(shortenText("x".repeat(241)), `${"x".repeat(240)}…`);
	assert.equal(shortenText(`${"x".repeat(239)}🔒🔒`), `${"x".repeat(239)}…`);
});
