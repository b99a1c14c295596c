import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { openRepository } from "../../src/repo/openRepository.ts";
import { runCaptured } from "../cli/captured.ts";
import { commit, type Fixture, fixtureOf, git, pathsFound, writeFiles } from "./fixtureRepository.ts";

const DAY_MS = 86_400_000;

describe("filters by history and diagnostics", () => {
	let fixture: Fixture;
	before(async () => {
		const files = {
			"old.ts": "export function gadgetOld() {\n\treturn 1;\n}\n",
			"busy.ts": "export function gadgetBusy() {\n\treturn 1;\n}\n",
		};
		fixture = await fixtureOf(files, {
			blame: true,
			history: (root) => {
				git(root, "init", "-q", "-b", "trunk");
				commit(root, "Jane Doe", "2020-03-01T12:00:00Z");
				for (let round = 2; round < 7; round++) {
					writeFiles(root, { "busy.ts": `export function gadgetBusy() {\n\treturn ${round};\n}\n` });
					commit(root, "Ravi Iyer", new Date(Date.now() - DAY_MS).toISOString());
				}
			},
		});
	});
	after(() => fixture.remove());
	const found = (request: object): Promise<string[]> =>
		pathsFound(fixture.repository, { query: "gadget", ...request }).then((paths) => paths.sort());

	verifies(
		"001-9.1-author",
		"author keeps files last changed by that author, and a name can contain spaces",
		async () => {
			assert.deepEqual(await found({}), ["busy.ts", "old.ts"]);
			assert.deepEqual(await found({ author: "jane doe" }), ["old.ts"]);
			assert.deepEqual(await found({ author: "Ravi" }), ["busy.ts"]);
			assert.deepEqual(await found({ author: "Jane Iyer" }), []);
		},
	);

	test("an unknown author, such as an email address, causes a warning that lists the existing names", async () => {
		const { warnings } = await fixture.repository.search({ query: "gadget", author: "ravi@example.org" });
		assert.deepEqual(warnings, [
			{
				code: "filter_without_data",
				field: "author",
				message: 'no file\'s last author has "ravi@example.org" in the name; there are Jane Doe, Ravi Iyer',
			},
		]);
	});

	verifies("001-9.1-chunk-author", "chunkAuthor keeps chunks with a line by that author", async () => {
		assert.deepEqual(await found({ chunkAuthor: "Jane Doe" }), ["busy.ts", "old.ts"]);
		assert.deepEqual(await found({ chunkAuthor: "ravi" }), ["busy.ts"]);
		assert.deepEqual(await found({ chunkAuthor: "Nobody" }), []);
	});

	test("an index with blame updates the authors of edited and newly committed lines, also in comments", async () => {
		const { repository, root, remove } = await fixtureOf(
			{ "a.ts": "// A comment.\nexport function gadget() {\n\treturn 1;\n}\n" },
			{
				blame: true,
				freshnessMs: 0,
				history: (folder) => {
					git(folder, "init", "-q", "-b", "trunk");
					commit(folder, "Jane Doe", "2020-03-01T12:00:00Z");
				},
			},
		);
		const by = (chunkAuthor: string): Promise<string[]> => pathsFound(repository, { query: "gadget", chunkAuthor });
		writeFiles(root, { "a.ts": "// A comment.\nexport function gadget() {\n\treturn 2;\n}\n" });
		assert.deepEqual(await by("jane"), ["a.ts"]);
		assert.deepEqual(await by("not committed"), ["a.ts"]);
		commit(root, "Ravi Iyer", "2021-03-01T12:00:00Z");
		assert.deepEqual(await by("ravi"), ["a.ts"]);
		assert.deepEqual(await by("not committed"), []);
		const comments = { query: "comment", mode: "extracted-prose" } as const;
		assert.deepEqual(await pathsFound(repository, { ...comments, chunkAuthor: "jane" }), ["a.ts"]);
		assert.deepEqual(await pathsFound(repository, { ...comments, chunkAuthor: "ravi" }), []);
		await remove();
	});

	test("lines get their new authors when commits are rewritten or renamed, though no text changed", async () => {
		const { repository, root, remove } = await fixtureOf(
			{ "a.ts": "export const gadget = 1;\n", "b.ts": "export const gadget = 2;\n" },
			{
				blame: true,
				freshnessMs: 0,
				history: (folder) => {
					git(folder, "init", "-q", "-b", "trunk");
					commit(folder, "Anna Ash", "2020-03-01T12:00:00Z", ["a.ts"]);
					commit(folder, "Berta Birch", "2020-04-01T12:00:00Z");
				},
			},
		);
		const by = (chunkAuthor: string): Promise<string[]> => pathsFound(repository, { query: "gadget", chunkAuthor });
		assert.deepEqual([await by("anna"), await by("berta")], [["a.ts"], ["b.ts"]]);
		git(root, "branch", "kept");
		const clara = ["-c", "user.name=Clara Cedar", "-c", "user.email=c@example.com"];
		git(root, ...clara, "commit", "-q", "--amend", "--no-edit", "--reset-author");
		assert.deepEqual([await by("anna"), await by("berta"), await by("clara")], [["a.ts"], [], ["b.ts"]]);
		git(root, "checkout", "-q", "kept");
		assert.deepEqual([await by("berta"), await by("clara")], [["b.ts"], []]);
		writeFiles(root, { ".mailmap": "Dora Deal <Anna.Ash@example.com>\n" });
		commit(root, "Berta Birch", "2020-05-01T12:00:00Z");
		assert.deepEqual([await by("anna"), await by("dora")], [[], ["a.ts"]]);
		await remove();
	});

	test("a build that says nothing of authors keeps them, and one that wants none drops them", async () => {
		const { root, cacheRoot, remove } = await fixtureOf(
			{ "a.ts": "export const gadget = 1;\n" },
			{
				history: (folder) => {
					git(folder, "init", "-q");
					commit(folder, "Anna Ash", "2020-03-01T12:00:00Z");
				},
			},
		);
		const repository = openRepository(root, { cacheRoot, model: null, freshnessMs: 0 });
		const byAnna = (): Promise<string[]> => pathsFound(repository, { query: "gadget", chunkAuthor: "anna" });
		const steps = [
			[() => repository.buildIndex(), []],
			[() => repository.buildIndex({ blame: true }), ["a.ts"]],
			[() => repository.buildIndex(), ["a.ts"]],
			[() => repository.updateIndex(), ["a.ts"]],
			[() => repository.buildIndex({ blame: false }), []],
			[() => runCaptured(["index", "build", "--repo", root, "--blame"]), ["a.ts"]],
			[() => runCaptured(["index", "build", "--repo", root]), ["a.ts"]],
			[() => runCaptured(["index", "update", "--repo", root, "--no-blame"]), []],
		] as const;
		const outer = process.env.PAIROFCLEATS_CACHE_ROOT;
		process.env.PAIROFCLEATS_CACHE_ROOT = cacheRoot;
		for (const [place, [step, paths]] of steps.entries()) {
			await step();
			assert.deepEqual(await byAnna(), paths, `step ${place}`);
		}
		if (outer === undefined) delete process.env.PAIROFCLEATS_CACHE_ROOT;
		else process.env.PAIROFCLEATS_CACHE_ROOT = outer;
		await repository.close();
		await remove();
	});

	test("a .mailmap renames authors at the top of the work tree, before it is committed and in an index of a folder", async () => {
		const { root, remove } = await fixtureOf(
			{ "sub/a.ts": "export const gadget = 1;\n" },
			{
				history: (folder) => {
					git(folder, "init", "-q", "-b", "trunk");
					commit(folder, "Anna Ash", "2020-03-01T12:00:00Z");
				},
			},
		);
		const cacheRoot = join(root, "..", "others");
		const options = { cacheRoot, model: null, freshnessMs: 0 };
		const whole = openRepository(root, options);
		const folder = openRepository(join(root, "sub"), options);
		const by = async (author: object): Promise<string[][]> =>
			Promise.all([whole, folder].map((repository) => pathsFound(repository, { query: "gadget", ...author })));
		for (const repository of [whole, folder]) await repository.buildIndex({ blame: true });
		const both = [["sub/a.ts"], ["a.ts"]];
		assert.deepEqual(await by({ author: "anna" }), both);
		writeFiles(root, { ".mailmap": "Dora Deal <Anna.Ash@example.com>\n" });
		for (const author of [{ author: "dora" }, { chunkAuthor: "dora" }]) assert.deepEqual(await by(author), both);
		commit(root, "Berta Birch", "2020-05-01T12:00:00Z");
		assert.deepEqual(await by({ author: "dora" }), both);
		rmSync(join(root, ".mailmap"));
		for (const author of [{ author: "anna" }, { chunkAuthor: "anna" }]) assert.deepEqual(await by(author), both);
		for (const repository of [whole, folder]) await repository.close();
		await remove();
	});

	test("a commit that git replaces counts as its replacement says", async () => {
		const { root, remove } = await fixtureOf(
			{ "a.ts": "export const gadget = 1;\n" },
			{
				history: (folder) => {
					git(folder, "init", "-q", "-b", "trunk");
					commit(folder, "Anna Ash", "2020-03-01T12:00:00Z");
					writeFiles(folder, { "b.ts": "export const other = 1;\n" });
					commit(folder, "Berta Birch", "2020-05-01T12:00:00Z");
				},
			},
		);
		const repository = openRepository(root, { cacheRoot: join(root, "..", "others"), model: null, freshnessMs: 0 });
		await repository.buildIndex();
		const by = (author: string): Promise<string[]> => pathsFound(repository, { query: "gadget", author });
		assert.deepEqual([await by("anna"), await by("berta")], [["a.ts"], []]);
		// Without its parent, the second commit made both files.
		git(root, "replace", "--graft", "HEAD");
		assert.deepEqual([await by("anna"), await by("berta")], [[], ["a.ts"]]);
		git(root, "replace", "-d", "HEAD");
		assert.deepEqual([await by("anna"), await by("berta")], [["a.ts"], []]);
		await repository.close();
		await remove();
	});

	verifies("001-9.1-churn-min", "churnMin keeps files with at least that many changed lines", async () => {
		assert.deepEqual(await found({ churnMin: 10 }), ["busy.ts"]);
		assert.deepEqual(await found({ churnMin: 1_000 }), []);
	});

	verifies(
		"001-9.1-modified-after",
		"modifiedAfter keeps what changed since that date, and a bad date is refused",
		async () => {
			assert.deepEqual(await found({ modifiedAfter: "2021-01-01" }), ["busy.ts"]);
			assert.deepEqual(await found({ modifiedAfter: "2020-01-01" }), ["busy.ts", "old.ts"]);
			assert.deepEqual(await found({ modifiedAfter: new Date(Date.now() + DAY_MS).toISOString() }), []);
			await assert.rejects(found({ modifiedAfter: "yesterday-ish" }), {
				code: "INVALID_REQUEST",
				message: /^modifiedAfter: expected a date/,
			});
		},
	);

	verifies("001-9.1-modified-since", "modifiedSince keeps what changed within that many days", async () => {
		assert.deepEqual(await found({ modifiedSince: 30 }), ["busy.ts"]);
		assert.deepEqual(await found({ modifiedSince: 0.5 }), []);
	});

	test("a shallow clone has no history to filter by, and a warning says so", async () => {
		const clone = await fixtureOf(
			{},
			{ history: (root) => git(root, "clone", "-q", "--depth=1", `file://${fixture.root}`, ".") },
		);
		const { hits, warnings } = await clone.repository.search({ query: "gadget", author: "Ravi" });
		assert.deepEqual(
			[hits.length, warnings.map(({ code, field }) => [code, field])],
			[0, [["filter_without_data", "author"]]],
		);
		await clone.remove();
	});

	test("commits that a shallow clone fetches later are taken in", async () => {
		const clone = await fixtureOf(
			{},
			{
				freshnessMs: 0,
				history: (root) => git(root, "clone", "-q", "--depth=1", `file://${fixture.root}`, "."),
			},
		);
		const found = () => pathsFound(clone.repository, { query: "gadget", author: "Ravi" });
		assert.deepEqual(await found(), []);
		git(clone.root, "fetch", "-q", "--unshallow");
		assert.deepEqual(await found(), await pathsFound(fixture.repository, { query: "gadget", author: "Ravi" }));
		assert.ok((await found()).length > 0);
		await clone.remove();
	});

	verifies(
		"001-9.1-branch",
		"branch restricts the search to an index of that branch; for another branch nothing is found, with a warning",
		async () => {
			assert.deepEqual(await found({ branch: "trunk" }), ["busy.ts", "old.ts"]);
			const other = await fixture.repository.search({ query: "gadget", branch: "release" });
			assert.equal(other.hits.length, 0);
			assert.deepEqual(other.warnings, [
				{ code: "branch_mismatch", field: "branch", message: "the index is of the branch trunk, not of release" },
			]);
		},
	);

	verifies("001-9.1-lint", "lint keeps chunks with findings, and false those without", async () => {
		assert.deepEqual(await found({ lint: true }), []);
		const report = [
			{
				filePath: `${fixture.root}/old.ts`,
				messages: [{ ruleId: "no-magic", line: 2, message: "No magic", severity: 1 }],
			},
		];
		assert.deepEqual(await fixture.repository.importLint(JSON.stringify(report)), {
			source: "eslint",
			imported: 1,
			files: 1,
			ignored: 0,
		});
		assert.deepEqual(await found({ lint: true }), ["old.ts"]);
		assert.deepEqual(await found({ lint: false }), ["busy.ts"]);
		const { hits } = await fixture.repository.search({ query: "gadget", lint: true, output: "full" });
		assert.deepEqual(hits[0]?.lint, [{ line: 2, rule: "no-magic", message: "No magic" }]);
		await assert.rejects(fixture.repository.importLint("not json"), { code: "INVALID_REQUEST" });
	});
});
