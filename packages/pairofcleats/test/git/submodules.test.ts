import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { listSubmodules } from "../../src/git/submodules.ts";
import { openRepository } from "../../src/repo/openRepository.ts";

test("files of submodules have an author, a date and a churn, and those of submodules in them too", async (t) => {
	const { root, cacheRoot, git } = nested(t);
	writeFileSync(join(root, "lib", "middle.py"), "def middle():\n    return 2\n");
	const repository = openRepository(root, { cacheRoot, model: null, freshnessMs: 0 });
	t.after(() => repository.close());
	await repository.buildIndex({ blame: true });
	const paths = async (author: object): Promise<string[]> =>
		(await repository.search({ query: "*", ext: ["py"], ...author })).hits.map(({ path }) => path).sort();
	assert.deepEqual(await paths({ author: "Outer" }), ["main.py"]);
	assert.deepEqual(await paths({ author: "Middle" }), ["lib/middle.py"]);
	assert.deepEqual(await paths({ author: "Inner" }), ["lib/deep/inner.py"]);
	assert.deepEqual(await paths({ chunkAuthor: "Inner" }), ["lib/deep/inner.py"]);
	assert.deepEqual(await paths({ churnMin: 3 }), ["lib/deep/inner.py"]);

	// A commit in the submodule changes no file and nothing in the outer repository, but must still be noticed.
	git(join(root, "lib"), "Second", "commit", "-qam", "again");
	assert.deepEqual(await paths({ author: "Second" }), ["lib/middle.py"]);
	assert.deepEqual(await paths({ author: "Inner" }), ["lib/deep/inner.py"]);
	writeFileSync(join(root, "main.py"), "def outer():\n    return 2\n");
	git(root, "Outer", "commit", "-qam", "edit");
	assert.deepEqual(await paths({ author: "Outer" }), ["main.py"]);
	assert.deepEqual(await paths({ author: "Second" }), ["lib/middle.py"]);
});

test("the files of a folder that is a submodule no longer have no history left from it", async (t) => {
	const { root, cacheRoot, git } = nested(t);
	const repository = openRepository(root, { cacheRoot, model: null, freshnessMs: 0 });
	t.after(() => repository.close());
	await repository.buildIndex();
	const paths = async (author: object): Promise<string[]> =>
		(await repository.search({ query: "*", ext: ["py"], ...author })).hits.map(({ path }) => path).sort();
	assert.deepEqual(await paths({ author: "Middle" }), ["lib/middle.py"]);
	rmSync(join(root, ".gitmodules"));
	assert.deepEqual(await paths({ author: "Middle" }), []);
	git(root, "Outer", "commit", "-qam", "no submodules");
	assert.deepEqual([...(await paths({ author: "Middle" })), ...(await paths({ author: "Inner" }))], []);
	assert.deepEqual(await paths({}), ["lib/deep/inner.py", "lib/middle.py", "main.py"]);
});

test("only checked-out folders of the repository itself are submodules, whatever .gitmodules says", (t) => {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "cleats-sub-")));
	t.after(() => rmSync(base, { recursive: true, force: true }));
	const root = join(base, "root");
	for (const folder of ["root/there/.git", "root/with space/.git", "root/not", "outside/.git"])
		mkdirSync(join(base, folder), { recursive: true });
	symlinkSync(join(base, "outside"), join(root, "link"));
	const listed = [
		"there",
		'"with space"',
		"not",
		"missing",
		"../outside",
		join(base, "outside"),
		"link",
		".",
		"there/",
	];
	const sections = listed.map(
		(path, at) => `[submodule "${at}"]\n\tpath = ${path}\n\turl = https://example.invalid/x\n`,
	);
	writeFileSync(join(root, ".gitmodules"), sections.join(""));
	// A submodule that contains itself, which must not recurse forever.
	writeFileSync(join(root, "there", ".gitmodules"), '[submodule "a"]\n\tpath = ../there\n');
	assert.deepEqual(listSubmodules(root), ["there", "with space"]);
	assert.deepEqual(listSubmodules(join(root, "not")), []);
});

function nested(t: TestContext): {
	root: string;
	cacheRoot: string;
	git: (cwd: string, author: string, ...args: string[]) => void;
} {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "cleats-sub-")));
	t.after(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
	const git = (cwd: string, author: string, ...args: string[]): void => {
		const own = ["-c", `user.name=${author}`, "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always"];
		const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
		execFileSync("git", [...own, ...args], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
	};
	const make = (name: string, author: string, file: string, text: string): string => {
		const folder = join(base, name);
		mkdirSync(folder);
		git(folder, author, "init", "-q", "-b", "main");
		writeFileSync(join(folder, file), text);
		git(folder, author, "add", ".");
		git(folder, author, "commit", "-qm", "first");
		return folder;
	};
	const inner = make("inner", "Inner", "inner.py", "def inner():\n    x = 1\n    return x\n");
	const middle = make("middle", "Middle", "middle.py", "def middle():\n    return 1\n");
	git(middle, "Middle", "submodule", "--quiet", "add", inner, "deep");
	git(middle, "Middle", "commit", "-qm", "deep");
	const root = make("root", "Outer", "main.py", "def outer():\n    return 1\n");
	git(root, "Outer", "submodule", "--quiet", "add", middle, "lib");
	git(root, "Outer", "submodule", "--quiet", "update", "--init", "--recursive");
	git(root, "Outer", "commit", "-qm", "lib");
	return { root, cacheRoot: join(base, "cache"), git };
}
