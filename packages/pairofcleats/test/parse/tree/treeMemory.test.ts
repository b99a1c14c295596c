import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { Language, Parser } from "web-tree-sitter";
import { detectLanguage } from "../../../src/parse/detectLanguage.ts";
import { type FlatTree, flatten, sameTree } from "../../../src/parse/tree/flatTree.ts";
import { GRAMMARS } from "../../../src/parse/tree/grammars.ts";
import { flattenMemory, grammarTables } from "../../../src/parse/tree/treeMemory.ts";

const LIMITS = { nodes: 100_000, depth: 500 };
const require = createRequire(import.meta.url);
const fixtures = new URL("../fixtures/data/", import.meta.url);

/** The runtime's memory as the module exposes it. */
type Heap = { HEAPU8: Uint8Array; HEAPU16: Uint16Array; HEAPU32: Uint32Array };
const module = {};
await Parser.init(module);

test("a tree read from memory equals the one from the public cursor, in every grammar and for broken text", async () => {
	const seen = new Set<string>();
	for (const file of readdirSync(fixtures).filter((name) => name.endsWith(".txt"))) {
		const text = readFileSync(new URL(file, fixtures), "utf8");
		const { parser: how } = detectLanguage(file.replace(/\.txt$/, ""), text);
		const source = how && "grammar" in how ? GRAMMARS[how.grammar] : undefined;
		if (!source || source.isolated || seen.has(source.file)) continue;
		seen.add(source.file);
		const folder = dirname(require.resolve(`${source.package}/package.json`));
		const parser = new Parser().setLanguage(await Language.load(join(folder, source.file)));
		for (const variant of [text, `${text.slice(0, text.length / 2)} ) } %% "${text.slice(9, 80)}`, "", "é漢 ("]) {
			const [direct, walked] = bothWays(parser, variant);
			assert.ok(direct && walked && sameTree(direct, walked), `${file}: ${JSON.stringify(variant.slice(0, 40))}`);
		}
		parser.delete();
	}
	assert.ok(seen.size >= 15, `${seen.size} grammars have a text to compare`);
});

test("a tree beyond the limits is refused by both readers", async () => {
	const folder = dirname(require.resolve("@vscode/tree-sitter-wasm/package.json"));
	const parser = new Parser().setLanguage(await Language.load(join(folder, "wasm/tree-sitter-javascript.wasm")));
	const [direct, walked] = bothWays(parser, `${"[".repeat(600)}${"]".repeat(600)}`);
	assert.deepEqual([direct, walked], [undefined, undefined]);
	parser.delete();
});

function bothWays(parser: Parser, text: string): [FlatTree | undefined, FlatTree | undefined] {
	const tree = parser.parse(text);
	assert.ok(tree);
	const heap = module as Heap;
	const memory = { bytes: heap.HEAPU8, halves: heap.HEAPU16, words: heap.HEAPU32 };
	const address = Number(Reflect.get(tree, 0));
	const direct = structuredClone(flattenMemory(text, address, memory, grammarTables(memory, address), LIMITS));
	const cursor = tree.walk();
	const walked = flatten(text, cursor, LIMITS);
	cursor.delete();
	tree.delete();
	return [direct, walked];
}
