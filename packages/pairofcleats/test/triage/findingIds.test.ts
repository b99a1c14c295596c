import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Draft } from "../../src/triage/draft.ts";
import { FindingIds } from "../../src/triage/findingIds.ts";
import { RecordStore } from "../../src/triage/recordStore.ts";
import { readGeneric } from "../../src/triage/sources/generic.ts";

type Ingest = (...drafts: readonly Draft[]) => string[];

/** Stores drafts as one ingest does, and returns their ids. */
function ingester(t: TestContext): Ingest {
	const folder = mkdtempSync(join(tmpdir(), "cleats-ids-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const store = new RecordStore(folder);
	const common = { recordType: "finding", source: "generic", warnings: [] } as const;
	const now = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" };
	return (...drafts) => {
		const ids = new FindingIds("generic", store);
		for (const draft of drafts) ids.expect(draft, 0);
		return drafts.map((draft) => {
			const recordId = ids.idOf(draft, 0);
			const { vuln, package: affected, location } = draft;
			const subject = { ...(affected && { package: affected }), ...(location && { location }) };
			store.putFinding({ recordId, ...common, ...now, vuln, ...subject });
			return recordId;
		});
	};
}

const installed = (installedVersion: string): Draft => ({
	key: ["GHSA-1", "lodash"],
	repeats: "details",
	vuln: { vulnId: "GHSA-1", title: "t", severity: "high" },
	package: { name: "lodash", installedVersion },
});

const result = (startLine: number): Draft => ({
	key: ["tool", "rule", "a.js", "print"],
	repeats: "order",
	vuln: { vulnId: "tool/rule", title: "t", severity: "high" },
	location: { path: "a.js", startLine },
});

test("a finding keeps its id when another of its key comes before it in the next report", (t) => {
	const ingest = ingester(t);
	const [known] = ingest(installed("4.17.4"));
	const [other, again] = ingest(installed("3.10.1"), installed("4.17.4"));
	assert.equal(again, known);
	assert.notEqual(other, known);
	assert.deepEqual(ingest(installed("3.10.1")), [other]);
	assert.deepEqual(ingest(installed("4.17.4"), installed("3.10.1")), [known, other]);
});

test("the only finding of a key keeps its id with another version, and of several none takes the place of another", (t) => {
	const ingest = ingester(t);
	const [known] = ingest(installed("3.10.1"));
	assert.deepEqual(ingest(installed("3.10.2")), [known]);
	const changed = ingest(installed("3.10.3"), installed("4.17.4"));
	assert.ok(!changed.includes(known ?? ""));
	assert.equal(new Set(changed).size, 2);
	const [upgraded] = ingest(installed("4.17.5"));
	assert.ok(upgraded !== known && !changed.includes(upgraded ?? ""));
});

test("results that only their order tells apart keep the number of the record on their line", (t) => {
	const ingest = ingester(t);
	const [known] = ingest(result(9));
	const [other, again] = ingest(result(5), result(9));
	assert.equal(again, known);
	assert.notEqual(other, known);
	assert.deepEqual(ingest(result(5)), [other]);
	assert.deepEqual(ingest(result(5), result(5)), [other, known]);
	assert.equal(new Set(ingest(result(1), result(2), result(3))).size, 3);
});

test("results that have all moved keep their ids in the order of their lines", (t) => {
	const ingest = ingester(t);
	const known = ingest(result(5), result(9));
	assert.deepEqual(ingest(result(15), result(19)), known);
});

test("a finding with an identity of its own is one wherever it is listed, and keeps the record that it had before", (t) => {
	const ingest = ingester(t);
	const listed = (path: string, startLine: number): Draft => {
		const [draft] = readGeneric({ stableKey: "K-1", id: "no-eval", file: path, line: startLine }, (said = "") => said);
		assert.ok(draft);
		return draft;
	};
	const [known, again] = ingest(listed("a.js", 3), listed("a.js", 9));
	assert.equal(again, known);
	assert.deepEqual(ingest(listed("moved/a.js", 3)), [known]);
	const ingestLater = ingester(t);
	const { key: _, formerKey, ...draft } = listed("a.js", 3);
	assert.ok(formerKey);
	const [former] = ingestLater({ ...draft, key: formerKey, repeats: "details" });
	assert.deepEqual(ingestLater(listed("a.js", 9)), [former]);
});
