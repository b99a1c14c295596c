import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { updateIndex } from "../../src/index/indexer.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { commit, fixtureOf, git, writeFiles } from "../filter/fixtureRepository.ts";

const FILES = {
	".gitignore": "gen.py\n",
	"a.py": "def widget(): pass\n",
	"b.py": "def widget(): pass\n",
	"gen.py": "def widget(): pass\n",
};

test("while git cannot list the files, the indexed ones stand, and every answer says so", async (t) => {
	const { root, cacheRoot, repository, remove } = await fixtureOf(FILES, {
		freshnessMs: 0,
		history: (place) => {
			git(place, "init", "-q");
			git(place, "add", "-f", "gen.py");
			commit(place, "Ada", "2024-01-01T00:00:00Z");
		},
	});
	t.after(remove);
	const found = async (query: string): Promise<unknown[]> => {
		const { hits, warnings } = await repository.search({ query });
		return [hits.map(({ path }) => path).sort(), ...warnings.map(({ code }) => code)];
	};
	const gitIndex = join(root, ".git/index");
	const sound = readFileSync(gitIndex);
	assert.deepEqual(await found("widget"), [["a.py", "b.py", "gen.py"]]);

	writeFileSync(gitIndex, "damaged");
	assert.deepEqual(await found("widget"), [["a.py", "b.py", "gen.py"], "index_stale"]);
	assert.deepEqual(await found("widget"), [["a.py", "b.py", "gen.py"], "index_stale"], "again");
	writeFiles(root, { "a.py": "def gadget(): pass\n", "new.py": "def gadget(): pass\n" });
	rmSync(join(root, "b.py"));
	assert.deepEqual(await found("gadget"), [["a.py"], "index_stale"], "edits count, and new files are missing");
	assert.deepEqual(await found("widget"), [["gen.py"], "index_stale"], "a deleted file is gone");
	const { warnings } = await updateIndex({ root, folder: openIndexFolder(cacheRoot, root) });
	assert.match(warnings.join(), /^git could not list the files \(.+\); new files are missing until it can$/);
	const status = await repository.status();
	assert.deepEqual(status.stale, { changed: 0, added: 0, removed: 0 });
	assert.deepEqual(status.warnings, warnings);

	writeFileSync(gitIndex, sound);
	assert.deepEqual(await found("gadget"), [["a.py", "new.py"]]);
	assert.deepEqual(await found("widget"), [["gen.py"]]);
});

test("a build and the status of its index say that git could not read the whole history", async (t) => {
	const { root, cacheRoot, repository, remove } = await fixtureOf(FILES, {
		freshnessMs: 0,
		history: (place) => {
			git(place, "init", "-q");
			commit(place, "Ada", "2024-01-01T00:00:00Z");
			writeFiles(place, { "c.py": "def gadget(): pass\n" });
			commit(place, "Bob", "2024-01-02T00:00:00Z");
			const tree = execFileSync("git", ["rev-parse", "HEAD~1^{tree}"], { cwd: place, encoding: "utf8" }).trim();
			rmSync(join(place, ".git/objects", tree.slice(0, 2), tree.slice(2)));
		},
	});
	t.after(remove);
	const { warnings } = await repository.status();
	assert.match(warnings.join(), /^git could not read the whole history: fatal: .+$/);
	writeFiles(root, { "d.py": "def thing(): pass\n" });
	const report = await updateIndex({ root, folder: openIndexFolder(cacheRoot, root) });
	assert.deepEqual(report.warnings, warnings);
});

test("an index that was made by walking is kept up to date by walking", async (t) => {
	const { root, repository, remove } = await fixtureOf(FILES, {
		freshnessMs: 0,
		history: (place) => {
			git(place, "init", "-q");
			writeFileSync(join(place, ".git/index"), "damaged");
		},
	});
	t.after(remove);
	writeFiles(root, { "new.py": "def widget(): pass\n" });
	const { hits, warnings } = await repository.search({ query: "widget" });
	assert.deepEqual(hits.map(({ path }) => path).sort(), ["a.py", "b.py", "new.py"]);
	assert.deepEqual(warnings, []);
});
