import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { buildIndex } from "../../src/index/indexer.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { writeFiles } from "../filter/fixtureRepository.ts";

/** Kills builds and updates after a random time; each time, the index must be valid, either old or new. */
export async function killRounds(rounds: number, random: () => number): Promise<{ killed: number }> {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "pairofcleats-kill-")));
	const root = join(base, "repo");
	const cacheRoot = join(base, "cache");
	mkdirSync(root);
	let killed = 0;
	let span = 1_500;
	try {
		for (let round = 0; round < rounds; round++) {
			writeFiles(root, filesOf(round));
			// Every fourth round begins without an index.
			if (round % 4 === 0) rmSync(cacheRoot, { recursive: true, force: true });
			const threads = round % 2 === 0 ? "1" : "2";
			const child = fork(new URL("./killedBuild.ts", import.meta.url), [root, cacheRoot, threads], {
				execArgv: ["--disable-warning=ExperimentalWarning"],
			});
			const exited = once(child, "exit");
			await once(child, "message");
			const started = performance.now();
			await Promise.race([exited, wait(random() * span)]);
			child.kill("SIGKILL");
			const [, signal] = await exited;
			if (signal === "SIGKILL") killed += 1;
			else span = performance.now() - started;
			await checkSound(root, cacheRoot, round);
		}
		return { killed };
	} finally {
		rmSync(base, { recursive: true, force: true });
	}
}

function filesOf(round: number): Record<string, string> {
	const files: Record<string, string> = {};
	for (let file = 0; file < 60; file++) {
		const changed = (file + round) % 3 === 0 ? round : 0;
		files[`src/part${file}.txt`] = Array.from(
			{ length: 40 },
			(_, line) => `word${file} line${line} version${changed}`,
		).join("\n");
	}
	return files;
}

async function checkSound(root: string, cacheRoot: string, round: number): Promise<void> {
	const repository = openRepository(root, { cacheRoot, model: null, freshnessMs: 1e9 });
	try {
		if (repository.indexed()) {
			assert.deepEqual((await repository.validate()).problems, [], `round ${round}: the index left behind`);
			assert.equal((await repository.search({ query: "word7" })).hits[0]?.path, "src/part7.txt");
		}
	} finally {
		await repository.close();
	}
	await buildOrUpdate(root, cacheRoot);
	const after = openRepository(root, { cacheRoot, model: null, freshnessMs: 0 });
	try {
		assert.deepEqual((await after.validate()).problems, [], `round ${round}: the index completed`);
		assert.deepEqual((await after.status()).stale, { changed: 0, added: 0, removed: 0 });
		// A third of the files contain the words of this round and of no other.
		const { totals } = await after.search({ query: `"version${round}"`, mode: "all" });
		if (round > 0) assert.equal(totals.files, 20, `round ${round}: files with its words`);
		assert.equal((await after.status()).files, 60);
	} finally {
		await after.close();
	}
}

async function buildOrUpdate(root: string, cacheRoot: string): Promise<void> {
	const folder = openIndexFolder(cacheRoot, root);
	const { updateIndex } = await import("../../src/index/indexer.ts");
	await (folder.current() === undefined ? buildIndex({ root, folder }) : updateIndex({ root, folder }));
}
