import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
	appendFileSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	realpathSync,
	renameSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { findFiles } from "../../src/discover/discoverFiles.ts";
import { FolderWatch } from "../../src/discover/folderWatch.ts";
import { KnownTree } from "../../src/discover/knownTree.ts";
import { takeMarks } from "../../src/discover/treeMarks.ts";

const LONG_AGO = new Date("2024-01-01T00:00:00Z");

function makeTree(t: TestContext, git: boolean): string {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "known-tree-")));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	for (const folder of ["src/deep", "empty/inner", "built"]) mkdirSync(join(root, folder), { recursive: true });
	writeFileSync(join(root, ".gitignore"), "built/\n*.log\n");
	for (const path of ["a.ts", "src/b.ts", "src/deep/c.ts", "built/out.js"]) writeFileSync(join(root, path), path);
	if (git) {
		execFileSync("git", ["init", "-q"], { cwd: root });
		execFileSync("git", ["add", "."], { cwd: root });
	}
	return root;
}

/** Makes folders look old, because recently changed folders are not trusted. */
function settle(folder: string): void {
	for (const entry of readdirSync(folder, { withFileTypes: true })) {
		if (entry.isDirectory() && entry.name !== ".git") settle(join(folder, entry.name));
	}
	utimesSync(folder, LONG_AGO, LONG_AGO);
}

const CHANGES: Readonly<Record<string, (root: string) => void>> = {
	"a file is written in place": (root) => appendFileSync(join(root, "src/b.ts"), "more"),
	"a file comes": (root) => writeFileSync(join(root, "src/deep/new.ts"), "new"),
	"a file comes into a folder that had none": (root) => writeFileSync(join(root, "empty/inner/first.ts"), "first"),
	"a file goes": (root) => rmSync(join(root, "src/deep/c.ts")),
	"a file is renamed": (root) => renameSync(join(root, "a.ts"), join(root, "z.ts")),
	"a folder goes": (root) => rmSync(join(root, "src/deep"), { recursive: true }),
	"a folder becomes a link": (root) => {
		renameSync(join(root, "src"), join(root, "moved"));
		symlinkSync("moved", join(root, "src"));
	},
	"an ignore file is written in place": (root) => writeFileSync(join(root, ".gitignore"), "*.log\nsrc/deep/\n"),
};

for (const git of [true, false]) {
	for (const [change, make] of Object.entries(CHANGES)) {
		test(`${git ? "by git" : "by walking"}, the files are those of a new listing when ${change}`, async (t) => {
			const root = makeTree(t, git);
			settle(root);
			const tree = new KnownTree(root);
			const before = await findFiles(root);
			for (let look = 0; look < 3; look++) assert.deepEqual(await tree.find(), before);
			make(root);
			const after = await findFiles(root);
			assert.notDeepEqual(after, before);
			for (let look = 0; look < 2; look++) assert.deepEqual(await tree.find(), after);
		});

		test(`${git ? "by git" : "by walking"}, looking at what was touched is enough when ${change}`, async (t) => {
			const root = makeTree(t, git);
			settle(root);
			const tree = new KnownTree(root);
			const before = await tree.find();
			const watch = new FolderWatch(root);
			t.after(() => watch.close());
			await watch.follow(tree.folders ?? []);
			assert.equal(await tree.findChanged({}, watch.take()), undefined);
			make(root);
			const after = await findFiles(root);
			await watch.heard();
			assert.deepEqual(await tree.findChanged({}, watch.take()), after);
			assert.notDeepEqual(after, before);
		});
	}
}

test("an ignored file that was added to git is found", async (t) => {
	const root = makeTree(t, true);
	settle(root);
	const tree = new KnownTree(root);
	for (let look = 0; look < 3; look++) await tree.find();
	execFileSync("git", ["add", "-f", "built/out.js"], { cwd: root });
	assert.ok((await tree.find()).files.some(({ path }) => path === "built/out.js"));
});

test("in a touched folder, files that no longer count are dropped and those that count again are added", async (t) => {
	const root = makeTree(t, false);
	settle(root);
	const tree = new KnownTree(root);
	const limits = { maxFileBytes: 100 };
	const before = await tree.find(limits);
	const touched = new Set([join(root, "src")]);
	appendFileSync(join(root, "src/b.ts"), "x".repeat(200));
	const without = await tree.find(limits, touched);
	assert.deepEqual(without, await findFiles(root, limits));
	assert.equal(without.files.length, before.files.length - 1);
	writeFileSync(join(root, "src/b.ts"), "small again");
	assert.deepEqual(await tree.find(limits, touched), await findFiles(root, limits));
});

test("folders that were not touched are not checked", async (t) => {
	const root = makeTree(t, false);
	settle(root);
	const tree = new KnownTree(root);
	const before = await tree.find();
	appendFileSync(join(root, "src/b.ts"), "more");
	assert.equal(await tree.findChanged({}, new Set([root])), undefined);
	assert.deepEqual(await tree.find({}, new Set()), before);
	assert.deepEqual(await tree.findChanged({}, new Set([join(root, "src")])), await findFiles(root));
});

test("unchanged folders are not listed again", async (t) => {
	const root = makeTree(t, false);
	settle(root);
	const tree = new KnownTree(root);
	await tree.find();
	const listed = await tree.find();
	appendFileSync(join(root, "a.ts"), "more");
	const again = await tree.find();
	assert.notDeepEqual(again.files, listed.files);
	assert.ok(again.warnings === listed.warnings, "the warnings of one and the same listing");
	writeFileSync(join(root, "src/new.ts"), "new");
	assert.ok((await tree.find()).warnings !== listed.warnings);
});

test("a process continues from the state that another saved, and sees later changes", async (t) => {
	const root = makeTree(t, false);
	settle(root);
	const first = new KnownTree(root, takeMarks);
	const before = await first.find();
	assert.equal(await first.findChanged(), undefined);
	assert.ok(first.seen);
	const second = new KnownTree(root);
	second.restore(first.seen);
	assert.equal(await second.findChanged(), undefined);
	assert.deepEqual(await second.find(), before);
	appendFileSync(join(root, "src/b.ts"), "more");
	assert.deepEqual(await second.findChanged(), await findFiles(root));
	assert.equal(await second.findChanged(), undefined);
	writeFileSync(join(root, "src/new.ts"), "new");
	assert.deepEqual(await second.findChanged(), await findFiles(root));
});

test("a folder that changed just before it was checked is listed again", async (t) => {
	const root = makeTree(t, false);
	settle(root);
	utimesSync(join(root, "src"), new Date(), new Date());
	const tree = new KnownTree(root);
	await tree.find();
	const listed = await tree.find();
	assert.ok((await tree.find()).warnings !== listed.warnings);
});

test("a folder that has just changed is listed again only when a change in it is reported", async (t) => {
	const root = makeTree(t, false);
	settle(root);
	utimesSync(join(root, "src"), new Date(), new Date());
	const tree = new KnownTree(root);
	await tree.find();
	await tree.find({}, new Set([join(root, "src/deep")]));
	assert.equal(tree.listings, 1);
	await tree.find({}, new Set([join(root, "src")]));
	assert.equal(tree.listings, 2);
});
