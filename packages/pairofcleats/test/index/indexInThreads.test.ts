import assert from "node:assert/strict";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { BuildReport, Progress } from "../../src/index/build.ts";
import { indexInThreads } from "../../src/index/indexChanged.ts";
import { buildIndex } from "../../src/index/indexer.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { openReader } from "../../src/store/sqliteReader.ts";
import { createIndex } from "../../src/store/sqliteWriter.ts";

const QUERIES = [
	"readRiskRules",
	"where are posting lists decoded",
	'"a segment holds"',
	"/class \\w+Error/",
	"varint",
];

test("an index built by several threads gives the same answers as one built by a single thread", async () => {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "pairofcleats-threads-")));
	const root = join(base, "repo");
	for (const folder of ["index", "parse", "segment", "store", "tokens"])
		cpSync(join(import.meta.dirname, "..", "..", "src", folder), join(root, folder), { recursive: true });
	try {
		const one = await answers(root, join(base, "one"), 1);
		const three = await answers(root, join(base, "three"), 3);
		assert.deepEqual(three.answered, one.answered);
		assert.ok(three.segments > one.segments, `${three.segments} segments of three threads`);
		for (const count of ["files", "chunks", "bytes"] as const)
			assert.deepEqual(three.report[count], one.report[count], count);
		assert.ok(three.last?.phase === "index");
		const { done, total, bytesDone, bytesTotal } = three.last;
		assert.deepEqual([done, bytesDone], [total, bytesTotal], "progress is told to its end");
	} finally {
		rmSync(base, { recursive: true, force: true });
	}
});

async function answers(
	root: string,
	cacheRoot: string,
	count: number,
): Promise<{ answered: unknown; segments: number; report: BuildReport; last: Progress | undefined }> {
	const folder = openIndexFolder(cacheRoot, root);
	let last: Progress | undefined;
	const onProgress = (progress: Progress): void => {
		last = progress;
	};
	const report = await buildIndex({ root, folder, threads: { count, model: null }, onProgress });
	const repository = openRepository(root, { cacheRoot, model: null, freshnessMs: 1e9 });
	try {
		assert.deepEqual((await repository.validate()).problems, []);
		const answered = [];
		for (const query of QUERIES) {
			const { hits, totals } = await repository.search({ query, mode: "all", output: "full", explain: true });
			answered.push({ query, hits, totals });
		}
		const reader = openReader(folder.current() ?? "");
		const segments = reader.segments().length;
		reader.close();
		return { answered, segments, report, last };
	} finally {
		await repository.close();
	}
}

test("a thread that finds another model fails the build with the reason", async () => {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "pairofcleats-threads-")));
	const job = { root: base, model: null, modelId: "another", rules: "", bytesTotal: 0, threads: 2 };
	try {
		await openIndexFolder(base, base).hold(async (held) => {
			const index = held.next();
			createIndex(index);
			await assert.rejects(
				indexInThreads([], { ...job, index }, () => {}),
				{ code: "INTERNAL", message: "the model changed while the index was being built; build it again" },
			);
		});
	} finally {
		rmSync(base, { recursive: true, force: true });
	}
});

test("a thread that dies fails the build, and no index counts as complete", async () => {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "pairofcleats-threads-")));
	const root = join(base, "repo");
	cpSync(join(import.meta.dirname, "..", "..", "src", "store"), root, { recursive: true });
	const folder = openIndexFolder(join(base, "cache"), root);
	const build = (): Promise<BuildReport> => buildIndex({ root, folder, threads: { count: 2, model: null } });
	// Simulates a thread that runs out of memory: it ends in the middle of its work.
	process.once("worker", (worker) => worker.once("message", () => void worker.terminate()));
	try {
		await assert.rejects(build(), { code: "INTERNAL", message: "a thread of the build ended early (1)" });
		assert.equal(folder.current(), undefined);
		const { files } = await build();
		assert.ok(files.indexed > 0);
		assert.notEqual(folder.current(), undefined, "the next build is complete");
	} finally {
		rmSync(base, { recursive: true, force: true });
	}
});
