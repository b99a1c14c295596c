import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParsedFile } from "../../src/parse/chunk.ts";
import { parseFile } from "../../src/parse/parseFile.ts";

/** `kind name` of every chunk and symbol, in file order. */
function declared({ chunks }: ParsedFile): string[] {
	return chunks
		.flatMap(({ kind, name, startLine, symbols = [] }) => [{ kind, name, line: startLine }, ...symbols])
		.filter(({ name }) => name !== "")
		.map(({ kind, name }) => `${kind} ${name}`);
}

test("SCSS with modules, maps, content blocks, nested properties and placeholders loses no declaration", async () => {
	const parsed = await parseFile(
		"a.scss",
		`@use "sass:map";
@use 'theme' as th with ($black: #222, $radius: 1px);
@forward "src/list" hide list-reset, $gap;
$breakpoints: ("small": 576px, "large": (a: 1px, b: 2px),) !default;
$primary: th.$black !default;
%shared { border: 1px solid; }
@mixin media($name, $rest...) {
  $local: map.get($breakpoints, $name);
  @media (min-width: $local) { @content; }
}
.info {
  @include th.button();
  @include media("small") using ($x) { color: $x; }
  font: { family: Arial; size: 12px; }
  background: url(data:image/png;base64,AAAA) no-repeat; // not the end; of it
  > .child:not(pre *):has(~ .other) { --#{$prefix}a: 1; --gap: 2px; }
  &__part { width: calc(100% - #{map.get($breakpoints, "small")}); }
}
@container side (min-width: $wide) {
  .contained { a: b; }
}
@keyframes spin { 0%, 50% { a: b; } to { c: d; } }
.last { a: b }
`,
	);
	assert.deepEqual(parsed.imports, ["sass:map", "theme", "src/list"]);
	assert.deepEqual(parsed.parseErrors, []);
	assert.deepEqual(declared(parsed), [
		"variable $breakpoints",
		"variable $primary",
		"rule shared",
		"function media",
		"rule (min-width: $local)",
		"rule .info",
		"rule > .child:not(pre *):has(~ .other)",
		"property --gap",
		"rule &__part",
		"rule .contained",
		"rule spin",
		"rule .last",
	]);
	const facts = (name: string) => parsed.chunks.find((chunk) => chunk.name === name)?.facts;
	assert.deepEqual(facts("media")?.params, ["$name", "$rest"]);
	assert.deepEqual(facts("media")?.calls, ["get", "map.get"]);
	assert.equal(facts("media")?.signature, "@mixin media($name, $rest...)");
	assert.deepEqual(facts(".info")?.calls, ["button", "th.button", "media", "url", "calc", "get", "map.get"]);
});

test("mixins, guards, detached rules, variables and imports are found in Less", async () => {
	const parsed = await parseFile(
		"a.less",
		`@import (reference) "foo";
@page-edge: 1px;
@detached: { .inside { a: b; } };
/* Draws a border. */
.bordered(@top: 1px; @bottom: 2px) when (iscolor(@c)) {
  border-top: dotted @top black;
}
#ns { .deep() { c: d; } }
.box when (@mode = huge) {
  .bordered(1px; 2px);
  #ns > .deep();
  color: darken(@page-edge, 10%);
  .@{name}-part { a: b; }
}
@page :first { margin: 1in; }
@media @phone { .small { a: b; } }
`,
	);
	assert.deepEqual(parsed.imports, ["foo"]);
	assert.deepEqual(declared(parsed), [
		"variable @page-edge",
		"variable @detached",
		"rule .inside",
		"function bordered",
		"rule #ns",
		"function deep",
		"rule .box when (@mode = huge)",
		"rule .@{name}-part",
		"rule @phone",
		"rule .small",
	]);
	const bordered = parsed.chunks.find(({ name }) => name === "bordered")?.facts;
	assert.deepEqual([bordered?.params, bordered?.docstring], [["@top", "@bottom"], "Draws a border."]);
	assert.deepEqual(parsed.chunks.find(({ name }) => name.startsWith(".box"))?.facts?.calls, [
		"bordered",
		"deep",
		"darken",
	]);
});

test("a truncated or hostile style sheet is parsed in one pass", async () => {
	const broken = await parseFile("a.scss", '.a { b: "open\n c: d; }\n.next { x: y(z }\n}}} .after { e: f }\n/* open');
	assert.deepEqual(declared(broken), ["rule .a", "rule .next", "rule .after"]);
	for (const piece of [
		'\\"',
		"{",
		"}",
		"(",
		"#{ #{b} ",
		"url(",
		"/*",
		")when @{x}",
		".a>",
		"$a:b;",
		"a{",
		"@",
		"1%,",
	]) {
		for (const name of ["a.scss", "a.less"]) {
			const cpu = process.cpuUsage();
			await parseFile(name, piece.repeat(300_000 / piece.length));
			const { user, system } = process.cpuUsage(cpu);
			assert.ok(user + system < 20_000_000, `${piece} in ${name} took ${(user + system) / 1e6} s`);
		}
	}
});
