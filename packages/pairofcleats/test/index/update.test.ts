import assert from "node:assert/strict";
import { chmodSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { discoverFiles } from "../../src/discover/discoverFiles.ts";
import { buildIndex, updateIndex } from "../../src/index/indexer.ts";
import { indexFiles } from "../../src/index/indexFiles.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import type { Repository } from "../../src/repo/repository.ts";
import { listIndexFiles, openIndexFolder } from "../../src/store/indexFolder.ts";
import { createIndex, openWriter, writeLint } from "../../src/store/sqliteWriter.ts";
import { isIndexOpen, takeWriteLock } from "../../src/store/writeLock.ts";
import { type Fixture, fixtureOf, pathsFound, writeFiles } from "../filter/fixtureRepository.ts";

const AS_ROOT = process.getuid?.() === 0 && "root reads all";
const NO_PROC = process.platform !== "linux" && "only Linux has /proc";

const FILES = {
	"a.ts": "export function alpha() {\n\treturn 'first';\n}\n",
	"b.ts": "export function beta() {\n\treturn 'second';\n}\n",
	"c.md": "# Gamma\n\nthird words\n",
};

const QUERIES = [
	"alpha",
	"beta second",
	"gamma",
	"third words first",
	'"return"',
	"/fir\\w+/",
	"delta",
	"function NOT beta",
];

/** The parts of the answers that must not depend on how the index was built. */
async function answers(repository: Repository): Promise<unknown> {
	const all = [];
	for (const query of QUERIES) {
		const { hits, totals } = await repository.search({ query, mode: "all", top: 50, explain: true, output: "full" });
		all.push({ query, totals, hits: hits.map(({ git: _, ...hit }) => hit) });
	}
	return all;
}

async function freshAnswers(fixture: Fixture): Promise<unknown> {
	const cacheRoot = `${fixture.cacheRoot}-fresh`;
	rmSync(cacheRoot, { recursive: true, force: true });
	await buildIndex({ root: fixture.root, folder: openIndexFolder(cacheRoot, fixture.root) });
	const fresh = openRepository(fixture.root, { cacheRoot, model: null });
	try {
		return await answers(fresh);
	} finally {
		await fresh.close();
	}
}

async function withFixture(body: (fixture: Fixture) => Promise<void>): Promise<void> {
	const fixture = await fixtureOf(FILES, { freshnessMs: 0 });
	try {
		await body(fixture);
	} finally {
		await fixture.remove();
	}
}

const update = (fixture: Fixture) =>
	updateIndex({ root: fixture.root, folder: openIndexFolder(fixture.cacheRoot, fixture.root) });

test("an update deletes a full build that was interrupted days ago, and keeps one that may be continued", async () => {
	await withFixture(async (fixture) => {
		const folder = openIndexFolder(fixture.cacheRoot, fixture.root);
		const used = folder.current() ?? assert.fail("no index");
		const begun = await folder.hold((held) => held.next());
		createIndex(begun, { options: "half" });
		await update(fixture);
		assert.deepEqual(listIndexFiles(folder.path).toSorted(), [used, begun].toSorted());
		const days = new Date(Date.now() - 3 * 24 * 3_600_000);
		for (const name of readdirSync(folder.path))
			if (name.startsWith(basename(begun))) utimesSync(join(folder.path, name), days, days);
		await update(fixture);
		assert.deepEqual(listIndexFiles(folder.path), [used]);
	});
});

test("after edits, additions, deletions and renames an updated index answers like a fresh one", async () => {
	await withFixture(async (fixture) => {
		writeFiles(fixture.root, {
			"a.ts": "export function alpha() {\n\treturn 'changed first';\n}\n",
			"d.ts": "export const delta = 4;\n",
		});
		rmSync(join(fixture.root, "b.ts"));
		renameSync(join(fixture.root, "c.md"), join(fixture.root, "renamed.md"));
		const report = await update(fixture);
		assert.deepEqual(report.files, { indexed: 3, unchanged: 0, removed: 2, skipped: 0, unreadable: 0 });
		assert.deepEqual(await answers(fixture.repository), await freshAnswers(fixture));
	});
});

test("many small updates are merged and still answer like a fresh index", async () => {
	await withFixture(async (fixture) => {
		for (let round = 0; round < 14; round++) {
			writeFiles(fixture.root, {
				[`n${round}.ts`]: `export function made${round}() {\n\treturn 'first ${round}';\n}\n`,
			});
			await update(fixture);
		}
		const { segments } = await fixture.repository.status();
		assert.ok(segments <= 10, `${segments} segments`);
		assert.deepEqual(await answers(fixture.repository), await freshAnswers(fixture));
		assert.deepEqual((await fixture.repository.validate()).problems, []);
	});
});

test("an update without changes reads no file and leaves the index as it is", async () => {
	await withFixture(async (fixture) => {
		const before = (await fixture.repository.status()).updatedAt;
		const report = await update(fixture);
		assert.deepEqual(report.files, { indexed: 0, unchanged: 3, removed: 0, skipped: 0, unreadable: 0 });
		assert.equal((await fixture.repository.status()).updatedAt, before);
	});
});

test("status counts the skipped files and sorts languages by name, also after updates", async () => {
	await withFixture(async (fixture) => {
		symlinkSync("a.ts", join(fixture.root, "link.ts"));
		writeFiles(fixture.root, { "z.lua": "return 1\n" });
		await update(fixture);
		symlinkSync("b.ts", join(fixture.root, "other.ts"));
		await update(fixture);
		const { skipped, languages } = await fixture.repository.status();
		assert.equal(skipped.symlink, 2);
		assert.deepEqual(Object.keys(languages), Object.keys(languages).sort());
	});
});

test("a touched file with the same text is not indexed again", async () => {
	await withFixture(async (fixture) => {
		utimesSync(join(fixture.root, "a.ts"), new Date(), new Date(Date.now() + 5_000));
		assert.equal((await update(fixture)).files.indexed, 0);
		assert.deepEqual((await fixture.repository.status()).stale, { changed: 0, added: 0, removed: 0 });
	});
});

test("an edit that keeps size and modification time is indexed", async () => {
	await withFixture(async (fixture) => {
		const day = new Date("2024-01-01");
		const write = (text: string): void => {
			writeFileSync(join(fixture.root, "a.ts"), text);
			utimesSync(join(fixture.root, "a.ts"), day, day);
		};
		write("export const alpha = 1;\n");
		await update(fixture);
		write("export const bravo = 1;\n");
		assert.deepEqual((await fixture.repository.status()).stale, { changed: 1, added: 0, removed: 0 });
		assert.equal((await update(fixture)).files.indexed, 1);
		assert.equal((await fixture.repository.search({ query: "bravo" })).hits[0]?.path, "a.ts");
	});
});

test("a file that may be read only now is indexed", { skip: AS_ROOT }, async () => {
	await withFixture(async (fixture) => {
		const file = join(fixture.root, "shut.ts");
		writeFileSync(file, "export const delta = 4;\n", { mode: 0 });
		assert.equal((await update(fixture)).files.unreadable, 1);
		assert.deepEqual((await fixture.repository.status()).stale, { changed: 0, added: 0, removed: 0 });
		chmodSync(file, 0o600);
		assert.deepEqual((await fixture.repository.status()).stale, { changed: 1, added: 0, removed: 0 });
		assert.equal((await update(fixture)).files.indexed, 1);
		assert.equal((await fixture.repository.search({ query: "delta" })).hits[0]?.path, "shut.ts");
	});
});

test("a file whose reading failed keeps its indexed text and is tried again", { skip: NO_PROC }, async () => {
	await withFixture(async (fixture) => {
		const stat = { path: "mem", bytes: 0, mtimeMs: 1, ctimeMs: 1, inode: 1 } as const;
		const suspect = { file: stat, hash: "indexed", left: undefined, reread: false };
		// Its first page is mapped nowhere, so reading it is an input/output error for every user.
		const options = { root: "/proc/self", riskRules: undefined, bytesTotal: 0, threads: 1 };
		const folder = openIndexFolder(fixture.cacheRoot, fixture.root);
		const { stats, replaced, edited, skipped, unreadable } = await folder.hold(async (held) => {
			const file = held.next();
			createIndex(file);
			const writer = openWriter(file);
			const outcome = await indexFiles([suspect], writer, options);
			writer.close();
			return outcome;
		});
		assert.deepEqual([stats, replaced, edited, skipped, unreadable], [[], [], [], 1, 1]);
	});
});

test("a search sees an edit made just before it", async () => {
	await withFixture(async (fixture) => {
		writeFileSync(join(fixture.root, "a.ts"), "export function omega() {}\n");
		const { hits, checkedAt } = await fixture.repository.search({ query: "omega" });
		assert.equal(hits[0]?.path, "a.ts");
		assert.ok(Date.now() - Date.parse(checkedAt) < 60_000);
		assert.equal((await fixture.repository.search({ query: "alpha", mode: "code" })).hits.length, 0);
	});
});

test("an open reader uses the old index during a build and the new one afterwards", async () => {
	await withFixture(async (fixture) => {
		const reader = openRepository(fixture.root, { cacheRoot: fixture.cacheRoot, model: null, freshnessMs: 1e9 });
		await reader.search({ query: "alpha" });
		writeFiles(fixture.root, { "e.ts": "export function epsilon() {}\n" });
		let asked = 0;
		await buildIndex({
			root: fixture.root,
			folder: openIndexFolder(fixture.cacheRoot, fixture.root),
			onProgress: ({ done }) => {
				if (done === 1) asked += 1;
			},
		});
		assert.equal(asked, 1);
		assert.equal((await reader.search({ query: "epsilon" })).hits[0]?.path, "e.ts");
		await reader.close();
	});
});

test("a second writer is refused with the first one's process id", async () => {
	await withFixture(async (fixture) => {
		const folder = openIndexFolder(fixture.cacheRoot, fixture.root);
		const lock = await takeWriteLock(folder.path);
		await assert.rejects(
			buildIndex({ root: fixture.root, folder }),
			(error: Error & { code: string; details: { reason: string } }) => {
				assert.equal(error.code, "QUEUE_OVERLOADED");
				assert.equal(error.details.reason, "index_locked");
				assert.match(error.message, new RegExp(`pid ${process.pid}`));
				return true;
			},
		);
		lock.release();
		assert.equal((await buildIndex({ root: fixture.root, folder })).files.indexed, 3);
	});
});

test("a build waits for another process that takes in an edit", async () => {
	await withFixture(async (fixture) => {
		const folder = openIndexFolder(fixture.cacheRoot, fixture.root);
		const lock = await takeWriteLock(folder.path);
		setTimeout(lock.release, 500);
		assert.equal((await buildIndex({ root: fixture.root, folder })).files.indexed, 3);
	});
});

test("what waits for a build to end changes the index that the build made", async () => {
	await withFixture(async (fixture) => {
		const { root, repository } = fixture;
		const folder = openIndexFolder(fixture.cacheRoot, root);
		const begun = Promise.withResolvers<void>();
		const waited = Promise.withResolvers<void>();
		const built = buildIndex({
			root,
			folder,
			find: async (limits) => {
				begun.resolve();
				await waited.promise;
				return discoverFiles(root, limits);
			},
		});
		await begun.promise;
		const messages = [{ ruleId: "no-alpha", severity: 2, message: "alpha", line: 1, column: 1 }];
		const imported = repository.importLint(JSON.stringify([{ filePath: join(root, "a.ts"), messages }]));
		const updated = update(fixture);
		await wait(100);
		waited.resolve();
		await built;
		assert.equal((await imported).imported, 1);
		assert.deepEqual((await updated).files, { indexed: 0, unchanged: 3, removed: 0, skipped: 0, unreadable: 0 });
		assert.deepEqual(listIndexFiles(folder.path), [folder.current()]);
		assert.deepEqual(await pathsFound(repository, { query: "*", lint: true }), ["a.ts"]);
	});
});

test("nothing creates an empty index in place of one that is gone", async () => {
	await withFixture(async ({ root, cacheRoot }) => {
		const folder = openIndexFolder(cacheRoot, root);
		await folder.hold((held) => {
			const file = held.next();
			assert.throws(() => openWriter(file), /unable to open database file/);
			assert.throws(() => writeLint(file, [], []), /unable to open database file/);
			assert.equal(isIndexOpen(file), false);
		});
		assert.deepEqual(listIndexFiles(folder.path), [folder.current()]);
	});
});

test("an index of another version asks to be built again, and building replaces it", async () => {
	await withFixture(async (fixture) => {
		await fixture.repository.close();
		const folder = openIndexFolder(fixture.cacheRoot, fixture.root);
		const database = new DatabaseSync(folder.current() ?? "");
		database.exec("UPDATE meta SET value = '999' WHERE key = 'version'");
		database.close();
		const reopened = openRepository(fixture.root, { cacheRoot: fixture.cacheRoot, model: null });
		await assert.rejects(reopened.search({ query: "alpha" }), { code: "NO_INDEX" });
		await assert.rejects(reopened.status(), { code: "NO_INDEX", message: /^the index has version 999, / });
		const lock = await takeWriteLock(folder.path);
		const { indexed, building, writer } = await reopened.status();
		assert.deepEqual([indexed, building, writer?.pid], [false, true, process.pid], "while it is being replaced");
		lock.release();
		await buildIndex({ root: fixture.root, folder });
		assert.equal((await reopened.search({ query: "alpha" })).hits[0]?.path, "a.ts");
		await reopened.close();
	});
});

test("damage to a stored list is found by validation", async () => {
	await withFixture(async (fixture) => {
		const database = new DatabaseSync(openIndexFolder(fixture.cacheRoot, fixture.root).current() ?? "");
		database.exec(
			"UPDATE terms SET block = substr(block, 1, length(block) - 1) WHERE first = (SELECT max(first) FROM terms)",
		);
		database.exec("DELETE FROM texts WHERE id = (SELECT max(id) FROM texts)");
		database.close();
		const { ok, problems } = await fixture.repository.validate();
		assert.equal(ok, false);
		assert.deepEqual(problems, [
			"a.ts: its text is missing",
			"b.ts: its text is missing",
			"c.md: its text is missing",
			'terms after "": a block of the index does not match its checksum',
		]);
	});
});
