import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { discoverFiles, discoverRoots } from "../../src/discover/discoverFiles.ts";
import { takeMarks } from "../../src/discover/treeMarks.ts";

const APART = "the history there is that of another git repository, which is not read";
const NO_CASE = ["darwin", "win32"].includes(process.platform) && "file systems here usually ignore case";

test("a git repository is listed by git: tracked and untracked files, never ignored ones", async (t) => {
	const root = folder(t, {
		".gitignore": "*.log\nbuild/\n",
		"a.ts": "1",
		"b.log": "x",
		"build/c.ts": "x",
		"tracked.log": "y",
	});
	git(root, "init", "-q");
	git(root, "add", "-f", "a.ts", ".gitignore", "tracked.log");
	const found = await discoverFiles(root);
	assert.equal(found.source, "git");
	assert.deepEqual(
		found.files.map((file) => file.path),
		[".gitignore", "a.ts", "tracked.log"],
	);
});

test("a folder that cannot be read is counted", { skip: process.getuid?.() === 0 && "root reads all" }, async (t) => {
	const root = folder(t, { "a.ts": "1", "shut/b.ts": "2" });
	chmodSync(join(root, "shut"), 0);
	const found = await discoverFiles(root);
	chmodSync(join(root, "shut"), 0o700);
	assert.deepEqual(
		found.files.map(({ path }) => path),
		["a.ts"],
	);
	assert.equal(found.skipped.unreadable, 1);
});

test("a plain folder is walked with its ignore files, the deepest one deciding", async (t) => {
	const root = folder(t, {
		".gitignore": "*.log\n/only-root.ts\n",
		"keep.ts": "1",
		"only-root.ts": "x",
		"sub/.gitignore": "!kept.log\nlocal.ts\n",
		"sub/kept.log": "1",
		"sub/local.ts": "x",
		"sub/only-root.ts": "1",
		"other/dropped.log": "x",
		"node_modules/pkg/index.js": "x",
	});
	const found = await discoverFiles(root);
	assert.equal(found.source, "walk");
	assert.deepEqual(
		found.files.map((file) => file.path),
		[".gitignore", "keep.ts", "sub/.gitignore", "sub/kept.log", "sub/only-root.ts"],
	);
});

test("the file by which a submodule or a linked work tree names its repository is no text of a plain folder", async (t) => {
	const root = folder(t, {
		"a.ts": "a",
		".git": "gitdir: /nowhere",
		"vendored/.git": "gitdir: ../x",
		"vendored/b.ts": "b",
	});
	const { source, files } = await discoverFiles(root);
	assert.deepEqual([source, files.map(({ path }) => path)], ["walk", ["a.ts", "vendored/b.ts"]]);
});

test("a plain folder is walked to any depth", async (t) => {
	const deep = `${"d/".repeat(100)}a.ts`;
	const found = await discoverFiles(folder(t, { [deep]: "1" }));
	assert.deepEqual([found.source, found.files.map(({ path }) => path)], ["walk", [deep]]);
});

test("ignore rules are compared with case, with and without git", { skip: NO_CASE }, async (t) => {
	const root = folder(t, { ".gitignore": "Build/\nDOCS\n", "build/b.py": "1", "Build/c.py": "x", "Docs/d.py": "1" });
	const paths = async (): Promise<string[]> => (await discoverFiles(root)).files.map(({ path }) => path);
	const kept = [".gitignore", "Docs/d.py", "build/b.py"];
	assert.deepEqual(await paths(), kept);
	git(root, "init", "-q");
	assert.deepEqual(await paths(), kept);
});

test("names with spaces, newlines, quotes and other alphabets survive git's listing, sorted by code unit", async (t) => {
	const names = ["Zed.ts", "a b.ts", 'quo"te.ts', "new\nline.ts", "žluťoučký/kůň.ts", "日本.ts"];
	const root = folder(t, Object.fromEntries(names.map((name) => [name, "x"])));
	git(root, "init", "-q");
	git(root, "add", ".");
	const found = await discoverFiles(root);
	assert.deepEqual(
		found.files.map((file) => file.path),
		[...names].sort(),
	);
});

test("binary, oversize and linked files are counted and left out", async (t) => {
	const root = folder(t, { "a.png": "x", "big.txt": "x".repeat(2000), "ok.txt": "fine" });
	const outside = folder(t, { "secret.txt": "secret" });
	symlinkSync(join(outside, "secret.txt"), join(root, "link.txt"));
	symlinkSync(outside, join(root, "linkdir"));
	const found = await discoverFiles(root, { maxFileBytes: 1000 });
	assert.deepEqual(
		found.files.map((file) => file.path),
		["ok.txt"],
	);
	assert.deepEqual(found.skipped, { binary: 1, oversize: 1, symlink: 2, special: 0, missing: 0, unreadable: 0 });
});

test("an ignore file that is a pipe is skipped without blocking", async (t) => {
	const root = folder(t, { "a.ts": "1" });
	execFileSync("mkfifo", [join(root, ".gitignore")]);
	const found = await discoverFiles(root);
	assert.deepEqual(
		found.files.map((file) => file.path),
		["a.ts"],
	);
	assert.equal(found.skipped.special, 1);
});

test("a pipe on which git would wait forever is named, and the folder is walked", async (t) => {
	const root = folder(t, { "a.ts": "1", "sub/b.ts": "2", "hidden/c.ts": "3", ".gitignore": "hidden/\n" });
	git(root, "init", "-q");
	execFileSync("mkfifo", [join(root, "sub/.gitignore")]);
	const { source, files, unlisted, warnings } = await discoverFiles(root);
	assert.deepEqual([source, files.map(({ path }) => path)], ["walk", [".gitignore", "a.ts", "sub/b.ts"]]);
	assert.equal(unlisted, "sub/.gitignore is a pipe, on which it would wait forever");
	assert.deepEqual(warnings, [`git could not list the files (${unlisted}); the folder was walked instead`]);
});

test("a pipe or a folder in the place of git's own files stops neither the listing nor its marks", async (t) => {
	const repository = folder(t, { "a.ts": "1", "sub/.gitignore/b.ts": "2" });
	git(repository, "init", "-q");
	const plain = folder(t, { "a.ts": "1", "sub/.gitignore/b.ts": "2" });
	execFileSync("mkfifo", [join(repository, ".gitmodules"), join(plain, ".git")]);
	for (const [root, source] of [
		[repository, "git"],
		[plain, "walk"],
	] as const) {
		const found = await inOwnProcess(root);
		assert.deepEqual(found, { source, paths: ["a.ts", "sub/.gitignore/b.ts"], marked: true });
	}
});

test("a nested repository in an ignored folder is not listed, sound or not, and stops nothing", async (t) => {
	const root = folder(t, {
		".gitignore": "out/\n",
		"a.ts": "1",
		"out/inner/b.ts": "2",
		"out/broken/.git": "gitdir: /nowhere\n",
		"out/broken/c.ts": "3",
	});
	git(root, "init", "-q");
	git(join(root, "out/inner"), "init", "-q");
	execFileSync("mkfifo", [join(root, "out/inner/.gitignore"), join(root, "out/.gitignore")]);
	const { files, warnings } = await discoverFiles(root);
	assert.deepEqual([files.map(({ path }) => path), warnings], [[".gitignore", "a.ts"], []]);
	assert.ok(await takeMarks(root));
});

test("a tracked folder that became a link to elsewhere is not read through, nor what is deeper in it", async (t) => {
	const root = folder(t, { "dir/file.txt": "mine", "dir/inner/deep/file.txt": "mine" });
	git(root, "init", "-q");
	git(root, "add", ".");
	const outside = folder(t, { "file.txt": "not mine", "inner/deep/file.txt": "not mine" });
	rmSync(join(root, "dir"), { recursive: true });
	symlinkSync(outside, join(root, "dir"));
	const found = await discoverFiles(root);
	assert.deepEqual(found.files, []);
	assert.ok(found.skipped.symlink >= 1);
});

test("a tracked file that cannot be looked at is left out, and the others are listed", async (t) => {
	const root = folder(t, { "a.ts": "1", "loop/Makefile": "2" });
	git(root, "init", "-q");
	git(root, "add", ".");
	rmSync(join(root, "loop"), { recursive: true });
	symlinkSync("loop", join(root, "loop"));
	const found = await discoverFiles(root);
	assert.deepEqual(
		found.files.map((file) => file.path),
		["a.ts"],
	);
	assert.equal(found.skipped.symlink, 2);
});

test("files of nested repositories are part of the outer one", async (t) => {
	const root = folder(t, { "a.ts": "1", "inner/b.ts": "1", "inner/deep/c.ts": "1" });
	git(root, "init", "-q");
	git(join(root, "inner"), "init", "-q");
	const found = await discoverFiles(root);
	assert.deepEqual(
		found.files.map((file) => file.path),
		["a.ts", "inner/b.ts", "inner/deep/c.ts"],
	);
	assert.deepEqual(found.warnings, [`filters by author, date and churn leave out all of inner: ${APART}`]);
	assert.deepEqual((await discoverFiles(root, { exclude: ["inner"] })).warnings, []);
});

test("other work trees of the same repository are left out, and nested clones are not", async (t) => {
	const root = folder(t, { "a.ts": "1" });
	git(root, "init", "-q");
	git(root, "add", "a.ts");
	git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
	git(root, "worktree", "add", "-q", "trees/other", "-b", "other");
	git(root, "clone", "-q", root, join(root, "clone"));
	const found = await discoverFiles(root);
	assert.deepEqual(
		found.files.map((file) => file.path),
		["a.ts", "clone/a.ts"],
	);
	const other = await discoverFiles(join(root, "trees/other"));
	assert.deepEqual(
		other.files.map((file) => file.path),
		["a.ts"],
	);
});

test("a warning names a nested repository that git cannot list", async (t) => {
	const root = folder(t, { "a.ts": "1", "inner/b.ts": "1" });
	git(root, "init", "-q");
	git(join(root, "inner"), "init", "-q");
	git(
		root,
		"-c",
		"advice.addEmbeddedRepo=false",
		"update-index",
		"--add",
		"--cacheinfo",
		`160000,${"12".repeat(20)},inner`,
	);
	writeFileSync(join(root, "inner", ".git", "index"), "no index");
	const found = await discoverFiles(root);
	assert.equal(found.files.length, 1);
	assert.match(found.warnings.join(), /^nothing is found in inner: git could not list its files \(.*\)$/);
});

test("a submodule that was not fetched counts as an empty folder, not as an unreadable one", async (t) => {
	const places = ["libs/plain", "libs/dotted.name"];
	const declared = ["a.ts", "gone", ...places].map((path) => `[submodule "${path}"]\n\tpath = ${path}\n`);
	const root = folder(t, { "a.ts": "1", ".gitmodules": declared.join("") });
	git(root, "init", "-q");
	for (const path of places) {
		mkdirSync(join(root, path), { recursive: true });
		git(root, "update-index", "--add", "--cacheinfo", `160000,${"12".repeat(20)},${path}`);
	}
	const found = await discoverFiles(root);
	assert.deepEqual([found.files.length, found.skipped.unreadable, found.skipped.special], [2, 0, 0]);
	const why = "not fetched yet; git submodule update --init fetches submodules";
	assert.deepEqual(found.warnings, [`nothing is found in libs/dotted.name, libs/plain: ${why}`]);
});

test("git's own files are not indexed, and a bare repository is refused", async (t) => {
	const root = folder(t, { "a.ts": "1" });
	git(root, "init", "-q");
	git(root, "init", "-q", "--bare", "bare.git");
	for (const inside of [".git", "bare.git"]) {
		await assert.rejects(discoverFiles(join(root, inside)), {
			code: "INVALID_REQUEST",
			message: /^repo: expected a folder with files, got the inside of a git repository/,
		});
	}
});

test("a warning says when and why git cannot list the files", async (t) => {
	const root = folder(t, { "a.ts": "1" });
	git(root, "init", "-q");
	writeFileSync(join(root, ".git", "config"), "[core\n");
	const found = await discoverFiles(root);
	assert.deepEqual([found.source, found.files.length], ["walk", 1]);
	assert.match(
		found.warnings.join(),
		/^git could not list the files \(.*bad config.*\); the folder was walked instead$/,
	);
});

test("a warning says that git ignores all of a folder, and of an empty one nothing", async (t) => {
	const root = folder(t, { ".gitignore": "*\n", "project/a.ts": "1" });
	git(root, "init", "-q");
	mkdirSync(join(root, "empty"));
	const warnings = async (below: string): Promise<readonly string[]> =>
		(await discoverFiles(join(root, below))).warnings;
	const expected = ["nothing is found: git ignores this folder, or all that is in it"];
	assert.deepEqual([await warnings("."), await warnings("project"), await warnings("empty")], [expected, expected, []]);
});

test("several roots: an inner root takes its files from the outer one", async (t) => {
	const root = folder(t, { "a.ts": "1", "packages/one/b.ts": "1" });
	const found = await discoverRoots([join(root, "packages/one"), root]);
	assert.deepEqual(
		found.map((discovery) => discovery.files.map((file) => file.path)),
		[["a.ts"], ["b.ts"]],
	);
});

test("files are counted by role, which their paths determine", async (t) => {
	const root = folder(t, {
		"src/a.ts": "1",
		"src/a.test.ts": "1",
		"vendor/lib/x.go": "1",
		"app.min.js": "1",
		"pkg/api.pb.go": "1",
	});
	const found = await discoverFiles(root);
	assert.deepEqual(Object.fromEntries(found.files.map((file) => [file.path, file.role])), {
		"app.min.js": "generated",
		"pkg/api.pb.go": "generated",
		"src/a.test.ts": "test",
		"src/a.ts": "source",
		"vendor/lib/x.go": "vendored",
	});
	assert.deepEqual(found.roles, { source: 1, test: 1, generated: 2, vendored: 1 });
});

test("extra exclude patterns apply with and without git", async (t) => {
	const root = folder(t, { "a.ts": "1", "docs/b.md": "1" });
	const exclude = ["docs/"];
	const walked = await discoverFiles(root, { exclude });
	git(root, "init", "-q");
	const listed = await discoverFiles(root, { exclude });
	assert.deepEqual(
		[walked, listed].map((found) => [found.source, found.files.map((file) => file.path)]),
		[
			["walk", ["a.ts"]],
			["git", ["a.ts"]],
		],
	);
});

function folder(t: TestContext, files: Record<string, string>): string {
	const root = mkdtempSync(join(tmpdir(), "cleats-discover-"));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
	return root;
}

function git(root: string, ...args: string[]): void {
	execFileSync("git", args, { cwd: root, stdio: "pipe" });
}

/** In a process of its own, because a thread that reads a pipe cannot be stopped. */
async function inOwnProcess(root: string): Promise<unknown> {
	const module = (name: string): string => JSON.stringify(new URL(`../../src/${name}.ts`, import.meta.url).href);
	const script = `
		const { discoverFiles } = await import(${module("discover/discoverFiles")});
		const { takeMarks } = await import(${module("discover/treeMarks")});
		const { readHeadFiles } = await import(${module("git/heads")});
		const root = ${JSON.stringify(root)};
		const { source, files } = await discoverFiles(root);
		readHeadFiles(root);
		const marked = (await takeMarks(root)) !== undefined;
		console.log(JSON.stringify({ source, paths: files.map(({ path }) => path), marked }));`;
	const options = { timeout: 60_000 };
	const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], options);
	return JSON.parse(stdout);
}
