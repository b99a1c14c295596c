import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { buildIndex } from "../../src/index/indexer.ts";
import { openIndex } from "../../src/repo/openIndex.ts";
import { Freshness } from "../../src/repo/refresh/freshness.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { takeWriteLock } from "../../src/store/writeLock.ts";
import { RecordStore } from "../../src/triage/recordStore.ts";
import { type LoadedEmbedder, loadEmbedder } from "../../src/vectors/loadEmbedder.ts";
import { commit, type Fixture, fixtureOf, git, writeFiles } from "../filter/fixtureRepository.ts";

async function withFixture(freshnessMs: number, body: (fixture: Fixture) => Promise<void>): Promise<void> {
	const fixture = await fixtureOf(
		{ "a.ts": "export const first = 1;\n", "b.ts": "export const other = 2;\n" },
		{ freshnessMs },
	);
	try {
		await body(fixture);
	} finally {
		await fixture.remove();
	}
}

/** On a slow machine, the first answers can come before the edit is indexed, but none waits for it. */
async function isSeenAtOnce({ repository }: Fixture, word: string, path: string): Promise<boolean> {
	for (let tries = 0; tries < 5; tries++) {
		const { hits } = await repository.search({ query: word });
		if (hits[0]?.path === path) return true;
	}
	return false;
}

/** Needs a fixture in which no check is due by age, so that an edit is seen only when a watcher reports it. */
async function untilWatched({ root, repository }: Fixture): Promise<void> {
	await repository.search({ query: "first" });
	// The first edit may be seen by the comparison that begins the watching.
	for (const word of ["zebra", "quokka"]) {
		writeFiles(root, { "a.ts": `export const ${word} = 1;\n` });
		await until(async () => (await repository.search({ query: word })).hits.length > 0);
	}
}

/** Whether a word is found first in this file; on a slow machine, the answer can have a warning instead. */
async function isRightOrWarned({ repository }: Fixture, word: string, path: string): Promise<boolean> {
	const { hits, warnings } = await repository.search({ query: word });
	return hits[0]?.path === path || warnings.some(({ code }) => code === "index_stale");
}

test("each of two changes in quick succession is in the next answer, or the answer warns", { timeout: 120_000 }, () =>
	withFixture(1e9, async (fixture) => {
		await untilWatched(fixture);
		const move = (from: string, to: string): void => renameSync(join(fixture.root, from), join(fixture.root, to));
		for (let round = 0; round < 5; round++) {
			move("b.ts", "renamed.ts");
			assert.ok(await isRightOrWarned(fixture, "other", "renamed.ts"), `renamed, round ${round}`);
			move("renamed.ts", "b.ts");
			assert.ok(await isRightOrWarned(fixture, "other", "b.ts"), `renamed back, round ${round}`);
		}
	}),
);

test(
	"an edit in a folder that was just made or renamed is in the next answer, or the answer warns",
	{
		timeout: 120_000,
	},
	() =>
		withFixture(1e9, async (fixture) => {
			await untilWatched(fixture);
			const { root, repository } = fixture;
			const isSeen = (word: string): Promise<boolean> => {
				writeFiles(root, { "folder/c.ts": `export const ${word} = 1;\n` });
				return isRightOrWarned(fixture, word, "folder/c.ts");
			};
			for (const round of ["alpha", "beta", "gamma"]) {
				assert.ok(await isSeen(`made${round}`), `made, round ${round}`);
				assert.ok(await isSeen(`edited${round}`), `edited, round ${round}`);
				renameSync(join(root, "folder"), join(root, "away"));
				renameSync(join(root, "away"), join(root, "folder"));
				await repository.search({ query: "first" });
				assert.ok(await isSeen(`renamed${round}`), `renamed, round ${round}`);
				rmSync(join(root, "folder"), { recursive: true });
			}
		}),
);

test("a long-running process sees everything written before the search", { timeout: 120_000 }, () =>
	withFixture(1e9, async (fixture) => {
		const isSeen = (word: string, path: string): Promise<boolean> => {
			writeFiles(fixture.root, { [path]: `export const ${word} = 1;\n` });
			return isSeenAtOnce(fixture, word, path);
		};
		await untilWatched(fixture);
		for (let edit = 0; edit < 10; edit++) assert.ok(await isSeen(`edited${edit}Word`, "a.ts"), `edit ${edit}`);
		assert.ok(await isSeen("addedWord", "added.ts"), "a new file");
	}),
);

test("a record that was just stored is in the next answer, or the answer warns", { timeout: 120_000 }, async (t) => {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "cleats-records-")));
	t.after(() => rmSync(base, { recursive: true }));
	const recordsDir = join(base, "records");
	const fixture = await fixtureOf({ "a.ts": "export const first = 1;\n" }, { freshnessMs: 1e9, recordsDir });
	await untilWatched(fixture);
	const store = new RecordStore(recordsDir);
	for (const [id, word] of [
		["1", "gizmo"],
		["2", "widget"],
		["3", "numbat"],
	] as const) {
		store.putFinding({
			recordId: `finding-${id.repeat(32)}`,
			recordType: "finding",
			source: "manual",
			createdAt: "2024-01-01T00:00:00.000Z",
			updatedAt: "2024-01-01T00:00:00.000Z",
			vuln: { vulnId: id, title: word, severity: "low" },
			warnings: [],
		});
		const { hits, warnings } = await fixture.repository.search({ query: word, mode: "records" });
		assert.ok(hits.length === 1 || warnings.some(({ code }) => code === "index_stale"), word);
		await until(async () => (await fixture.repository.search({ query: word, mode: "records" })).hits.length === 1);
	}
	await fixture.remove();
});

test("the second answer has what changed since the first, though no folder is watched yet, or it warns", () =>
	withFixture(1e9, async (fixture) => {
		const { checkedAt } = await fixture.repository.search({ query: "first" });
		writeFiles(fixture.root, { "c.ts": "export const addedLater = 3;\n" });
		assert.ok(await isRightOrWarned(fixture, "addedLater", "c.ts"));
		let found = await fixture.repository.search({ query: "addedLater" });
		// A slow machine can answer before the scan is done; the next answer then includes the file.
		for (let tries = 0; tries < 40 && found.hits.length === 0; tries++) {
			await wait(100);
			found = await fixture.repository.search({ query: "addedLater" });
		}
		assert.equal(found.hits[0]?.path, "c.ts");
		assert.ok(found.checkedAt > checkedAt);
	}));

test("searches during changes see either the old state or the new one", () =>
	withFixture(0, async (fixture) => {
		for (let round = 0; round < 5; round++) {
			writeFiles(fixture.root, {
				"a.ts": `export const pairedWord = ${round};\n`,
				"b.ts": `export const pairedWord = ${round};\n// round ${round} differs\n`,
			});
			const answers = await Promise.all(
				Array.from({ length: 6 }, () => fixture.repository.search({ query: "pairedWord" })),
			);
			for (const { hits } of answers)
				assert.deepEqual([...new Set(hits.map(({ path }) => path))].sort(), ["a.ts", "b.ts"]);
		}
		rmSync(join(fixture.root, "b.ts"));
		assert.deepEqual(
			(await fixture.repository.search({ query: "pairedWord" })).hits.map(({ path }) => path),
			["a.ts"],
		);
	}));

test("while another process writes, a search uses the existing index and warns that it may be outdated", () =>
	withFixture(0, async (fixture) => {
		const lock = await takeWriteLock(openIndexFolder(fixture.cacheRoot, fixture.root).path);
		writeFiles(fixture.root, { "a.ts": "export const changed = 1;\n" });
		const { hits, warnings } = await fixture.repository.search({ query: "first" });
		assert.equal(hits[0]?.path, "a.ts");
		assert.deepEqual(
			warnings.map(({ code }) => code),
			["index_stale"],
		);
		lock.release();
		const after = await fixture.repository.search({ query: "changed" });
		assert.equal(after.hits[0]?.path, "a.ts");
		assert.deepEqual(after.warnings, []);
	}));

test("an answer that cannot wait until changes are read says that it may lack them", async () => {
	const { root, cacheRoot, remove } = await fixtureOf({ "a.ts": "export const first = 1;\n" });
	const folder = openIndexFolder(cacheRoot, root);
	const { embedder } = await loadEmbedder(undefined);
	assert.ok(embedder);
	await buildIndex({ root, folder, embedder });
	const file = folder.current() ?? "";
	let open = openIndex(file);
	const model = Promise.withResolvers<LoadedEmbedder>();
	const freshness = new Freshness({
		root,
		folder,
		maxAgeMs: 2_000,
		index: () => {
			open = open.refresh();
			return open;
		},
		loadModel: () => model.promise,
		updateInChild: () => assert.fail("one file is indexed in this process"),
	});
	const warned = async (): Promise<string | undefined> => (await freshness.check()).warning?.code;
	assert.equal(await warned(), undefined);
	writeFiles(root, { "a.ts": "export const changed = 1;\n" });
	freshness.reset();
	assert.equal(await warned(), "index_stale");
	assert.equal(await warned(), "index_stale");
	const before = open.snapshot.generation;
	model.resolve({});
	await until(async () => (await warned()) === undefined);
	open = open.refresh();
	assert.ok(open.snapshot.generation > before, "the change is in the index");
	await freshness.close();
	open.close();
	await remove();
});

test("every answer says that it lacks a large change until that is indexed", { timeout: 120_000 }, () =>
	withFixture(1, async (fixture) => {
		const warned = async (): Promise<string[]> =>
			(await fixture.repository.search({ query: "gadget" })).warnings.map(({ code }) => code);
		assert.deepEqual(await warned(), []);
		const lock = await takeWriteLock(openIndexFolder(fixture.cacheRoot, fixture.root).path);
		writeFiles(
			fixture.root,
			Object.fromEntries(Array.from({ length: 150 }, (_, file) => [`f${file}.ts`, `export const gadget = ${file};\n`])),
		);
		for (let answer = 0; answer < 8; answer++) {
			assert.deepEqual(await warned(), ["index_stale"], `answer ${answer}`);
			await wait(50);
		}
		await until(async () =>
			(await fixture.repository.search({ query: "gadget" })).warnings.some(({ message }) =>
				/150 files have changed; another process \(pid \d+\) is writing the index$/.test(message),
			),
		);
		lock.release();
		await until(async () => (await warned()).length === 0);
		assert.notEqual((await fixture.repository.search({ query: "gadget" })).hits.length, 0);
	}),
);

test("a build in a child process reports progress, can be cancelled, and is then completed", { timeout: 120_000 }, () =>
	withFixture(1e9, async (fixture) => {
		const files = Object.fromEntries(
			Array.from({ length: 400 }, (_, file) => [`many/f${file}.txt`, `text of file ${file}\n`.repeat(200)]),
		);
		writeFiles(fixture.root, files);
		const controller = new AbortController();
		let seen = 0;
		await assert.rejects(
			fixture.repository.buildIndex(
				{},
				() => {
					seen += 1;
					controller.abort();
				},
				controller.signal,
			),
			{ code: "CANCELLED" },
		);
		assert.ok(seen >= 1);
		assert.equal(
			(await fixture.repository.search({ query: "first" })).hits[0]?.path,
			"a.ts",
			"the old index is still in use",
		);
		const report = await fixture.repository.buildIndex();
		assert.equal(report.files.indexed, 402);
		assert.equal((await fixture.repository.status()).files, 402);
	}),
);

test("a commit that changes no file is seen by the filters that ask git", async () => {
	const fixture = await fixtureOf(
		{ "kept.ts": "export const gizmo = 1;\n", "fresh.ts": "export const gizmo = 2;\n" },
		{
			freshnessMs: 0,
			history: (root) => {
				git(root, "init", "-q", "-b", "main");
				commit(root, "Jane Doe", "2024-01-01T00:00:00Z", ["kept.ts"]);
			},
		},
	);
	const by = async (author: string): Promise<string[]> =>
		(await fixture.repository.search({ query: "gizmo", author })).hits.map(({ path }) => path);
	assert.deepEqual(await by("Jane"), ["kept.ts"]);
	assert.deepEqual(await by("Ravi"), []);
	commit(fixture.root, "Ravi Iyer", "2024-02-01T00:00:00Z");
	assert.deepEqual(await by("Ravi"), ["fresh.ts"]);
	await fixture.remove();
});

test("what only git knows of its references is seen by the filters that ask it", async () => {
	const fixture = await fixtureOf(
		{ "kept.ts": "export const gizmo = 1;\n", "fresh.ts": "export const gizmo = 2;\n" },
		{
			freshnessMs: 0,
			history: (root) => {
				git(root, "init", "-q", "-b", "main");
				commit(root, "Jane Doe", "2024-01-01T00:00:00Z", ["kept.ts"]);
			},
		},
	);
	const { root, repository } = fixture;
	const found = async (filter: { author?: string; branch?: string }): Promise<string[]> =>
		(await repository.search({ query: "gizmo", ...filter })).hits.map(({ path }) => path).sort();
	assert.deepEqual(await found({ branch: "main" }), ["fresh.ts", "kept.ts"]);
	git(root, "checkout", "-q", "--orphan", "empty");
	assert.deepEqual(await found({ branch: "empty" }), ["fresh.ts", "kept.ts"]);
	assert.deepEqual(await found({ author: "Jane" }), []);
	// A reference that is no branch is not read from the files.
	git(root, "symbolic-ref", "HEAD", "refs/other/place");
	commit(root, "Ravi Iyer", "2024-02-01T00:00:00Z");
	assert.deepEqual(await found({ author: "Ravi" }), ["fresh.ts", "kept.ts"]);
	renameSync(join(root, ".git"), join(root, "..", "gone"));
	const { hits, warnings } = await repository.search({ query: "gizmo", author: "Ravi" });
	assert.deepEqual([hits.length, warnings.map(({ code }) => code)], [0, ["filter_without_data"]]);
	await fixture.remove();
});

test("every answer says that it lacks the authors of a large commit until they are known", {
	timeout: 120_000,
}, async () => {
	const files = Array.from({ length: 120 }, (_, file) => [`f${file}.ts`, `export const gadget${file} = 1;\n`]);
	const fixture = await fixtureOf(
		{ "a.ts": "export const first = 1;\n", ...Object.fromEntries(files) },
		{
			freshnessMs: 1,
			blame: true,
			history: (root) => {
				git(root, "init", "-q", "-b", "main");
				commit(root, "Jane Doe", "2024-01-01T00:00:00Z", ["a.ts"]);
				git(root, "add", ".");
			},
		},
	);
	const asked = { query: "gadget7", chunkAuthor: "Ravi" };
	assert.deepEqual((await fixture.repository.search({ query: "gadget7" })).warnings, []);
	commit(fixture.root, "Ravi Iyer", "2024-02-01T00:00:00Z");
	const told = new Set<string>();
	await until(async () => {
		const { hits, warnings } = await fixture.repository.search(asked);
		const stale = warnings.filter(({ code }) => code === "index_stale");
		assert.ok(hits.length > 0 || stale.length > 0, "an answer without the authors warns");
		for (const { message } of stale) told.add(message);
		return hits.length > 0;
	});
	assert.ok(
		[...told].some((message) => message.includes("120 files have changed or been committed")),
		[...told].join(),
	);
	await fixture.remove();
});

test("lines of a file whose name has a line break are shown", async () => {
	const fixture = await fixtureOf({ "new\nline.ts": "export const a = 1;\nexport const b = 2;\n" });
	assert.equal((await fixture.repository.show("new\nline.ts:2")).text, "export const b = 2;");
	await fixture.remove();
});

test("a path is shown only from the index, so none leads out of the repository", () =>
	withFixture(1e9, async (fixture) => {
		assert.equal((await fixture.repository.show("a.ts")).text, "export const first = 1;");
		for (const path of ["../secret", "/etc/passwd", "a.ts/../../x", "absent.ts"]) {
			await assert.rejects(fixture.repository.show(path), { code: "NOT_FOUND" }, path);
		}
		for (const place of ["a.ts:1", "a.ts:1-1", "./a.ts:1:8"]) {
			const { path, startLine, endLine } = await fixture.repository.show(place);
			assert.deepEqual([path, startLine, endLine], ["a.ts", 1, 1], place);
		}
		await assert.rejects(fixture.repository.show("absent.ts:1"), { code: "NOT_FOUND", message: /got "absent.ts"/ });
		await assert.rejects(fixture.repository.show("a.ts", { start: 5, end: 9 }), {
			code: "INVALID_REQUEST",
			message: "startLine: expected a line from 1 to 1, got 5",
		});
	}));
