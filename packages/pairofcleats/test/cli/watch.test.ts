import assert from "node:assert/strict";
import { existsSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import type { Repository } from "../../src/repo/repository.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { takeWriteLock } from "../../src/store/writeLock.ts";
import { commit, git, writeFiles } from "../filter/fixtureRepository.ts";
import { type Ran, runCaptured } from "./captured.ts";

const HINDERED = /^warning: the answer may lack the latest changes: another process \(pid \d+/;

/** Far longer than anything here takes, since the machine can be busy. */
const PATIENCE_MS = 60_000;

describe("index watch", () => {
	let base: string;
	const outer = process.env.PAIROFCLEATS_CACHE_ROOT;
	before(() => {
		base = realpathSync(mkdtempSync(join(tmpdir(), "pairofcleats-watch-")));
		process.env.PAIROFCLEATS_CACHE_ROOT = join(base, "cache");
	});
	after(() => {
		if (outer === undefined) delete process.env.PAIROFCLEATS_CACHE_ROOT;
		else process.env.PAIROFCLEATS_CACHE_ROOT = outer;
		rmSync(base, { recursive: true, force: true });
	});

	/** Watches a repository with two branches; `finds` reads the index as it is, without checking the disk. */
	async function watched(name: string, work: (of: Watched) => Promise<void>, locked = false): Promise<Ran> {
		const root = join(base, name);
		writeFiles(root, { "kept.ts": declared("kept"), "gone.ts": declared("gone"), "named.ts": declared("named") });
		git(root, "init", "-q", "-b", "main");
		commit(root, "Ada", "2024-01-01T00:00:00Z");
		git(root, "checkout", "-q", "-b", "other");
		writeFiles(root, { "branch.ts": declared("onTheOther") });
		commit(root, "Ada", "2024-01-02T00:00:00Z");
		git(root, "checkout", "-q", "main");
		const folder = openIndexFolder(join(base, "cache"), root).path;
		const lock = locked ? await takeWriteLock(folder) : undefined;
		const repository = openRepository(root, { cacheRoot: join(base, "cache"), model: null });
		const controller = new AbortController();
		const told: string[] = [];
		const watching = runCaptured(["index", "watch", "--repo", root], {
			interrupted: controller.signal,
			error: (line) => void told.push(line),
		});
		try {
			await work({ root, folder, repository, unlock: () => lock?.release(), told });
		} finally {
			controller.abort();
			await repository.close();
		}
		return { ...(await watching), errors: told };
	}

	test("every edit is indexed, during the first build and after it, without a search", async () => {
		const { code, lines, errors } = await watched("edits", async ({ root, folder, repository }) => {
			const named = places(repository);
			await until(() => existsSync(join(folder, "lock.json")), "the first build begins");
			writeFiles(root, { "made.ts": declared("made"), "kept.ts": declared("changed") });
			renameSync(join(root, "named.ts"), join(root, "renamed.ts"));
			rmSync(join(root, "gone.ts"));
			git(root, "checkout", "-q", "other");
			await until(async () => (await named("made")) === "made.ts", "a file made during it");
			await until(async () => (await named("changed")) === "kept.ts", "a file changed during it");
			await until(async () => (await named("named")) === "renamed.ts", "a file renamed during it");
			await until(async () => (await named("gone")) === "", "a file removed during it");
			await until(async () => (await named("onTheOther")) === "branch.ts", "a branch checked out during it");

			writeFiles(root, { "deep/er/later.ts": declared("later") });
			await until(async () => (await named("later")) === "deep/er/later.ts", "a file made");
			writeFiles(root, { "deep/er/later.ts": declared("alter") });
			await until(async () => (await named("alter")) === "deep/er/later.ts", "a file changed");
			renameSync(join(root, "deep"), join(root, "down"));
			await until(async () => (await named("alter")) === "down/er/later.ts", "a folder renamed");
			rmSync(join(root, "down"), { recursive: true });
			await until(async () => (await named("alter")) === "", "a folder removed");
			git(root, "checkout", "-q", "main", "--force");
			await until(async () => (await named("onTheOther")) === "", "a branch checked out");
			git(root, "checkout", "-q", "-b", "third");
			await until(async () => (await repository.status()).branch === "third", "a branch of the same files");
			commit(root, "Grace", "2024-01-03T00:00:00Z");
			await until(async () => (await named("made", { author: "Grace" })) === "made.ts", "a commit of the same files");
		});
		assert.deepEqual({ code, errors }, { code: 0, errors: [] });
		assert.match(lines[0] ?? "", /^\d{4}-\d\d-\d\dT[\d:.]+Z files: \d indexed, 0 removed$/);
	});

	test("the watch waits while another process writes the index", async () => {
		const { code } = await watched(
			"locked",
			async ({ root, folder, repository, unlock, told }) => {
				const named = places(repository);
				const searching = runCaptured(["search", "kept", "--repo", root, "--compact"]);
				await wait(2_000);
				assert.equal(repository.indexed(), false);
				unlock();
				assert.deepEqual((await searching).lines, ["kept.ts:1-1  function kept"]);
				await until(async () => (await named("kept")) === "kept.ts", "the first build");
				const second = await takeWriteLock(folder, PATIENCE_MS);
				writeFiles(root, { "made.ts": declared("made") });
				await until(() => told.length > 0, "what hinders the update");
				assert.match(told[0] ?? "", HINDERED);
				second.release();
				await until(async () => (await named("made")) === "made.ts", "an edit after a refused update");
			},
			true,
		);
		assert.equal(code, 0);
	});
});

type Watched = {
	readonly root: string;
	readonly folder: string;
	readonly repository: Repository;
	unlock(): void;
	readonly told: string[];
};

function declared(name: string): string {
	return `export function ${name}() {}\n`;
}

/** Finds the path of a named function in the index as it is; empty if there is none. */
function places(repository: Repository): (name: string, filters?: { author: string }) => Promise<string> {
	return async (name, filters = { author: "" }) => {
		if (!repository.indexed()) return "";
		const request = { query: name, mode: "code", ...(filters.author !== "" && filters) } as const;
		const { result } = await repository.searchFrom({ version: "", checkedAt: "" }, request);
		return result.hits.find((hit) => hit.name === name)?.path ?? "";
	};
}
