import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { describeReason } from "../../src/repo/failures.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { fixtureOf, pathsFound, writeFiles } from "../filter/fixtureRepository.ts";

const FILES = { "a.ts": "export function openSession() {\n\treturn 1;\n}\n" };

test("an index that breaks between searches is built again while the server answers, and its replacement is searched", async () => {
	const { root, cacheRoot, repository, remove } = await fixtureOf(FILES);
	const folder = openIndexFolder(cacheRoot, root);
	for (const length of [0, 4096, 10_000]) {
		assert.deepEqual(await pathsFound(repository, { query: "openSession" }), ["a.ts"]);
		truncateSync(folder.current() ?? "", length);
		const beingBuilt = { code: "NO_INDEX", details: { reason: "being_built", retryable: true } };
		await assert.rejects(repository.search({ query: "openSession" }), beingBuilt, `cut to ${length}`);
		await assert.rejects(repository.map(), beingBuilt);
		await until(() => repository.indexed(), "the index to be built again");
		assert.ok(readdirSync(folder.path).includes("damaged.sqlite"));
	}
	await remove();
});

test("the error for a missing folder names it", async () => {
	const { root, repository, remove } = await fixtureOf(FILES, { freshnessMs: 0 });
	await pathsFound(repository, { query: "openSession" });
	rmSync(root, { recursive: true });
	const missing = { code: "NOT_FOUND", message: "repoPath: expected a folder that exists" };
	await assert.rejects(repository.search({ query: "openSession" }), missing);
	await assert.rejects(repository.status(), missing);
	await remove();
});

test("if the index cannot be written, the answer comes from the existing index with a warning", async () => {
	const { root, cacheRoot, repository, remove } = await fixtureOf(FILES, { freshnessMs: 0 });
	const lock = join(openIndexFolder(cacheRoot, root).path, "lock.sqlite");
	for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(lock + suffix, { force: true });
	mkdirSync(lock);
	writeFileSync(join(lock, "in the way"), "");
	writeFiles(root, { "b.ts": "export function openSession() {}\n" });
	const { hits, warnings } = await repository.search({ query: "openSession" });
	assert.deepEqual(
		hits.map(({ path }) => path),
		["a.ts"],
	);
	assert.deepEqual(
		warnings.map(({ code }) => code),
		["index_stale"],
	);
	assert.ok(!warnings[0]?.message.includes(cacheRoot), warnings[0]?.message);
	rmSync(lock, { recursive: true });
	assert.deepEqual((await pathsFound(repository, { query: "openSession" })).sort(), ["a.ts", "b.ts"]);
	await remove();
});

test("an answer that may be behind because the disk is full says so, and what to do", (t) => {
	const database = new DatabaseSync(":memory:");
	t.after(() => database.close());
	database.exec("PRAGMA max_page_count = 1");
	assert.throws(
		() => database.exec("CREATE TABLE one (id); CREATE TABLE two (id)"),
		(thrown) => {
			const cause = "nothing can be written: no space left on device";
			const remedy = "PAIROFCLEATS_CACHE_ROOT (for records PAIROFCLEATS_DATA_ROOT) names another folder";
			assert.equal(describeReason(thrown), `${cause}; ${remedy}`);
			return true;
		},
	);
});
