import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
	appendFileSync,
	existsSync,
	lutimesSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
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
import { setTimeout as wait } from "node:timers/promises";
import type { SearchRequest } from "../../src/query/request.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import { readTree } from "../../src/repo/refresh/agreement.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";

const LONG_AGO = new Date("2024-01-01T00:00:00Z");

type Place = { readonly root: string; readonly cacheRoot: string; readonly home: string; readonly treeFile: string };

/** A folder that is old enough to be trusted, with a home folder of its own for git. */
function makePlace(t: TestContext, git: boolean): Place {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "agreement-")));
	t.after(() => rmSync(base, { recursive: true, force: true }));
	const [root, cacheRoot, home] = [join(base, "root"), join(base, "cache"), join(base, "home")];
	for (const folder of [join(root, "src"), join(root, "empty"), home]) mkdirSync(folder, { recursive: true });
	writeFileSync(join(root, ".gitignore"), "*.log\n");
	writeFileSync(join(root, "src/a.ts"), "export const gizmo = 1;\n");
	writeFileSync(join(root, "src/b.ts"), "export const gizmo = 2;\n");
	const { HOME, XDG_CONFIG_HOME } = process.env;
	t.after(() => Object.assign(process.env, HOME && { HOME }, XDG_CONFIG_HOME && { XDG_CONFIG_HOME }));
	process.env.HOME = home;
	delete process.env.XDG_CONFIG_HOME;
	if (git) {
		execFileSync("git", ["init", "-q"], { cwd: root });
		// The other files exist but are not tracked.
		execFileSync("git", ["add", ".gitignore", "src/a.ts"], { cwd: root });
	}
	settle(root);
	return { root, cacheRoot, home, treeFile: join(openIndexFolder(cacheRoot, root).path, "tree") };
}

function settle(path: string): void {
	for (const entry of readdirSync(path, { withFileTypes: true })) {
		const below = join(path, entry.name);
		if (entry.isDirectory()) settle(below);
		else if (entry.isFile()) utimesSync(below, LONG_AGO, LONG_AGO);
	}
	utimesSync(path, LONG_AGO, LONG_AGO);
}

/** Searches as a separate command would. */
async function pathsOf({ root, cacheRoot }: Place, request: SearchRequest = { query: "gizmo" }): Promise<string[]> {
	const repository = openRepository(root, {
		cacheRoot,
		model: null,
		freshnessMs: 0,
		recordsDir: join(root, "..", "records"),
	});
	try {
		if (!repository.indexed()) await repository.buildIndex();
		const { hits, warnings } = await repository.search({ mode: "all", ...request });
		assert.deepEqual(warnings, []);
		return [
			...new Set(hits.flatMap(({ path, duplicates }) => [path, ...(duplicates ?? []).map((twin) => twin.path)])),
		].sort();
	} finally {
		await repository.close();
	}
}

const CHANGES: Readonly<Record<string, { make(place: Place): void; finds: readonly string[] }>> = {
	"a file is written in place": {
		make: ({ root }) => writeFileSync(join(root, "src/b.ts"), "export const other = 2;\n"),
		finds: ["src/a.ts"],
	},
	"a file comes": {
		make: ({ root }) => writeFileSync(join(root, "empty/c.ts"), "export const gizmo = 3;\n"),
		finds: ["empty/c.ts", "src/a.ts", "src/b.ts"],
	},
	"a file goes": { make: ({ root }) => rmSync(join(root, "src/a.ts")), finds: ["src/b.ts"] },
	"a file takes another's name": {
		make: ({ root }) => renameSync(join(root, "src/a.ts"), join(root, "src/b.ts")),
		finds: ["src/b.ts"],
	},
	"an ignore file is written in place": {
		make: ({ root }) => appendFileSync(join(root, ".gitignore"), "b.ts\n"),
		finds: ["src/a.ts"],
	},
	"a record comes": {
		make: ({ root }) => {
			mkdirSync(join(root, "..", "records"));
			writeFileSync(join(root, "..", "records", "one.json"), JSON.stringify({ id: "one", summary: "gizmo" }));
		},
		finds: ["@records/one.json", "src/a.ts", "src/b.ts"],
	},
};

for (const git of [false, true]) {
	const how = git ? "by git" : "by walking";
	for (const [change, { make, finds }] of Object.entries(CHANGES)) {
		test(`${how}, a command that finds an agreement of another sees it when ${change}`, async (t) => {
			const place = makePlace(t, git);
			assert.deepEqual(await pathsOf(place), ["src/a.ts", "src/b.ts"]);
			assert.ok(existsSync(place.treeFile), "the build has left the agreement");
			assert.deepEqual(await pathsOf(place), ["src/a.ts", "src/b.ts"]);
			make(place);
			for (let command = 0; command < 2; command++) assert.deepEqual(await pathsOf(place), finds);
		});
	}
}

test("a user's ignore file that is created later is noticed", async (t) => {
	const place = makePlace(t, true);
	writeFileSync(join(place.root, "src/c.ts"), "export const gizmo = 3;\n");
	settle(place.root);
	assert.deepEqual(await pathsOf(place), ["src/a.ts", "src/b.ts", "src/c.ts"]);
	assert.ok(existsSync(place.treeFile));
	mkdirSync(join(place.home, ".config", "git"), { recursive: true });
	writeFileSync(join(place.home, ".config", "git", "ignore"), "c.ts\n");
	assert.deepEqual(await pathsOf(place), ["src/a.ts", "src/b.ts"]);
});

const ELSEWHERE: Readonly<Record<string, { settings: string; link?: string; file: string; text: string }>> = {
	"what a link to the user's ignore file leads to is written": {
		settings: "",
		link: ".config/git/ignore",
		file: "dotfiles/ignore",
		text: "c.ts\n",
	},
	"what a link to git's settings leads to is written": {
		settings: "",
		link: ".gitconfig",
		file: "dotfiles/gitconfig",
		text: '[core]\n\texcludesFile = "~/dotfiles/hidden"\n',
	},
	"settings that git's settings include are created later": {
		settings: "[include]\n\tpath = later\n",
		file: "later",
		text: '[core]\n\texcludesFile = "~/dotfiles/hidden"\n',
	},
};

for (const [change, { settings, link, file, text }] of Object.entries(ELSEWHERE))
	test(`a command that finds an agreement of another sees it when ${change}`, async (t) => {
		const place = makePlace(t, true);
		const { home, root } = place;
		writeFileSync(join(root, "src/c.ts"), "export const gizmo = 3;\n");
		for (const folder of ["dotfiles", ".config/git"]) mkdirSync(join(home, folder), { recursive: true });
		writeFileSync(join(home, ".gitconfig"), settings);
		writeFileSync(join(home, "dotfiles/hidden"), "c.ts\n");
		if (link !== undefined) {
			rmSync(join(home, link), { force: true });
			writeFileSync(join(home, file), "");
			symlinkSync(join(home, file), join(home, link));
			lutimesSync(join(home, link), LONG_AGO, LONG_AGO);
		}
		settle(home);
		settle(root);
		assert.deepEqual(await pathsOf(place), ["src/a.ts", "src/b.ts", "src/c.ts"]);
		assert.ok(existsSync(place.treeFile));
		writeFileSync(join(home, file), text);
		assert.deepEqual(await pathsOf(place), ["src/a.ts", "src/b.ts"]);
	});

test("what tells git more than files do leaves no agreement behind", async (t) => {
	const place = makePlace(t, true);
	process.env.GIT_CONFIG_COUNT = "0";
	t.after(() => {
		delete process.env.GIT_CONFIG_COUNT;
	});
	assert.deepEqual(await pathsOf(place), ["src/a.ts", "src/b.ts"]);
	assert.equal(existsSync(place.treeFile), false);
});

test("an agreement is kept from one command to the next and made anew after an edit", async (t) => {
	const place = makePlace(t, false);
	await pathsOf(place);
	const first = readFileSync(place.treeFile);
	await pathsOf(place);
	assert.ok(readFileSync(place.treeFile).equals(first));
	const stored = readTree(place.treeFile, place.root);
	assert.deepEqual(stored?.seen.listing.paths, [".gitignore", "src/a.ts", "src/b.ts"]);
	appendFileSync(join(place.root, "src/a.ts"), "export const more = 1;\n");
	await pathsOf(place);
	assert.ok(readFileSync(place.treeFile).equals(first), "the command that takes the edit in has not compared since");
	await pathsOf(place);
	assert.notEqual(readTree(place.treeFile, place.root)?.key, stored?.key);
});

for (const git of [false, true])
	test(`${git ? "by git" : "by walking"}, a command that finds changes leaves its listing to the next one`, async (t) => {
		const place = makePlace(t, git);
		await pathsOf(place);
		writeFileSync(join(place.root, "src/c.ts"), "export const gizmo = 3;\n");
		settle(place.root);
		assert.deepEqual(await pathsOf(place), ["src/a.ts", "src/b.ts", "src/c.ts"]);
		const left = readFileSync(place.treeFile);
		assert.deepEqual(readTree(place.treeFile, place.root)?.seen.listing.paths.at(-1), "src/c.ts");
		appendFileSync(join(place.root, "src/c.ts"), "export const gadget = 4;\n");
		assert.deepEqual(await pathsOf(place, { query: "gadget" }), ["src/c.ts"]);
		assert.ok(readFileSync(place.treeFile).equals(left), "nothing was listed");
		await pathsOf(place);
		assert.ok(!readFileSync(place.treeFile).equals(left), "the two agree now");
	});

test("a build that is asked for lists the files itself, so that it also mends a wrong agreement", async (t) => {
	const place = makePlace(t, true);
	const { PATH = "" } = process.env;
	t.after(() => {
		process.env.PATH = PATH;
	});
	writeFileSync(join(place.home, "git"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
	process.env.PATH = `${place.home}:${PATH}`;
	assert.deepEqual(await pathsOf(place), []);
	assert.ok(existsSync(place.treeFile));
	process.env.PATH = PATH;
	const repository = openRepository(place.root, { cacheRoot: place.cacheRoot, model: null, recordsDir: place.home });
	await repository.buildIndex();
	await repository.close();
	assert.deepEqual(await pathsOf(place), ["src/a.ts", "src/b.ts"]);
});

test("a running process sees a record that replaces another, however old their folder looks", async (t) => {
	const place = makePlace(t, false);
	const recordsDir = join(place.root, "..", "records");
	const put = (summary: string): void => {
		const draft = join(place.root, "..", "draft");
		writeFileSync(draft, JSON.stringify({ id: "one", summary }));
		renameSync(draft, join(recordsDir, "one.json"));
	};
	mkdirSync(recordsDir);
	put("gizmo");
	settle(recordsDir);
	const { root, cacheRoot } = place;
	const repository = openRepository(root, { cacheRoot, model: null, freshnessMs: 1, recordsDir });
	t.after(() => repository.close());
	await repository.buildIndex();
	const found = async (query: string): Promise<number> =>
		(await repository.search({ query, mode: "records" })).hits.length;
	assert.deepEqual([await found("gizmo"), await found("gizmo"), await found("quokka")], [1, 1, 0]);
	put("quokka");
	for (let tries = 0; tries < 200 && (await found("quokka")) === 0; tries++) await wait(50);
	assert.deepEqual([await found("gizmo"), await found("quokka")], [0, 1]);
});

test("an agreement does not grow with the number of records", async (t) => {
	const place = makePlace(t, false);
	const keyWith = async (records: number): Promise<string> => {
		for (let id = 0; id < records; id++)
			writeFileSync(join(place.root, "..", "records", `r${id}.json`), JSON.stringify({ id, summary: "other" }));
		for (let command = 0; command < 2; command++) await pathsOf(place);
		return readTree(place.treeFile, place.root)?.key ?? "";
	};
	mkdirSync(join(place.root, "..", "records"));
	const one = await keyWith(1);
	const many = await keyWith(50);
	assert.notEqual(one, many);
	assert.ok(many.length - one.length < 10, many);
});

test("an agreement that is damaged, or of another folder, is passed over", async (t) => {
	const place = makePlace(t, false);
	await pathsOf(place);
	const whole = readFileSync(place.treeFile);
	for (const bytes of [whole.subarray(0, 20), Buffer.from("not a tree"), Buffer.alloc(0), flipped(whole)]) {
		writeFileSync(place.treeFile, bytes);
		assert.equal(readTree(place.treeFile, place.root), undefined);
		assert.deepEqual(await pathsOf(place), ["src/a.ts", "src/b.ts"]);
	}
	const moved = { ...place, root: `${place.root}-moved` };
	renameSync(place.root, moved.root);
	renameSync(openIndexFolder(place.cacheRoot, place.root).path, openIndexFolder(place.cacheRoot, moved.root).path);
	writeFileSync(join(moved.root, "src/c.ts"), "export const gizmo = 3;\n");
	assert.deepEqual(await pathsOf(moved), ["src/a.ts", "src/b.ts", "src/c.ts"]);
});

function flipped(bytes: Buffer): Buffer {
	const copy = Buffer.from(bytes);
	const middle = copy.length >> 1;
	copy[middle] = (copy[middle] ?? 0) ^ 0xff;
	return copy;
}
