import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BuildOptions } from "../../src/index/build.ts";
import { buildIndex } from "../../src/index/indexer.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import type { OpenOptions, Repository } from "../../src/repo/repository.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";

export type Fixture = {
	readonly root: string;
	readonly cacheRoot: string;
	readonly repository: Repository;
	remove(): Promise<void>;
};

/** Creates a folder with the given files and indexes it in this process. */
export async function fixtureOf(
	files: Readonly<Record<string, string>>,
	options: OpenOptions & BuildOptions & { readonly history?: (root: string) => void } = {},
): Promise<Fixture> {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "pairofcleats-")));
	const root = join(base, "repo");
	const cacheRoot = join(base, "cache");
	mkdirSync(root);
	writeFiles(root, files);
	options.history?.(root);
	await buildIndex({
		root,
		folder: openIndexFolder(cacheRoot, root),
		...(options.blame === true && { build: { blame: true } }),
		...(options.recordsDir !== undefined && { recordsDir: options.recordsDir }),
	});
	const repository = openRepository(root, { cacheRoot, model: null, ...options });
	return {
		root,
		cacheRoot,
		repository,
		remove: async () => {
			await repository.close();
			rmSync(base, { recursive: true, force: true });
		},
	};
}

export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
}

/** Runs git without any of the machine's settings. */
export function git(root: string, ...args: string[]): void {
	execFileSync("git", args, {
		cwd: root,
		stdio: "ignore",
		env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
	});
}

export function commit(root: string, author: string, date: string, paths: readonly string[] = ["."]): void {
	git(root, "add", ...paths);
	const identity = ["-c", `user.name=${author}`, "-c", `user.email=${author.replaceAll(" ", ".")}@example.com`];
	execFileSync("git", [...identity, "commit", "-q", "-m", `Change by ${author}`], {
		cwd: root,
		stdio: "ignore",
		env: {
			PATH: process.env.PATH,
			HOME: root,
			GIT_CONFIG_NOSYSTEM: "1",
			GIT_CONFIG_GLOBAL: "/dev/null",
			GIT_AUTHOR_DATE: date,
			GIT_COMMITTER_DATE: date,
		},
	});
}

/** Distinct paths of the hits, in order. */
export async function pathsFound(
	repository: Repository,
	request: Parameters<Repository["search"]>[0],
): Promise<string[]> {
	const { hits } = await repository.search({ top: 50, ...request });
	return [...new Set(hits.map(({ path }) => path))];
}

/** Names of the hits, sorted. */
export async function namesFound(
	repository: Repository,
	request: Parameters<Repository["search"]>[0],
): Promise<string[]> {
	const { hits } = await repository.search({ top: 50, ...request });
	return hits
		.map(({ name }) => name)
		.filter((name) => name !== "")
		.sort();
}
