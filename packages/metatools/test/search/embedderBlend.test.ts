import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadConfig } from "../../src/config/load.ts";
import { type Embedder, hybrid } from "../../src/search/meaning/embedderBlend.ts";
import type { SearchDocument } from "../../src/search/strategy.ts";
import { bm25 } from "../../src/search/words/bm25.ts";
import { chooseStrategy } from "../../src/server/strategyFor.ts";

const document = (id: string, description: string): SearchDocument => ({
	id,
	name: id,
	namespace: "",
	description,
	tags: [],
	parameters: [],
	server: "",
});
const DOCUMENTS = [
	document("feline", "Pets that purr."),
	document("canine", "Pets that bark."),
	document("ledger", "Accounts."),
];
// Two dimensions of meaning: cats and dogs.
const embed: Embedder = async (texts) =>
	texts.map((text) => [Number(/feline|cat|kitten/.test(text)), Number(/canine|dog/.test(text))]);

test("meaning finds what words cannot, and words still count", async () => {
	const index = hybrid(bm25(), async () => embed, 0.5).build(DOCUMENTS);
	assert.deepEqual(
		(await index.search(["kitten"])).map((hit) => hit.id),
		["feline"],
	);
	assert.equal((await index.search(["dog accounts"]))[0]?.id, "canine");
	assert.equal((await index.search(["accounts"]))[0]?.id, "ledger");
});

test("an embedder that fails leaves the words' own ranking", async (t) => {
	const warnings: string[] = [];
	t.mock.method(process, "emitWarning", (text: string) => warnings.push(text));
	const index = hybrid(bm25(), async () => Promise.reject(new Error("no model")), 0.5).build(DOCUMENTS);
	assert.equal((await index.search(["accounts"]))[0]?.id, "ledger");
	assert.match(warnings[0] ?? "", /no model/);
});

// In a process of its own: the test runner would take an unhandled rejection for itself.
test("an embedder whose calls fail, at once or late, leaves the words' own ranking and ends nothing", (t) => {
	const folder = mkdtempSync(join(tmpdir(), "metatools-embedder-"));
	t.after(() => rmSync(folder, { recursive: true }));
	const script = join(folder, "searches.ts");
	const source = (name: string) => JSON.stringify(new URL(`../../src/search/${name}.ts`, import.meta.url).href);
	writeFileSync(
		script,
		`import { setTimeout as delay } from "node:timers/promises";
		import { bm25 } from ${source("words/bm25")};
		import { hybrid } from ${source("meaning/embedderBlend")};
		const documents = ${JSON.stringify(DOCUMENTS)};
		const down = async (afterMs) => {
			await delay(afterMs);
			throw new Error("down");
		};
		for (const [ofDocuments, ofQueries] of [[0, 0], [20, 0], [0, 20]]) {
			const embed = (texts) => down(texts.length === documents.length ? ofDocuments : ofQueries);
			const hits = await hybrid(bm25(), async () => embed, 0.5).build(documents).search(["accounts"]);
			console.log(hits[0].id);
			await delay(40);
		}`,
	);
	const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
	assert.equal(status, 0, stderr);
	assert.deepEqual(stdout.trim().split("\n"), ["ledger", "ledger", "ledger"]);
	assert.match(stderr, /the embedder failed: down/);
});

test("the environment names the module and its share", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "metatools-embedder-"));
	t.after(() => rmSync(folder, { recursive: true }));
	const module = join(folder, "embedder.mjs");
	writeFileSync(
		module,
		"export const embed = async (texts) => texts.map((text) => [/ledger|money/.test(text) ? 1 : 0]);",
	);
	const { settings } = loadConfig({
		flags: {},
		configFile: "",
		environment: { METATOOLS_SEARCH_SEMANTIC_EMBEDDER: module, METATOOLS_SEARCH_SEMANTIC_WEIGHT: "0.9" },
	});
	const strategy = chooseStrategy(settings);
	assert.equal(strategy.name, "bm25+semantic");
	assert.equal((await strategy.build(DOCUMENTS).search(["money"]))[0]?.id, "ledger");
});
