import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFile } from "../../src/parse/parseFile.ts";

const PAGE = `<!DOCTYPE html>
<html>
<head>
  <style>
    .card { color: red; }

    @media (min-width: 1px) {
      #app { margin: 0 }
    }
  </style>
  <script src="/a.js"></script>
  <script type="module">
    import { go } from "./go.js";

    /** Starts it. */
    export function start(id) {
      const shown = location.hash;
      document.getElementById(id).innerHTML = shown;
      go(id);
    }
    class Card {
      open() { return 1; }
    }
  </script>
  <script type="application/json">
    { "not": function () {} }
  </script>
</head>
<body>
  <main id="app">
    <p>hi</p>
    <script>
      start("app");
    </script>
    <section id="tail">
      <p>more</p>
      <p>and more</p>
    </section>
  </main>
</body>
</html>
`;

test("scripts and styles of an HTML page are parsed in their own languages, with the page's line numbers", async () => {
	const { chunks, imports, exports, parseErrors, prose } = await parseFile("a.html", PAGE);
	assert.deepEqual(parseErrors, []);
	const found = new Map(chunks.map((chunk) => [`${chunk.kind} ${chunk.qualifiedName}`, chunk]));
	const start = found.get("function start");
	assert.deepEqual([start?.startLine, start?.endLine, start?.nameLine], [15, 20, 16]);
	assert.equal(PAGE.slice(start?.start, start?.end).trim().split("\n").at(-1), "    }");
	assert.deepEqual(start?.facts?.risk?.flows, ["browser-input->html-write"]);
	assert.equal(start?.facts?.docstring, "Starts it.");
	assert.deepEqual([found.get("method Card.open")?.startLine, found.get("class Card")?.extentEndLine], [22, 23]);
	assert.ok(
		[...found.keys()].some((name) => name.startsWith("rule ")),
		[...found.keys()].join(),
	);
	assert.deepEqual([imports, exports], [["./go.js"], ["start"]]);
	assert.deepEqual(
		prose.map(({ startLine }) => startLine),
		[15],
	);
	const body = found.get("element main#app") ?? found.get("element body");
	assert.ok((body?.extentEndLine ?? 0) >= 38, JSON.stringify(body));
	assert.ok(chunks.some(({ facts, startLine }) => startLine === 33 && facts?.calls?.includes("start")));
});

test("the chunks of a page with scripts are in order, do not overlap and cover every line of text", async () => {
	const { chunks } = await parseFile("a.html", PAGE);
	const taken = new Set<number>();
	for (const [index, chunk] of chunks.entries()) {
		assert.ok(chunk.startLine > (chunks[index - 1]?.endLine ?? 0), JSON.stringify(chunk));
		for (let line = chunk.startLine; line <= chunk.endLine; line += 1) taken.add(line);
	}
	const lost = PAGE.split("\n").flatMap((line, index) =>
		/[a-z]/i.test(line.replace(/<\/\w+>/g, "")) && !taken.has(index + 1) ? [line] : [],
	);
	assert.deepEqual(lost, []);
});

test("what a template engine fills in hides no element of a page", async () => {
	const text = `{% extends "base.html" %}
<section id="list"{% if cl < 3 %} class="{% static "a" %}"{% endif %}>
  <link href="{% static "a.css" %}" {% nonce %}>
  <form id="f{{ form.id }}" title='{{ 'x' }}' {{ attrs }}>
    <p {% block attrs %}lang="x"{% endblock %}>{{ a > b }}</p>
  </form>
  <nav id="last"></nav>
</section>
`;
	const { chunks, parseErrors } = await parseFile("a.html", text);
	assert.deepEqual(parseErrors, []);
	assert.deepEqual(
		chunks.flatMap(({ name, symbols = [] }) => [name, ...symbols.map((one) => one.name)]),
		["", "section#list", "form#f", "nav#last"],
	);
});
