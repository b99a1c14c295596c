import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtureOf } from "../filter/fixtureRepository.ts";

test("a line of many chunks is one hit, whose snippet has the part that was asked for", async (t) => {
	const items = Array.from({ length: 20_000 }, (_, at) => `"item${at}"`).join(",");
	const fixture = await fixtureOf({
		"src/table.js": `var table=[${items}];\n`,
		"src/small.js": "const first = item1;\nconst second = item2;\n",
	});
	t.after(() => fixture.remove());
	for (const item of ["item7", "item9999", "item19998"]) {
		const { hits, hasMore } = await fixture.repository.search({ query: item, path: "src/table.js" });
		assert.deepEqual(
			hits.map(({ path, startLine }) => `${path}:${startLine}`),
			["src/table.js:1"],
			item,
		);
		assert.equal(hasMore, false);
		assert.match(hits[0]?.snippet.lines[0] ?? "", new RegExp(`"${item}"`));
		assert.ok((hits[0]?.snippet.lines[0] ?? "").length < 500);
		assert.deepEqual(hits[0]?.snippet.matched, [1]);
	}
});

test("a comment and the code of its line are two hits", async (t) => {
	const fixture = await fixtureOf({ "x.py": "foo()  # needlefold\n" });
	t.after(() => fixture.remove());
	const { hits, totals } = await fixture.repository.search({ query: "needlefold", mode: "all" });
	assert.equal(totals.matches, 2);
	assert.deepEqual(hits.map(({ mode }) => mode).sort(), ["code", "extracted-prose"]);
});

test("an expression finds and excludes only the piece of a long line that it matches", async (t) => {
	const items = Array.from({ length: 20_000 }, (_, at) => `"item${at}"`).join(",");
	const fixture = await fixtureOf({ "src/table.js": `var first=1;\nvar table=[${items}];\nvar last=2;\n` });
	t.after(() => fixture.remove());
	for (const item of ["item7", "item9999", "item19998"]) {
		const { hits, totals } = await fixture.repository.search({ query: `/"${item}"/`, output: "full" });
		assert.equal(totals.matches, 1, item);
		assert.ok(hits[0]?.source?.includes(`"${item}"`), item);
		const shown = hits[0]?.snippet.lines.find((line) => line.includes(`"${item}"`)) ?? "";
		assert.ok(shown !== "" && shown.length < 500, item);
	}
	const all = await fixture.repository.search({ query: "*" });
	const others = await fixture.repository.search({ query: '* -/"item9999"/' });
	assert.ok(all.totals.matches > 10);
	assert.equal(others.totals.matches, all.totals.matches - 1);
});
