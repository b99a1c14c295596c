import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { askGitState, readHeadFiles } from "../../src/git/heads.ts";
import { commit, git } from "../filter/fixtureRepository.ts";

function repositoryOf(t: TestContext): string {
	const root = join(realpathSync(mkdtempSync(join(tmpdir(), "cleats-head-"))), "main");
	t.after(() => rmSync(join(root, ".."), { recursive: true, force: true }));
	mkdirSync(join(root, "sub"), { recursive: true });
	git(root, "init", "-q", "-b", "trunk");
	writeFileSync(join(root, "a.txt"), "1\n");
	commit(root, "Ada", "2020-01-01T00:00:00Z");
	return root;
}

test("the commit read from a repository's files is the one that git reports", async (t) => {
	const root = repositoryOf(t);
	const agrees = async (folder: string): Promise<void> => {
		const told = readHeadFiles(folder);
		assert.ok(told, folder);
		assert.deepEqual(told, await askGitState(folder));
	};
	await agrees(root);
	await agrees(join(root, "sub"));
	git(root, "checkout", "-q", "-b", "feature/one");
	git(root, "pack-refs", "--all");
	await agrees(root);
	writeFileSync(join(root, "a.txt"), "2\n");
	commit(root, "Ada", "2020-01-02T00:00:00Z");
	await agrees(root);
	git(root, "worktree", "add", "-q", "-b", "side", join(root, "..", "side"));
	await agrees(join(root, "..", "side"));
	git(root, "pack-refs", "--all");
	await agrees(join(root, "..", "side"));
	git(root, "checkout", "-q", "--detach");
	await agrees(root);
	execFileSync(
		"git",
		["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", join(root, "..", "side"), "module"],
		{
			cwd: root,
			stdio: "ignore",
			env: { PATH: process.env.PATH, HOME: root },
		},
	);
	await agrees(join(root, "module"));
});

test("the result is undefined if the files do not show the commit", (t) => {
	const root = repositoryOf(t);
	git(root, "checkout", "-q", "--orphan", "new");
	assert.equal(readHeadFiles(root), undefined);
	assert.equal(readHeadFiles(join(root, "..")), undefined);
	writeFileSync(join(root, "sub", ".git"), "not a pointer\n");
	assert.equal(readHeadFiles(join(root, "sub")), undefined);
});
