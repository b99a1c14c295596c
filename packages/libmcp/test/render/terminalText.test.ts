import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { foldText, measureWidth, padText } from "../../src/render/terminalText.ts";

test("a line too long for the terminal goes on under the column it is in", () => {
	const help = "  --token TOKEN  asked of every caller; others are let in by the configuration\n  --bare         short";
	assert.equal(
		foldText(help, 44),
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
	assert.equal(foldText(line, 40), "ok  a server with quite a long name\n    ready in 20 ms");
	assert.equal(foldText(`${" ".repeat(30)}a remedy`, 36), "    a remedy");
});

test("colours take no room, Chinese characters two columns, and marks none", () => {
	assert.equal(measureWidth("\u001b[32mok\u001b[0m"), 2);
	assert.equal(measureWidth("日本"), 4);
	assert.equal(measureWidth("e\u0301"), 1);
	assert.equal(padText("日本", 6), "日本  ");
	assert.equal(foldText("\u001b[31mone two three four\u001b[0m", 20), "\u001b[31mone two three four\u001b[0m");
});

test("whatever the text, folding loses no word, and only a single word is longer than the terminal", () => {
	const line = fc.array(fc.stringMatching(/^[a-z日]{1,30}$/), { minLength: 1, maxLength: 12 });
	fc.assert(
		fc.property(fc.array(line, { maxLength: 4 }), fc.integer({ min: 20, max: 90 }), (lines, columns) => {
			const text = lines.map((words) => words.join(" ")).join("\n");
			const shown = foldText(text, columns);
			assert.deepEqual(shown.split(/\s+/), text.split(/\s+/));
			for (const one of shown.split("\n"))
				assert.ok(
					measureWidth(one) <= columns || !one.trim().includes(" "),
					`${measureWidth(one)} of ${columns}: ${one}`,
				);
		}),
	);
	assert.equal(foldText("a text for no terminal", 0), "a text for no terminal");
});
