import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fixtureOf } from "../filter/fixtureRepository.ts";

test("a repository's own folder may have the name under which records are shown", async (t) => {
	const base = mkdtempSync(join(tmpdir(), "cleats-records-"));
	t.after(() => rmSync(base, { recursive: true, force: true }));
	const recordsDir = join(base, "records");
	mkdirSync(recordsDir);
	writeFileSync(join(recordsDir, "one.json"), JSON.stringify({ id: "one", summary: "gizmo in the record" }));
	const { repository, remove } = await fixtureOf(
		{ "@records/h.py": "def gizmo(): pass\n", "@records/one.json": '{ "summary": "gizmo in the repository" }\n' },
		{ recordsDir, freshnessMs: 0 },
	);
	t.after(remove);
	const { hits } = await repository.search({ query: "gizmo", mode: "all" });
	assert.deepEqual(hits.map(({ path, mode }) => `${mode} ${path}`).sort(), [
		"code @records/h.py",
		"records @records/one.json",
	]);
	assert.match((await repository.show("@records/one.json")).text, /in the record/);
	const { skipped, stale } = await repository.status();
	assert.deepEqual([skipped.missing, stale], [0, { changed: 0, added: 0, removed: 0 }]);
	assert.deepEqual((await repository.validate()).problems, []);
});
