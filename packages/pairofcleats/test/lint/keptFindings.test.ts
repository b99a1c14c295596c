import assert from "node:assert/strict";
import { test } from "node:test";
import { buildIndex, updateIndex } from "../../src/index/indexer.ts";
import { indexFolder } from "../../src/store/indexFolder.ts";
import { fixtureOf, writeFiles } from "../filter/fixtureRepository.ts";

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
	const folder = indexFolder(cacheRoot, root);
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
