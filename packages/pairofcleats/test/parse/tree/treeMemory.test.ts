import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { Language, Parser } from "web-tree-sitter";
import { detectLanguage } from "../../../src/parse/detectLanguage.ts";
import { compileBaseline } from "../../../src/parse/tree/baselineCode.ts";
import { type FlatTree, flatten } from "../../../src/parse/tree/flatTree.ts";
import { GRAMMARS } from "../../../src/parse/tree/grammars.ts";
import { flattenMemory, readGrammarTables } from "../../../src/parse/tree/treeMemory.ts";

const LIMITS = { nodes: 100_000, depth: 500 };
const require = createRequire(import.meta.url);
const fixtures = new URL("../fixtures/data/", import.meta.url);

/** The runtime's memory as the module exposes it. */
type Heap = { HEAPU8: Uint8Array; HEAPU16: Uint16Array; HEAPU32: Uint32Array };
const module = {};
await Parser.init(module);

test("a tree read from memory equals the one from the public cursor, in every grammar and for broken text", async () => {
	const texts = fixtureTexts();
	const lacking = new Set<string>();
	for (const [name, source] of Object.entries(GRAMMARS)) {
		const text = texts.get(name) ?? 'module.f = (a, b) => { let c = [a, "b"]; return c }\n# end\n';
		const bytes = readFileSync(join(dirname(require.resolve(`${source.package}/package.json`)), source.file));
		// Some lexers need gigabytes to be optimised.
		if (source.large) compileBaseline(bytes);
		const parser = new Parser().setLanguage(await Language.load(bytes));
		for (const variant of [
			text,
			`${text.slice(0, text.length / 2)} ) } %% "${text.slice(9, 80)}`,
			"",
			"é漢 (",
			"{ f(a; }",
		]) {
			const [direct, walked] = bothWays(parser, variant);
			assert.ok(direct && walked && sameTree(direct, walked), `${name}: ${JSON.stringify(variant.slice(0, 40))}`);
			if (walked.missing.length > 0) lacking.add(name);
		}
		parser.delete();
	}
	assert.ok(lacking.size > 5, `only ${[...lacking].join(", ")} had missing tokens to compare`);
});

test("a tree beyond the limits is refused by both readers", async () => {
	const folder = dirname(require.resolve("@vscode/tree-sitter-wasm/package.json"));
	const parser = new Parser().setLanguage(await Language.load(join(folder, "wasm/tree-sitter-javascript.wasm")));
	const [direct, walked] = bothWays(parser, `${"[".repeat(600)}${"]".repeat(600)}`);
	assert.deepEqual([direct, walked], [undefined, undefined]);
	parser.delete();
});

/** A text of each grammar that has one. */
function fixtureTexts(): Map<string, string> {
	const texts = new Map<string, string>();
	for (const file of readdirSync(fixtures).filter((name) => name.endsWith(".txt"))) {
		const text = readFileSync(new URL(file, fixtures), "utf8");
		const { parser: how } = detectLanguage(file.replace(/\.txt$/, ""), text);
		if (how && "grammar" in how) texts.set(how.grammar, text);
	}
	return texts;
}

function bothWays(parser: Parser, text: string): [FlatTree | undefined, FlatTree | undefined] {
	const tree = parser.parse(text);
	assert.ok(tree);
	const heap = module as Heap;
	const memory = { bytes: heap.HEAPU8, halves: heap.HEAPU16, words: heap.HEAPU32 };
	const address = Number(Reflect.get(tree, 0));
	const direct = structuredClone(flattenMemory(text, address, memory, readGrammarTables(memory, address), LIMITS));
	const cursor = tree.walk();
	const walked = flatten(text, cursor, LIMITS);
	cursor.delete();
	tree.delete();
	return [direct, walked];
}

function sameTree(one: FlatTree, other: FlatTree): boolean {
	if (one.count !== other.count || one.missing.join() !== other.missing.join()) return false;
	for (const name of ["type", "field", "start", "end", "parent", "until"] as const) {
		for (let node = 0; node < one.count; node += 1) if (one[name][node] !== other[name][node]) return false;
	}
	return true;
}
