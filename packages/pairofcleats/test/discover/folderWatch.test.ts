import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { FolderWatch } from "../../src/discover/folderWatch.ts";

type Watched = { readonly root: string; readonly folders: readonly string[]; readonly watch: FolderWatch };

async function watched(t: TestContext, whole?: boolean): Promise<Watched> {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "folder-watch-")));
	for (const folder of ["src/deep", "docs", "ignored"]) mkdirSync(join(root, folder), { recursive: true });
	for (const path of ["a.ts", "src/b.ts", "src/deep/c.ts"]) writeFileSync(join(root, path), path);
	const folders = ["", "/src", "/src/deep", "/docs"].map((folder) => root + folder);
	const watch = new FolderWatch(root, whole);
	t.after(() => {
		watch.close();
		rmSync(root, { recursive: true, force: true });
	});
	assert.equal(watch.take(), undefined, "nobody can tell before anything is watched");
	await watch.follow(folders);
	assert.deepEqual(watch.take(), new Set(folders), "what happened before it was watched is not known");
	return { root, folders, watch };
}

test("an edit touches only its own folder, and is reported once", async (t) => {
	const { root, watch } = await watched(t);
	assert.equal(watch.touched, false);
	appendFileSync(join(root, "src/deep/c.ts"), "more");
	await watch.heard();
	assert.equal(watch.touched, true);
	assert.deepEqual(watch.take(), new Set([join(root, "src/deep")]));
	assert.deepEqual(watch.take(), new Set());
});

test("changes in folders that are not watched are not reported", async (t) => {
	const { root, watch } = await watched(t);
	writeFileSync(join(root, "ignored/out.js"), "built");
	await watch.heard();
	assert.equal(watch.touched, false);
});

test("a folder that is replaced by another of the same name is watched again", async (t) => {
	const { root, folders, watch } = await watched(t);
	renameSync(join(root, "src"), join(root, "old"));
	mkdirSync(join(root, "src/deep"), { recursive: true });
	await watch.heard();
	const touched = watch.take();
	for (const folder of [root, join(root, "src"), join(root, "src/deep")]) assert.ok(touched?.has(folder), folder);
	await watch.follow(folders);
	watch.take();
	writeFileSync(join(root, "src/deep/new.ts"), "new");
	await watch.heard();
	assert.deepEqual(watch.take(), new Set([join(root, "src/deep")]));
	appendFileSync(join(root, "old/b.ts"), "more");
	await watch.heard();
	assert.deepEqual(watch.take(), new Set(), "the folder that was moved away is let go");
});

test("a missing folder does not prevent watching the others", async (t) => {
	const { root, folders, watch } = await watched(t);
	await watch.follow([...folders, join(root, "never")]);
	watch.take();
	appendFileSync(join(root, "a.ts"), "more");
	await watch.heard();
	assert.deepEqual(watch.take(), new Set([root]));
});

test("with more folders than the limit, nothing is watched", async (t) => {
	const { root, watch } = await watched(t);
	await watch.follow(Array.from({ length: 10_001 }, (_, at) => join(root, String(at))));
	appendFileSync(join(root, "a.ts"), "more");
	await watch.heard();
	assert.equal(watch.touched, false);
	assert.equal(watch.take(), undefined);
});

test("after closing, it reports nothing and keeps nothing open", async (t) => {
	const { root, folders, watch } = await watched(t);
	watch.close();
	await watch.follow(folders);
	appendFileSync(join(root, "a.ts"), "more");
	await watch.heard();
	assert.equal(watch.take(), undefined);
	assert.deepEqual(
		process.getActiveResourcesInfo().filter((name) => name === "FSEvent"),
		[],
	);
});

test("on systems that watch a whole tree at once, the same folders are reported", async (t) => {
	const { root, watch } = await watched(t, true);
	appendFileSync(join(root, "src/b.ts"), "more");
	writeFileSync(join(root, "ignored/out.js"), "built");
	for (let tries = 0; tries < 100 && !watch.touched; tries++) await wait(20);
	const touched = watch.take();
	assert.ok(touched?.has(join(root, "src")));
	assert.ok(!touched?.has(join(root, "ignored")));
});
