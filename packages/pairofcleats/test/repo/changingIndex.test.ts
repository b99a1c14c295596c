import assert from "node:assert/strict";
import { renameSync, rmSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startRegexRunner } from "../../src/expression/regexSearch.ts";
import { buildIndex, updateIndex } from "../../src/index/indexer.ts";
import { parseQuery } from "../../src/query/parseQuery.ts";
import { runExpressions } from "../../src/repo/answer/narrow.ts";
import { IndexInUse } from "../../src/repo/indexInUse.ts";
import { validateIndex } from "../../src/repo/validate.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { type Fixture, fixtureOf, pathsFound, writeFiles } from "../filter/fixtureRepository.ts";

const FILES = {
	...Object.fromEntries(Array.from({ length: 20 }, (_, file) => [`f${file}.ts`, `// ${"a".repeat(200)} ${file}\n`])),
	"needle.ts": "export const needle = 1;\n",
};
/** Takes longer than its time budget, so that the index can change meanwhile. */
const SLOW = "/(a+)+~/";

async function withFixture(body: (fixture: Fixture) => Promise<void>): Promise<void> {
	const fixture = await fixtureOf(FILES, { freshnessMs: 1e9 });
	try {
		await body(fixture);
	} finally {
		await fixture.remove();
	}
}

async function edit({ root, cacheRoot }: Fixture, round: number): Promise<void> {
	writeFiles(root, { [`f${round % 20}.ts`]: `// ${"a".repeat(200)} edit ${round}\n` });
	await updateIndex({ root, folder: openIndexFolder(cacheRoot, root) });
}

test("a slow search is answered although the index changes all the time", { timeout: 120_000 }, () =>
	withFixture(async (fixture) => {
		let isDone = false;
		const searching = fixture.repository.search({ query: SLOW }).finally(() => {
			isDone = true;
		});
		for (let round = 0; !isDone; round++) {
			await edit(fixture, round);
			await wait(20);
		}
		const { warnings } = await searching;
		assert.deepEqual(
			warnings.map(({ code }) => code),
			["regex_budget"],
		);
	}),
);

test("an expression is answered from the generation that its search began with, also where its threads come too late for it", () =>
	withFixture(async (fixture) => {
		const inUse = new IndexInUse(openIndexFolder(fixture.cacheRoot, fixture.root));
		const runner = startRegexRunner();
		try {
			await inUse.still(async (index) => {
				writeFiles(fixture.root, { "needle.ts": "export const another = 1;\n" });
				// Enough for the segment that had it to be merged.
				for (let round = 0; round < 20; round++) await edit(fixture, round);
				const parsed = parseQuery("/nee+dle/");
				const allowed = new Uint8Array(index.snapshot.docs).fill(1);
				const outcomes = await runExpressions(parsed, index, allowed, runner, [], undefined);
				const paths = [...outcomes.values()].flatMap(({ matches }) =>
					[...matches.keys()].map((target) => index.snapshot.files[target]?.path),
				);
				assert.deepEqual(paths, ["needle.ts"]);
			});
		} finally {
			await runner.close();
			inUse.close();
		}
	}));

test("a search whose index is replaced while it waits is answered", { timeout: 120_000 }, () =>
	withFixture(async ({ root, cacheRoot, repository }) => {
		await pathsFound(repository, { query: "needle" });
		const searching = repository.search({ query: `needle OR ${SLOW}` });
		await buildIndex({ root, folder: openIndexFolder(cacheRoot, root) });
		const validating = repository.validate();
		const status = repository.status();
		await buildIndex({ root, folder: openIndexFolder(cacheRoot, root) });
		assert.deepEqual(await pathsFound(repository, { query: "needle" }), ["needle.ts"], "this opens the new index");
		assert.equal((await searching).hits[0]?.path, "needle.ts");
		assert.deepEqual((await validating).problems, []);
		assert.equal((await status).files, 21);
	}),
);

test("an index that is removed and built again under the same name is the one that is searched", () =>
	withFixture(async ({ root, cacheRoot, repository }) => {
		const folder = openIndexFolder(cacheRoot, root);
		assert.deepEqual(await pathsFound(repository, { query: "needle" }), ["needle.ts"]);
		writeFiles(root, { "needle.ts": "export const another = 1;\n" });
		const elsewhere = openIndexFolder(`${cacheRoot}-elsewhere`, root);
		await buildIndex({ root, folder: elsewhere });
		const before = folder.current();
		rmSync(folder.path, { recursive: true });
		renameSync(elsewhere.path, folder.path);
		assert.equal(folder.current(), before);
		assert.deepEqual(await pathsFound(repository, { query: "another" }), ["needle.ts"]);
	}));

test("an index is sound while segments are merged under the validation", () =>
	withFixture(async (fixture) => {
		const inUse = new IndexInUse(openIndexFolder(fixture.cacheRoot, fixture.root));
		for (let round = 0; round < 5; round++) await edit(fixture, round);
		const report = await inUse.still(async (index) => {
			for (let round = 5; round < 20; round++) await edit(fixture, round);
			return validateIndex(index);
		});
		assert.deepEqual(report.problems, []);
		assert.equal(report.ok, true);
	}));
