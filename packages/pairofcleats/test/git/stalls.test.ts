import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { verifies } from "../../../../e2e/verifies.ts";
import { runGit } from "../../src/git/runGit.ts";
import { isAlive } from "../tools/workspace.ts";

/** What stands in the place of a file of the repository, and whether the listing of its files is left to git. */
const PIPES: readonly (readonly [path: string, source: "git" | "walk"])[] = [
	[".git/HEAD", "walk"],
	[".git/config", "walk"],
	[".git/config.worktree", "walk"],
	[".git/index", "walk"],
	[".git/packed-refs", "walk"],
	[".git/shallow", "walk"],
	[".git/commondir", "walk"],
	[".git/info/attributes", "walk"],
	[".git/info/exclude", "walk"],
	[".git/info/grafts", "walk"],
	[".git/objects/info/alternates", "walk"],
	[".git/objects/info/commit-graph", "walk"],
	[".git/objects/pack/multi-pack-index", "walk"],
	[".git/refs/heads/main", "walk"],
	[".git/refs/replace/0123456789abcdef0123456789abcdef01234567", "git"],
	[".gitattributes", "git"],
	[".mailmap", "git"],
	[".gitmodules", "git"],
];

for (const [path, source] of PIPES) {
	test(`a pipe in the place of ${path} stops neither the listing nor the history nor the authors`, {
		timeout: 120_000,
	}, async (t) => {
		const { root } = makePlace(t);
		const place = join(root, path);
		mkdirSync(dirname(place), { recursive: true });
		rmSync(place, { force: true });
		execFileSync("mkfifo", [place]);
		const found = await readInOwnProcess(root);
		assert.equal(found.source, source);
		assert.ok(found.paths.includes("a.ts"));
		if (source === "walk") assert.equal(found.unlisted, `${path} is a pipe, on which it would wait forever`);
	});
}

for (const [setting, target] of [
	["mailmap.file", "/dev/zero"],
	["mailmap.file", "pipe"],
	["core.attributesFile", "/dev/zero"],
	["core.attributesFile", "pipe"],
	["blame.ignoreRevsFile", "/dev/zero"],
	["blame.ignoreRevsFile", "pipe"],
	["core.excludesFile", "link"],
	["core.excludesFile", "/dev/zero"],
	["include.path", "/dev/zero"],
	["include.path", "pipe"],
] as const) {
	test(`a setting ${setting} that names ${target} stalls nothing, and no memory is filled`, {
		timeout: 120_000,
	}, async (t) => {
		const { base, root } = makePlace(t);
		const pipe = join(base, "pipe");
		execFileSync("mkfifo", [pipe]);
		symlinkSync(pipe, join(base, "link"));
		const value = target.startsWith("/") ? target : join(base, target);
		execFileSync("git", ["config", "--file", join(root, ".git/config"), setting, value]);
		const found = await readInOwnProcess(root);
		assert.ok(found.paths.includes("a.ts"));
		if (setting === "include.path") assert.equal(found.source, "walk");
		else assert.deepEqual([found.source, found.authors, found.blamed], ["git", ["Ada"], ["Ada"]]);
	});
}

verifies(
	"001-git-never-stalls",
	"a git that says nothing is ended with all that it started, and the call tells why",
	async (t) => {
		const { base, root } = makePlace(t);
		const pids = join(base, "pids");
		useGit(t, base, `#!/bin/sh\ntrap '' TERM\nsleep 600 &\necho "$$ $!" > '${pids}'\nwait\nwait\nsleep 600\n`);
		const outcome = await runGit(root, ["log"], { patience: { doubtMs: 200, silenceMs: 1_000 } });
		assert.deepEqual(outcome, { kind: "stalled", reason: "it said nothing for 1 s" });
		const started = readFileSync(pids, "utf8").trim().split(" ").map(Number);
		assert.deepEqual(started.map(isAlive), [false, false]);
	},
);

test("a git that goes on saying something is left alone, however long it takes", async (t) => {
	const { base, root } = makePlace(t);
	useGit(t, base, "#!/bin/sh\nfor n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $n; sleep 0.25; done\n");
	const outcome = await runGit(root, ["log"], { patience: { doubtMs: 500, silenceMs: 2_000 } });
	assert.deepEqual(outcome, { kind: "done", code: 0, stderr: "" });
});

function makePlace(t: TestContext): { base: string; root: string } {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "cleats-stalls-")));
	t.after(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
	const root = join(base, "root");
	mkdirSync(root);
	writeFileSync(join(root, "a.ts"), "1\n");
	const env = { PATH: process.env.PATH, HOME: base, GIT_CONFIG_NOSYSTEM: "1" };
	for (const args of [
		["init", "-q", "-b", "main"],
		["add", "."],
		["-c", "user.name=Ada", "-c", "user.email=a@b.c", "commit", "-qm", "first"],
	])
		execFileSync("git", args, { cwd: root, env });
	return { base, root };
}

function useGit(t: TestContext, base: string, text: string): void {
	const folder = join(base, "bin");
	mkdirSync(folder);
	writeFileSync(join(folder, "git"), text, { mode: 0o755 });
	const { PATH = "" } = process.env;
	process.env.PATH = `${folder}${delimiter}${PATH}`;
	t.after(() => {
		process.env.PATH = PATH;
	});
	assert.ok(existsSync(join(folder, "git")));
}

type Found = {
	readonly source: string;
	readonly unlisted?: string;
	readonly paths: readonly string[];
	readonly authors: readonly string[];
	readonly blamed: readonly string[];
};

/** In a process of its own, because a thread that reads a pipe cannot be stopped. */
async function readInOwnProcess(root: string): Promise<Found> {
	const module = (name: string): string => JSON.stringify(new URL(`../../src/${name}.ts`, import.meta.url).href);
	const script = `
		const { discoverFiles } = await import(${module("discover/discoverFiles")});
		const { takeLastingMarks } = await import(${module("discover/lastingMarks")});
		const { readGitHeads } = await import(${module("index/gitMeta")});
		const { readHistory } = await import(${module("git/gitHistory")});
		const { blameFiles } = await import(${module("git/blame")});
		const root = ${JSON.stringify(root)};
		const { source, unlisted, files } = await discoverFiles(root);
		await takeLastingMarks(root);
		await readGitHeads(root);
		const history = await readHistory(root);
		const authors = [...(history?.files.values() ?? [])].map(({ lastAuthor }) => lastAuthor);
		const blame = blameFiles(root);
		const lines = await blame("a.ts");
		await blame("a.ts");
		const paths = files.map(({ path }) => path);
		console.log(JSON.stringify({ source, unlisted, paths, authors, blamed: lines?.slice(1) ?? [] }));`;
	const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
		timeout: 100_000,
		env: { ...process.env, GIT_CONFIG_NOSYSTEM: "1", HOME: dirname(root) },
	});
	return JSON.parse(stdout);
}
