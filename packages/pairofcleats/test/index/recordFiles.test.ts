import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { buildIndex } from "../../src/index/indexer.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { fixtureOf, writeFiles } from "../filter/fixtureRepository.ts";

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

test("while the folder of records cannot be read, the indexed ones stand, and every answer says so", async (t) => {
	const base = mkdtempSync(join(tmpdir(), "cleats-records-"));
	t.after(() => rmSync(base, { recursive: true, force: true }));
	const [recordsDir, away] = [join(base, "records"), join(base, "away")];
	mkdirSync(recordsDir);
	writeFileSync(join(recordsDir, "one.json"), JSON.stringify({ id: "one", summary: "gizmo in the record" }));
	const fixture = await fixtureOf({ "a.py": "def gizmo(): pass\n" }, { recordsDir, freshnessMs: 0 });
	t.after(fixture.remove);
	const { root, cacheRoot, repository } = fixture;
	const served = openRepository(root, { cacheRoot, model: null, recordsDir });
	t.after(() => served.close());
	const found = async (from = repository): Promise<unknown> => {
		const { hits, warnings } = await from.search({ query: "gizmo", mode: "all" });
		return [hits.map(({ path }) => path).sort(), warnings.map(({ message }) => message)];
	};
	const says = "the records cannot be read (ENOTDIR); some may be missing until they can";
	const stale = `the answer may lack the latest changes: ${says}`;
	assert.deepEqual(await found(served), [["@records/one.json", "a.py"], []]);
	// A file in the place of the folder cannot be listed, not even by root.
	renameSync(recordsDir, away);
	writeFileSync(recordsDir, "");
	for (const from of [repository, served, repository, served])
		assert.deepEqual(await found(from), [["@records/one.json", "a.py"], [stale]]);
	writeFiles(root, { "b.py": "def gizmo(): return 2\n" });
	assert.deepEqual(await found(), [["@records/one.json", "a.py", "b.py"], [stale]]);
	const { stale: counts, warnings } = await repository.status();
	assert.deepEqual([counts, warnings], [{ changed: 0, added: 0, removed: 0 }, [says]]);
	assert.deepEqual((await buildIndex({ root, recordsDir, folder: openIndexFolder(cacheRoot, root) })).warnings, [says]);
	assert.deepEqual(await found(), [["a.py", "b.py"], [stale]]);
	rmSync(recordsDir);
	renameSync(away, recordsDir);
	assert.deepEqual(await found(), [["@records/one.json", "a.py", "b.py"], []]);
	rmSync(recordsDir, { recursive: true });
	assert.deepEqual(await found(), [["a.py", "b.py"], []], "a folder that is not there has no records");
});
