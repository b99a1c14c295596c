import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { buildIndex, updateIndex } from "../../src/index/indexer.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { commit, fixtureOf, git, pathsFound, writeFiles } from "../filter/fixtureRepository.ts";

const FILES = {
	"a.js": "function first() {\n\treturn 1;\n}\n\nfunction second() {\n\treturn 2;\n}\n",
	"b.js": "function third() {\n\treturn 3;\n}\n",
};

function sarif(tool: string, rule: string, uri: string, startLine: number): string {
	const locations = [{ physicalLocation: { artifactLocation: { uri }, region: { startLine } } }];
	const results = startLine === 0 ? [] : [{ ruleId: rule, message: { text: "" }, locations }];
	return JSON.stringify({ runs: [{ tool: { driver: { name: tool } }, results }] });
}

test("findings survive other tools' reports and rebuilds, but not edits of their file", async () => {
	const { root, cacheRoot, repository, remove } = await fixtureOf(FILES, { freshnessMs: 0 });
	const folder = openIndexFolder(cacheRoot, root);
	const found = async (): Promise<string[]> => {
		const { hits } = await repository.search({ query: "*", lint: true, output: "full" });
		return hits.flatMap(({ name, lint = [] }) => lint.map(({ rule }) => `${name} ${rule}`)).sort();
	};
	assert.equal((await repository.importLint(sarif("One", "o1", "a.js", 2))).source, "one");
	await repository.importLint(sarif("Two", "t1", "a.js", 6));
	await repository.importLint(sarif("Two", "t2", "b.js", 2));
	assert.deepEqual(await found(), ["first o1", "third t2"], "a tool's report replaces its own, and no other's");
	await buildIndex({ root, folder });
	assert.deepEqual(await found(), ["first o1", "third t2"], "after a rebuild");
	writeFiles(root, { "a.js": `// One more line\n// and another\n${FILES["a.js"]}` });
	await updateIndex({ root, folder });
	assert.deepEqual(await found(), ["third t2"], "lines have moved, so nothing is said of them");
	writeFiles(root, { "b.js": "function third() {}\n" });
	await buildIndex({ root, folder });
	assert.deepEqual(await found(), [], "a rebuild takes nothing over for a file that changed");
	await repository.importLint(sarif("One", "o2", "a.js", 4));
	await repository.importLint(sarif("One", "", "", 0));
	assert.deepEqual(await found(), [], "a tool that finds nothing any more");
	await remove();
});

test("rules, line authors and findings stay with an index that is of another version or partly damaged", async (t) => {
	const { root, cacheRoot, repository, remove } = await fixtureOf(FILES, {
		freshnessMs: 0,
		history: (root) => {
			git(root, "init", "-q");
			commit(root, "Ada", "2024-01-01T00:00:00Z");
		},
	});
	t.after(remove);
	const rules = join(dirname(root), "rules.json");
	writeFileSync(rules, JSON.stringify({ sinks: [{ name: "third", category: "call", patterns: ["third()"] }] }));
	const folder = openIndexFolder(cacheRoot, root);
	await buildIndex({ root, folder, build: { blame: true } });
	await updateIndex({ root, folder, build: { riskRules: rules } });
	await repository.importLint(sarif("One", "o1", "a.js", 2));
	await repository.importLint(sarif("Two", "t2", "b.js", 2));
	const ruined = [
		["another version", "UPDATE meta SET value = '17' WHERE key = 'version'", () => updateIndex({ root, folder })],
		[
			"a damaged segment",
			"UPDATE segments SET files = x'00'",
			() => buildIndex({ root, folder, build: { blame: true } }),
		],
	] as const;
	for (const [what, sql, replace] of ruined) {
		const database = new DatabaseSync(folder.current() ?? "");
		database.exec(sql);
		const riskRules = database.prepare("SELECT value FROM meta WHERE key = 'riskRules'").get()?.value;
		database.close();
		writeFiles(root, { "a.js": `${FILES["a.js"]}// ${what}\n` });
		const report = await replace();
		assert.deepEqual([report.kind, report.warnings], ["build", []], what);
		assert.deepEqual(await pathsFound(repository, { query: "*", lint: true }), ["b.js"], `${what}, a.js has changed`);
		assert.deepEqual(await pathsFound(repository, { query: "*", chunkAuthor: "Ada" }), ["a.js", "b.js"], what);
		const now = new DatabaseSync(folder.current() ?? "");
		assert.equal(now.prepare("SELECT value FROM meta WHERE key = 'riskRules'").get()?.value, riskRules, what);
		now.close();
		assert.notEqual(riskRules, "", "they were given");
	}
});

test("when an index is so damaged that nothing of it can be read, the new one's report says what may be lost", async (t) => {
	const { root, cacheRoot, remove } = await fixtureOf(FILES);
	t.after(remove);
	const folder = openIndexFolder(cacheRoot, root);
	const file = folder.current() ?? "";
	for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
	writeFileSync(file, "no index at all".repeat(1_000));
	const { warnings } = await buildIndex({ root, folder });
	assert.equal(warnings.length, 2);
	assert.match(
		warnings[0] ?? "",
		/^the index was damaged and has been built again; the damaged file is kept beside it/,
	);
	assert.match(warnings[1] ?? "", /^the old index is damaged: if it had risk rules/);
});

test("a hit with very many findings shows the first ones, and a warning gives their number", async () => {
	const { repository, remove } = await fixtureOf(FILES);
	const at = (startLine: number): unknown => ({
		ruleId: `r${startLine}`,
		message: { text: "wrong" },
		locations: [{ physicalLocation: { artifactLocation: { uri: "a.js" }, region: { startLine } } }],
	});
	const results = [at(2), ...Array.from({ length: 3_000 }, () => at(3)), at(6)];
	await repository.importLint(JSON.stringify({ runs: [{ tool: { driver: { name: "One" } }, results }] }));
	const { hits, warnings } = await repository.search({ query: "*", lint: true, output: "full" });
	assert.deepEqual(
		hits.map(({ name, lint = [] }) => [name, lint.length, lint[0]?.rule]),
		[
			["first", 100, "r2"],
			["second", 1, "r6"],
		],
	);
	assert.deepEqual(warnings, [
		{ code: "findings_capped", message: "a.js:1-3 has 3001 lint findings; the first 100 are given" },
	]);
	await remove();
});
