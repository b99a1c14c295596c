import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chunk } from "../../src/parse/chunk.ts";
import { LANGUAGE_FACTS } from "../../src/parse/languageFacts.ts";
import { parseFile } from "../../src/parse/parseFile.ts";

const VUE = `<script setup lang="ts">
import { ref } from "vue";

const props = defineProps<{ id: string }>();

/** Shows what the address says. */
async function show(target: HTMLElement): Promise<void> {
  const asked = location.hash;
  target.innerHTML = asked;
}
</script>

<template>
  <main :id="props.id" @click="show($event.target)">
    <p v-if="1 < 2">Nothing to see</p>
  </main>
</template>

<style scoped lang="scss">
$wide: 10px;

@mixin spread($by) {
  margin: $by;
  padding: $by;
}
</style>
`;

const SVELTE = `<!-- <script> let commented = 1; </script> -->
<script module>
  export const limit = 3;
</script>

<script lang="ts" generics="T extends Record<string, number>">
  let { rows }: { rows: T[] } = $props();

  class Page {
    next() {
      return limit;
    }
  }
</script>

{#each rows as row}
  {#if row.a < limit}<Cell {row} on:click={() => limit > 1} />{/if}
{/each}

<style>
  .cell {
    color: red;
    margin: 0;
  }
</style>
`;

const ASTRO = `---
import Card from "./Card.astro";

interface Props {
  title: string;
}

const { title } = Astro.props as Props;
---

<Card>{title}</Card>

<script>
  function toggle(open: boolean): boolean {
    return !open;
  }
</script>
<script type="application/ld+json">
  { "function": 1 }
</script>
`;

const places = (chunks: readonly Chunk[]): string[] =>
	chunks
		.filter(({ name }) => name !== "")
		.map(({ kind, qualifiedName, startLine, endLine }) => `${kind} ${qualifiedName} ${startLine}-${endLine}`);

test("a Vue component is its script's declarations, its style's rules and itself, each on its own lines", async () => {
	const { chunks, imports, parseErrors, language, method, prose } = await parseFile("src/UserCard.vue", VUE);
	assert.deepEqual(parseErrors, []);
	assert.deepEqual([language, method, imports], ["vue", "grammar", ["vue"]]);
	assert.deepEqual(places(chunks), ["module UserCard 1-4", "function show 6-10", "function spread 22-25"]);
	const [whole, show] = chunks;
	assert.equal(whole?.extentEndLine, 25);
	assert.deepEqual(whole?.symbols?.[0], { kind: "variable", name: "props", line: 4 });
	assert.deepEqual(whole?.facts?.calls, ["defineProps"]);
	assert.equal(show?.nameLine, 7);
	assert.equal(VUE.slice(show?.start, show?.end), `${VUE.split("\n").slice(5, 10).join("\n")}\n`);
	assert.deepEqual(
		[show?.facts?.async, show?.facts?.returnType, show?.facts?.docstring, show?.facts?.risk?.flows],
		[true, "Promise<void>", "Shows what the address says.", ["browser-input->html-write"]],
	);
	assert.deepEqual(
		prose.map(({ startLine }) => startLine),
		[6],
	);
	const template = chunks.find(({ startLine, endLine }) => startLine <= 15 && endLine >= 15);
	assert.match(VUE.slice(template?.start, template?.end), /Nothing to see/);
});

test("a Svelte component has the declarations of all its scripts, except those that are commented out", async () => {
	const { chunks, exports, parseErrors, language } = await parseFile("Pager.svelte", SVELTE);
	assert.deepEqual([parseErrors, language, exports], [[], "svelte", ["limit"]]);
	assert.deepEqual(places(chunks), [
		"module Pager 1-3",
		"class Page 9-9",
		"method Page.next 10-12",
		"rule .cell 21-24",
	]);
	assert.deepEqual(
		chunks.flatMap(({ symbols = [] }) => symbols.map(({ name, line }) => `${name} ${line}`)),
		["limit 3", "rows 7"],
	);
});

test("an Astro component is read from its frontmatter on, its scripts as TypeScript and its data as text", async () => {
	const { chunks, imports, parseErrors, language } = await parseFile("pages/Home.astro", ASTRO);
	assert.deepEqual([parseErrors, language, imports], [[], "astro", ["./Card.astro"]]);
	assert.deepEqual(places(chunks), ["module Home 2-2", "interface Props 4-6", "function toggle 14-16"]);
	assert.ok(chunks.some(({ startLine, endLine }) => startLine <= 19 && endLine >= 19));
});

test("a script on the same lines as its tags is parsed, and one on the same lines as markup is treated as markup", async () => {
	const alone = await parseFile("A.svelte", "<script>export let name; function go() {}</script>\n<p>Hello</p>\n");
	assert.deepEqual(places(alone.chunks), ["module A 1-1"]);
	assert.deepEqual(
		alone.chunks[0]?.symbols?.map(({ name }) => name),
		["name", "go"],
	);
	const shared = await parseFile("A.svelte", "<script>\nfunction go() {\n}</script><p>Hello</p>\n");
	assert.deepEqual(places(shared.chunks), ["module A 1-3"]);
});

test("blocks are found with any line ending, byte-order mark and letter case", async () => {
	const text = "\uFEFF<SCRIPT LANG='TS' setup>\nfunction go(to: number) {\n  return to;\n}\n</SCRIPT >\n";
	const crlf = text.replaceAll("\n", "\r\n");
	for (const written of [text, crlf]) {
		const { chunks, parseErrors } = await parseFile("A.vue", written);
		assert.deepEqual([places(chunks), parseErrors], [["module A 1-1", "function go 2-4"], []]);
	}
});

test("an unclosed block or tag is treated as text", async () => {
	for (const text of [
		"<script>\nfunction go() {\n}\n",
		"<script lang='ts\nfunction go() {\n}\n</script>\n",
		"<!-- <script>\nfunction go() {\n}\n</script>\n",
		"---\nfunction go() {\n}\n<p>Hello</p>\n",
	]) {
		const { chunks, method } = await parseFile("A.astro", text);
		assert.equal(method, "lines");
		assert.deepEqual(
			chunks.map(({ name }) => name),
			["A"],
		);
	}
});

test("many unclosed tags are scanned in linear time", {
	timeout: 120_000,
}, async () => {
	for (const piece of ["<script>\n", "<style a='\n", "<!-- ", "<script {\n", "\n \n", "<script>\na\n</script>\n"]) {
		const text = piece.repeat(1_000_000 / piece.length);
		for (const extension of ["vue", "svelte", "astro"]) await parseFile(`A.${extension}`, text);
	}
});

test("a component supports the same facts as its scripts", () => {
	for (const id of ["vue", "svelte", "astro"]) {
		const filled = LANGUAGE_FACTS.get(id);
		for (const field of ["params", "calls", "awaits", "reads", "inferredTypes", "risk"] as const)
			assert.ok(filled?.has(field), `${id} ${field}`);
	}
});
