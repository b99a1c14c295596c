import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { discoverFiles } from "../../src/discover/discoverFiles.ts";
import { blameFile, blameFiles, listAuthors } from "../../src/git/blame.ts";
import { readHistory } from "../../src/git/gitHistory.ts";
import { askGitState } from "../../src/git/heads.ts";

test("each file has the author and date of its newest commit, and the churn of its commits, newest first", async (t) => {
	const repo = repository(t);
	repo.commit("Ada", 1_000, { "a.txt": "1\n2\n3\n", "b.txt": "x\n" });
	repo.commit("Bob Stone", 2_000, { "a.txt": "1\n2\n" });
	const history = await readHistory(repo.root);
	assert.deepEqual(Object.fromEntries(history?.files ?? []), {
		"a.txt": { lastAuthor: "Bob Stone", lastModified: 2_000, churn: 4, recent: [1, 3], commits: 2 },
		"b.txt": { lastAuthor: "Ada", lastModified: 1_000, churn: 1, recent: [1], commits: 1 },
	});
	assert.equal(history?.commits, 2);
	assert.equal(history?.truncated, false);
});

test("churn counts only the newest commits of the window", async (t) => {
	const repo = repository(t);
	repo.commit("Ada", 1_000, { "a.txt": "1\n2\n3\n4\n5\n" });
	repo.commit("Ada", 2_000, { "a.txt": "1\n" });
	repo.commit("Ada", 3_000, { "a.txt": "1\n2\n" });
	const history = await readHistory(repo.root, { window: 2 });
	assert.equal(history?.files.get("a.txt")?.churn, 5);
	assert.equal(history?.files.get("a.txt")?.commits, 3);
});

test("lines are counted only in commits that are among the newest of some file", async (t) => {
	const repo = repository(t);
	repo.commit("Ada", 1_000, { "a.txt": "1\n", "b.txt": "x\n" });
	for (let n = 2; n <= 5; n += 1) repo.commit("Ada", n * 1_000, { "a.txt": `${n}\n`.repeat(n) });
	// An old content that no count needs may even be missing.
	const unneeded = git(repo.root, "rev-parse", "HEAD~2:a.txt");
	rmSync(join(repo.root, ".git/objects", unneeded.slice(0, 2), unneeded.slice(2)));
	const heard: number[] = [];
	const history = await readHistory(repo.root, { window: 1, onCommits: (commits) => heard.push(commits) });
	assert.deepEqual(Object.fromEntries(history?.files ?? []), {
		"a.txt": { lastAuthor: "Ada", lastModified: 5_000, churn: 9, recent: [9], commits: 5 },
		"b.txt": { lastAuthor: "Ada", lastModified: 1_000, churn: 1, recent: [1], commits: 1 },
	});
	assert.equal(history?.commits, 5);
	assert.equal(heard.at(-1), 5);
	assert.deepEqual(
		heard,
		heard.toSorted((a, b) => a - b),
	);
});

test("the lines of a merge do not count again; binary files, new modes and links count as changes", async (t) => {
	const repo = repository(t);
	const lines = "one\ntwo\nthree\nfour\n";
	repo.commit("Ada", 1_000, {
		"a.txt": lines,
		"kept.txt": "1\n",
		"tool.sh": "x\n",
		"link.txt": "y\n",
		"data.bin": "\0",
	});
	git(repo.root, "checkout", "-q", "-b", "side");
	repo.commit("Bob", 2_000, { "a.txt": `${lines}five\n`, "data.bin": "\0\0" });
	git(repo.root, "checkout", "-q", "main");
	renameSync(join(repo.root, "a.txt"), join(repo.root, "b.txt"));
	repo.commit("Cyd", 3_000, { "b.txt": `zero\n${lines}` });
	git(repo.root, "-c", "user.name=Dan", "-c", "user.email=a@b.c", "merge", "-q", "-m", "both", "side");
	chmodSync(join(repo.root, "tool.sh"), 0o755);
	rmSync(join(repo.root, "link.txt"));
	symlinkSync("kept.txt", join(repo.root, "link.txt"));
	rmSync(join(repo.root, "kept.txt"));
	repo.commit("Eve", 4_000, {});
	const history = await readHistory(repo.root);
	assert.deepEqual(
		Object.fromEntries(
			[...(history?.files ?? [])].map(([path, { lastAuthor, recent }]) => [path, [lastAuthor, recent]]),
		),
		{
			"b.txt": ["Dan", [1, 1, 4]],
			"data.bin": ["Bob", [0, 0]],
			"kept.txt": ["Eve", [1, 1]],
			"link.txt": ["Eve", [2, 1]],
			"tool.sh": ["Eve", [0, 1]],
		},
	);
});

test("a file that a merge made or resolved has the author and date of the merge, also in a part of the repository", async (t) => {
	const repo = repository(t);
	const merge = (...args: readonly string[]): void => {
		const env = { ...process.env, GIT_AUTHOR_DATE: "@9000 +0000", GIT_COMMITTER_DATE: "@9000 +0000" };
		const as = ["-c", "user.name=Dan", "-c", "user.email=a@b.c"];
		execFileSync("git", [...as, ...args], { cwd: repo.root, env, stdio: "ignore" });
	};
	mkdirSync(join(repo.root, "src"));
	repo.commit("Ada", 1_000, { "src/a.txt": "1\n", "src/b.txt": "1\n", "c.txt": "1\n" });
	git(repo.root, "checkout", "-q", "-b", "side");
	repo.commit("Bob", 2_000, { "src/a.txt": "bob\n", "src/b.txt": "bob\n" });
	git(repo.root, "checkout", "-q", "main");
	repo.commit("Cyd", 3_000, { "src/a.txt": "cyd\n" });
	assert.throws(() => merge("merge", "side"));
	writeFileSync(join(repo.root, "src/a.txt"), "both\n");
	writeFileSync(join(repo.root, "src/new.txt"), "new\n");
	git(repo.root, "add", ".");
	merge("commit", "-q", "-m", "both");
	const expected = {
		"a.txt": { lastAuthor: "Dan", lastModified: 9_000, churn: 5, recent: [2, 2, 1], commits: 3 },
		"b.txt": { lastAuthor: "Bob", lastModified: 2_000, churn: 3, recent: [2, 1], commits: 2 },
		"new.txt": { lastAuthor: "Dan", lastModified: 9_000, churn: 0, recent: [], commits: 0 },
	};
	const part = await readHistory(join(repo.root, "src"));
	assert.deepEqual(Object.fromEntries(part?.files ?? []), expected);
	const whole = await readHistory(repo.root);
	for (const [path, file] of Object.entries(expected)) assert.deepEqual(whole?.files.get(`src/${path}`), file);
	assert.equal(whole?.files.get("c.txt")?.lastAuthor, "Ada");
});

test("the commits of a library merged into a folder do not count for files of the same names elsewhere", async (t) => {
	const library = repository(t);
	library.commit("Lib", 5_000, { "README.md": "library\n", "lib.txt": "1\n" });
	library.commit("Lib", 6_000, { "README.md": "library 2\n" });
	const repo = repository(t);
	repo.commit("Owner", 1_000, { "README.md": "main\n" });
	const as = (...args: readonly string[]): string =>
		git(repo.root, "-c", "user.name=Sub", "-c", "user.email=a@b.c", ...args);
	as("fetch", "-q", library.root, "main");
	as("merge", "-q", "-s", "ours", "--no-commit", "--allow-unrelated-histories", "FETCH_HEAD");
	as("read-tree", "--prefix=vendor/", "-u", "FETCH_HEAD");
	as("commit", "-q", "-m", "add the library");
	const authors = async (): Promise<unknown[]> => {
		const history = await readHistory(repo.root);
		return ["README.md", "vendor/README.md", "vendor/lib.txt"].map((path) => history?.files.get(path)?.lastAuthor);
	};
	assert.deepEqual(await authors(), ["Owner", "Sub", "Sub"]);
	git(repo.root, "checkout", "-q", "-b", "side");
	repo.commit("Bob", 7_000, { "README.md": "bob\n" });
	git(repo.root, "checkout", "-q", "main");
	repo.commit("Cyd", 8_000, { "other.txt": "1\n" });
	as("merge", "-q", "-m", "both", "side");
	assert.deepEqual(await authors(), ["Bob", "Sub", "Sub"]);
});

test("files of a repository joined with another keep the authors of their own commits", async (t) => {
	const library = repository(t);
	library.commit("Lib", 5_000, { "lib.txt": "1\n" });
	const repo = repository(t);
	repo.commit("Owner", 1_000, { "main.txt": "1\n" });
	git(repo.root, "fetch", "-q", library.root, "main");
	const as = ["-c", "user.name=Sub", "-c", "user.email=a@b.c"];
	git(repo.root, ...as, "merge", "-q", "-m", "join", "--allow-unrelated-histories", "FETCH_HEAD");
	const history = await readHistory(repo.root);
	assert.deepEqual(
		["main.txt", "lib.txt"].map((path) => history?.files.get(path)?.lastAuthor),
		["Owner", "Lib"],
	);
});

test("a name like a part of git's output, or in no alphabet, is only a name", {
	skip: process.platform !== "linux",
}, async (t) => {
	const repo = repository(t);
	const names = ["M", "R100", "\u0001x", "\nA", "1\t2\tx", "-\t-\t", ":(top)a", "--", "caf\ufffd"];
	const write = (text: string): void => {
		for (const name of names) {
			const bytes = name.endsWith("\ufffd") ? Buffer.from("caf\xe9", "latin1") : Buffer.from(name);
			writeFileSync(Buffer.concat([Buffer.from(`${repo.root}/`), bytes]), `${name}${text}`);
		}
	};
	write("\n");
	repo.commit("Ada", 1_000, {});
	write("\n2\n");
	repo.commit("Bob", 2_000, {});
	renameSync(join(repo.root, "M"), join(repo.root, "\n\u0001moved"));
	repo.commit("Cyd", 3_000, {});
	const history = await readHistory(repo.root);
	const lines = (name: string): number => name.split("\n").length;
	assert.deepEqual(
		Object.fromEntries(
			[...(history?.files ?? [])].map(([path, { lastAuthor, recent }]) => [path, [lastAuthor, recent]]),
		),
		{
			...Object.fromEntries(names.slice(1).map((name) => [name, ["Bob", [1, lines(name)]]])),
			"\n\u0001moved": ["Cyd", [0, 1, 1]],
		},
	);
});

test("a renamed file keeps its history, under spaces, tabs, newlines and other alphabets", async (t) => {
	const repo = repository(t);
	const lines = "one\ntwo\nthree\nfour\nfive\n";
	repo.commit("Ada", 1_000, { "old name.txt": lines, "s/č\tž\n.txt": "x\n" });
	mkdirSync(join(repo.root, "new"));
	renameSync(join(repo.root, "old name.txt"), join(repo.root, "new/日本.txt"));
	repo.commit("Bob", 2_000, {});
	repo.commit("Cyd", 3_000, { "new/日本.txt": `${lines}six\n` });
	const history = await readHistory(repo.root);
	assert.deepEqual([...(history?.files.keys() ?? [])].sort(), ["new/日本.txt", "s/č\tž\n.txt"]);
	assert.deepEqual(history?.files.get("new/日本.txt"), {
		lastAuthor: "Cyd",
		lastModified: 3_000,
		churn: 6,
		recent: [1, 0, 5],
		commits: 3,
	});
});

test("a subfolder of a repository gets its own files by their paths inside it", async (t) => {
	const repo = repository(t);
	repo.commit("Ada", 1_000, { "sub/a.txt": "1\n", "other.txt": "2\n" });
	const history = await readHistory(join(repo.root, "sub"));
	assert.deepEqual([...(history?.files.keys() ?? [])], ["a.txt"]);
});

test("a shallow clone gives its partial history, marked as truncated, and attributes nothing to its boundary commits", async (t) => {
	const repo = repository(t);
	repo.commit("Ada", 1_000, { "a.txt": "1\n" });
	repo.commit("Bob", 2_000, { "b.txt": "1\n" });
	repo.commit("Cyd", 3_000, { "c.txt": "1\n" });
	const history = await readHistory(cloneOf(t, repo.root, "--depth=2"));
	assert.equal(history?.commits, 2);
	assert.equal(history?.truncated, true);
	assert.deepEqual(Object.fromEntries(history?.files ?? []), {
		"c.txt": { lastAuthor: "Cyd", lastModified: 3_000, churn: 1, recent: [1], commits: 1 },
	});
});

test("a partial clone gives authors and dates without fetching anything", async (t) => {
	const repo = repository(t);
	repo.commit("Ada", 1_000, { "a.txt": "1\n", "b.txt": "other\n" });
	repo.commit("Bob", 2_000, { "a.txt": "2\n" });
	execFileSync("git", ["config", "uploadpack.allowFilter", "true"], { cwd: repo.root });
	const clone = cloneOf(t, repo.root, "--filter=blob:none");
	const witness = `${clone}-ran`;
	t.after(() => rmSync(witness, { force: true }));
	for (const [url, program] of [
		["ssh://host.invalid/x", "core.sshCommand"],
		[`ext::sh -c "touch ${witness}"`, "core.fsmonitor"],
		[repo.root, "remote.origin.uploadpack"],
	] as const) {
		execFileSync("git", ["config", "remote.origin.url", url], { cwd: clone });
		execFileSync("git", ["config", "protocol.ext.allow", "always"], { cwd: clone });
		execFileSync("git", ["config", program, `touch ${witness}; false`], { cwd: clone });
		const history = await readHistory(clone);
		await blameFile(clone, "a.txt");
		assert.throws(() => execFileSync("test", ["-e", witness]), program);
		assert.deepEqual(
			[...(history?.files ?? [])].map(([path, { lastAuthor, lastModified }]) => [path, lastAuthor, lastModified]),
			[
				["a.txt", "Bob", 2_000],
				["b.txt", "Ada", 1_000],
			],
		);
	}
});

test("reading since a commit yields only what came after it", async (t) => {
	const repo = repository(t);
	repo.commit("Ada", 1_000, { "a.txt": "1\n" });
	const before = await askGitState(repo.root);
	repo.commit("Bob", 2_000, { "b.txt": "1\n" });
	const history = await readHistory(repo.root, { since: before?.head ?? "" });
	assert.deepEqual([...(history?.files.keys() ?? [])], ["b.txt"]);
	assert.equal(history?.whole, false);
	const rewritten = await readHistory(repo.root, { since: "0123456789abcdef0123456789abcdef01234567" });
	assert.deepEqual([rewritten?.whole, rewritten?.files.size], [true, 2]);
	await assert.rejects(
		readHistory(repo.root, { since: "--output=x" }),
		/since: expected a commit's hash, got "--output=x"/,
	);
});

test("a folder without git and a repository without commits are not errors", async (t) => {
	const plain = mkdtempSync(join(tmpdir(), "cleats-plain-"));
	t.after(() => rmSync(plain, { recursive: true, force: true }));
	assert.equal(await readHistory(plain), undefined);
	assert.equal(await askGitState(plain), undefined);
	const empty = repository(t);
	assert.equal((await readHistory(empty.root))?.commits, 0);
	assert.deepEqual(await askGitState(empty.root), { head: "", branch: "main" });
});

test("blame names the authors of a range, most lines first, uncommitted lines included", async (t) => {
	const repo = repository(t);
	repo.commit("Ada", 1_000, { "a.txt": "1\n2\n3\n" });
	repo.commit("Žofie", 2_000, { "a.txt": "1\n2\n3\n4\n" });
	writeFileSync(join(repo.root, "a.txt"), "1\n2\n3\n4\n5\n");
	const authors = await blameFile(repo.root, "a.txt");
	assert.ok(authors);
	assert.deepEqual(listAuthors(authors, 1, 4), ["Ada", "Žofie"]);
	assert.deepEqual(listAuthors(authors, 5, 5), ["Not Committed Yet"]);
	assert.equal(await blameFile(repo.root, "missing.txt"), undefined);
});

test("a repository's own settings cannot make git run a program", async (t) => {
	const repo = repository(t);
	repo.commit("Ada", 1_000, { "a.txt": "1\n" });
	repo.commit("Ada", 2_000, { ".gitattributes": "*.txt diff=shown filter=cleaned\n*.md filter=a.b\n" });
	repo.commit("Ada", 2_500, { "b.md": "1\n" });
	const witness = join(repo.root, "..", `${repo.root.split("/").at(-1)}-ran`);
	t.after(() => rmSync(witness, { force: true }));
	execFileSync("git", ["config", "core.fsmonitor", `touch ${witness}; true`], { cwd: repo.root });
	execFileSync("git", ["config", "core.pager", `touch ${witness}`], { cwd: repo.root });
	execFileSync("git", ["config", "diff.shown.textconv", `touch ${witness}; cat`], { cwd: repo.root });
	for (const filter of ["cleaned", "a.b"]) {
		execFileSync("git", ["config", `filter.${filter}.clean`, `touch ${witness}; cat`], { cwd: repo.root });
		execFileSync("git", ["config", `filter.${filter}.required`, "true"], { cwd: repo.root });
	}
	writeFileSync(join(repo.root, "a.txt"), "1\n2\n");
	assert.deepEqual((await blameFile(repo.root, "a.txt"))?.slice(1), ["Ada", "Not Committed Yet"]);
	assert.deepEqual((await blameFile(repo.root, "b.md"))?.slice(1), ["Ada"]);
	await readHistory(repo.root);
	await blameFile(repo.root, "a.txt");
	assert.throws(() => execFileSync("test", ["-e", witness]));
});

test("a repository is asked for its settings once, however many of its files are blamed", async (t) => {
	const repo = repository(t);
	repo.commit("Ada", 1_000, { "a.txt": "1\n", "b.txt": "2\n", "c.txt": "3\n" });
	const { PATH = "" } = process.env;
	const folder = mkdtempSync(join(tmpdir(), "git-log-"));
	t.after(() => {
		process.env.PATH = PATH;
		rmSync(folder, { recursive: true, force: true });
	});
	const log = join(folder, "log");
	// Notes its arguments and hands them to the real git.
	const program = `#!/bin/sh\necho "$*" >> '${log}'\nPATH='${PATH}' exec git "$@"\n`;
	writeFileSync(join(folder, "git"), program, { mode: 0o755 });
	process.env.PATH = `${folder}:${PATH}`;
	const blame = blameFiles(repo.root);
	for (const file of ["a.txt", "b.txt", "c.txt"]) assert.deepEqual((await blame(file))?.slice(1), ["Ada"]);
	const asked = readFileSync(log, "utf8").split("\n");
	assert.equal(asked.filter((line) => line.includes(" blame ")).length, 3);
	assert.equal(asked.filter((line) => line.includes(" config --list ")).length, 1);
});

test("a list of ignored commits that the repository does not have hides no authors", async (t) => {
	const repo = repository(t);
	repo.commit("Ada", 1_000, { "a.txt": "1\n", "b.txt": "2\n" });
	git(repo.root, "config", "blame.ignoreRevsFile", ".git-blame-ignore-revs");
	const blame = blameFiles(repo.root);
	for (const file of ["a.txt", "b.txt"]) assert.deepEqual((await blame(file))?.slice(1), ["Ada"]);
});

test("a history that git cannot read whole says what git said", async (t) => {
	const repo = repository(t);
	for (const n of [1, 2, 3, 4]) repo.commit(`Author ${n}`, n * 1_000, { [`${n}.txt`]: `${n}\n` });
	assert.equal((await readHistory(repo.root))?.fault, undefined);
	const missing = git(repo.root, "rev-parse", "HEAD~2^{tree}");
	rmSync(join(repo.root, ".git/objects", missing.slice(0, 2), missing.slice(2)));
	const history = await readHistory(repo.root);
	assert.match(history?.fault ?? "", new RegExp(missing));
	assert.equal(history?.files.get("4.txt")?.lastAuthor, "Author 4");
});

test("neither git settings nor environment variables change the result", async (t) => {
	const repo = repository(t);
	const other = repository(t);
	other.commit("Eve", 9_000, { "a.txt": "other\n" });
	repo.commit("Ada", 1_000, {});
	git(repo.root, "checkout", "-q", "-b", "side");
	repo.commit("Ada", 2_000, { "a.txt": "1\n" });
	git(repo.root, "checkout", "-q", "main");
	repo.commit("Žofie", 3_000, { "a.txt": "1\n" });
	git(repo.root, "-c", "user.name=Ada", "-c", "user.email=a@b.c", "merge", "-q", "-m", "both", "side");
	for (const [key, value] of [
		["log.showRoot", "false"],
		["log.follow", "true"],
		["log.date", "bogus"],
		["diff.orderFile", "/nowhere/order"],
		["i18n.logOutputEncoding", "ISO-8859-2"],
	] as const) {
		execFileSync("git", ["config", key, value], { cwd: repo.root });
	}
	// As in a hook of the other repository.
	process.env.GIT_DIR = join(other.root, ".git");
	process.env.GIT_INDEX_FILE = join(other.root, ".git", "index");
	t.after(() => {
		delete process.env.GIT_DIR;
		delete process.env.GIT_INDEX_FILE;
	});
	const history = await readHistory(repo.root);
	assert.deepEqual(history?.files.get("a.txt"), {
		lastAuthor: "Žofie",
		lastModified: 3_000,
		churn: 1,
		recent: [1],
		commits: 1,
	});
	assert.deepEqual((await blameFile(repo.root, "a.txt"))?.slice(1), ["Žofie"]);
	const { files: listed } = await discoverFiles(repo.root, {});
	assert.deepEqual(
		listed.map(({ path }) => path),
		["a.txt"],
	);
});

function cloneOf(t: TestContext, root: string, option: string): string {
	const clone = `${root}-clone`;
	t.after(() => rmSync(clone, { recursive: true, force: true }));
	execFileSync("git", ["clone", "-q", option, `file://${root}`, clone], { stdio: "pipe" });
	return clone;
}

function repository(t: TestContext): {
	root: string;
	commit: (author: string, time: number, files: Record<string, string>) => void;
} {
	const root = mkdtempSync(join(tmpdir(), "cleats-git-"));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	git(root, "init", "-q", "-b", "main");
	return {
		root,
		commit(author, time, files) {
			for (const [path, text] of Object.entries(files)) {
				mkdirSync(dirname(join(root, path)), { recursive: true });
				writeFileSync(join(root, path), text);
			}
			git(root, "add", "-A");
			execFileSync(
				"git",
				["-c", `user.name=${author}`, "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "change"],
				{
					cwd: root,
					stdio: "pipe",
					env: { ...process.env, GIT_AUTHOR_DATE: `@${time} +0000`, GIT_COMMITTER_DATE: `@${time} +0000` },
				},
			);
		},
	};
}

function git(root: string, ...args: string[]): string {
	return execFileSync("git", args, { cwd: root, stdio: "pipe", encoding: "utf8" }).trim();
}
