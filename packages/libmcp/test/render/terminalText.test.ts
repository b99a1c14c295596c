import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { folded, pad, widthOf } from "../../src/render/terminalText.ts";

test("a line too long for the terminal goes on under the column it is in", () => {
	const help = "  --token TOKEN  asked of every caller; others are let in by the configuration\n  --bare         short";
	assert.equal(
		folded(help, 44),
		[
			"  --token TOKEN  asked of every caller;",
			"                 others are let in by the",
			"                 configuration",
			"  --bare         short",
		].join("\n"),
	);
});

test("where that column is too far to the right it goes on a little indented", () => {
	const line = "ok  a server with quite a long name  ready in 20 ms";
	assert.equal(folded(line, 40), "ok  a server with quite a long name\n    ready in 20 ms");
	assert.equal(folded(`${" ".repeat(30)}a remedy`, 36), "    a remedy");
});

test("colours take no room, Chinese characters two columns, and marks none", () => {
	assert.equal(widthOf("\u001b[32mok\u001b[0m"), 2);
	assert.equal(widthOf("日本"), 4);
	assert.equal(widthOf("e\u0301"), 1);
	assert.equal(pad("日本", 6), "日本  ");
	assert.equal(folded("\u001b[31mone two three four\u001b[0m", 20), "\u001b[31mone two three four\u001b[0m");
});

test("whatever the text, folding loses no word, and only a single word is longer than the terminal", () => {
	const line = fc.array(fc.stringMatching(/^[a-z日]{1,30}$/), { minLength: 1, maxLength: 12 });
	fc.assert(
		fc.property(fc.array(line, { maxLength: 4 }), fc.integer({ min: 20, max: 90 }), (lines, columns) => {
			const text = lines.map((words) => words.join(" ")).join("\n");
			const shown = folded(text, columns);
			assert.deepEqual(shown.split(/\s+/), text.split(/\s+/));
			for (const one of shown.split("\n"))
				assert.ok(widthOf(one) <= columns || !one.trim().includes(" "), `${widthOf(one)} of ${columns}: ${one}`);
		}),
	);
	assert.equal(folded("a text for no terminal", 0), "a text for no terminal");
});
