import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { Progress } from "../../src/index/build.ts";
import { buildIndex } from "../../src/index/indexer.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { openReader } from "../../src/store/sqliteReader.ts";

test("files are indexed while git reads the history, which is told of once it is all that is left", {
	timeout: 120_000,
}, async (t) => {
	const { base, root } = repository(t);
	const allIndexed = join(base, "all-indexed");
	slowHistory(t, base, "--numstat", `until test -e '${allIndexed}'; do sleep 0.05; done`);
	const heard: Progress[] = [];
	const folder = openIndexFolder(join(base, "cache"), root);
	await buildIndex({
		root,
		folder,
		onProgress: (progress) => {
			heard.push(progress);
			if (progress.phase === "index" && progress.done === progress.total) writeFileSync(allIndexed, "");
		},
	});
	assert.deepEqual(
		heard.map(({ phase, done }) => [phase, done]),
		[
			["index", 1],
			["index", 2],
			["git", 1],
		],
	);
	assert.equal(heard.at(-1)?.message, "Reading the history: commit 1.");
	const reader = openReader(folder.current() ?? "");
	t.after(() => reader.close());
	assert.deepEqual(JSON.parse(reader.meta("git") ?? ""), {
		"a.ts": ["Ada", 1_000, 1, [1]],
		"b.ts": ["Ada", 1_000, 1, [1]],
	});
});

for (const [part, option] of [
	["what the commits changed", "--name-status"],
	["how many lines", "--numstat"],
] as const) {
	test(`an abandoned build ends the reading of the history too, while git tells ${part}`, {
		timeout: 120_000,
	}, async (t) => {
		const { base, root } = repository(t);
		const [begun, ended] = [join(base, "begun"), join(base, "ended")];
		const script = `trap "touch '${ended}'; exit 1" TERM; touch '${begun}'; while :; do sleep 0.05; done`;
		slowHistory(t, base, option, script);
		const stop = new AbortController();
		const folder = openIndexFolder(join(base, "cache"), root);
		const building = buildIndex({ root, folder, signal: stop.signal });
		building.catch(() => {});
		while (!existsSync(begun)) await wait(20, undefined, { signal: t.signal });
		stop.abort(new Error("no longer wanted"));
		await assert.rejects(building, /no longer wanted/);
		while (!existsSync(ended)) await wait(20, undefined, { signal: t.signal });
		assert.equal(folder.current(), undefined);
	});
}

test("a build that was interrupted at another commit does not keep the authors of that time", {
	timeout: 120_000,
}, async (t) => {
	const { base, root } = repository(t);
	const mayEnd = join(base, "may-end");
	slowHistory(t, base, "--numstat", `until test -e '${mayEnd}'; do sleep 0.05; done`);
	const folder = openIndexFolder(join(base, "cache"), root);
	const stop = new AbortController();
	const onProgress = ({ phase, done, ...of }: Progress): void => {
		if (phase === "index" && "total" in of && done === of.total) stop.abort(new Error("interrupted"));
	};
	const interrupted = buildIndex({ root, folder, build: { blame: true }, onProgress, signal: stop.signal });
	await assert.rejects(interrupted, /interrupted/);
	const author = ["-c", "user.name=Bea", "-c", "user.email=b@b.c"];
	execFileSync("git", [...author, "commit", "--amend", "--reset-author", "-qm", "hers"], { cwd: root });
	writeFileSync(mayEnd, "");
	await buildIndex({ root, folder, build: { blame: true } });
	const found = openRepository(root, { cacheRoot: join(base, "cache"), model: null });
	t.after(() => found.close());
	const { hits } = await found.search({ query: "export", chunkAuthor: "Bea" });
	assert.deepEqual(hits.map(({ path }) => path).sort(), ["a.ts", "b.ts"]);
});

function repository(t: TestContext): { base: string; root: string } {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "cleats-beside-")));
	t.after(() => rmSync(base, { recursive: true, force: true }));
	const root = join(base, "repo");
	mkdirSync(root);
	for (const name of ["a", "b"]) writeFileSync(join(root, `${name}.ts`), `export const ${name} = 1;\n`);
	const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null" };
	const dates = { GIT_AUTHOR_DATE: "@1000 +0000", GIT_COMMITTER_DATE: "@1000 +0000" };
	const author = ["-c", "user.name=Ada", "-c", "user.email=a@b.c"];
	for (const args of [
		["init", "-q"],
		["add", "."],
		[...author, "commit", "-qm", "first"],
	])
		execFileSync("git", args, { cwd: root, env: { ...env, ...dates } });
	return { base, root };
}

/** Puts a git on the path that runs a script before it reads a history with an option. */
function slowHistory(t: TestContext, base: string, option: string, script: string): void {
	const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
	const bin = join(base, "bin");
	mkdirSync(bin);
	const text = `#!/bin/sh\ncase " $* " in *" ${option} "*) ${script};; esac\nexec '${git}' "$@"\n`;
	writeFileSync(join(bin, "git"), text, { mode: 0o755 });
	const { PATH } = process.env;
	process.env.PATH = `${bin}:${PATH}`;
	t.after(() => {
		process.env.PATH = PATH;
	});
}
