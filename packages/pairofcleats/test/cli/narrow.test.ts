import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { makeProgressBar } from "../../src/cli/repositoryCommand.ts";
import { fitToWidth } from "../../src/cli/terminal.ts";
import { runCaptured } from "./captured.ts";

const PROGRESS = { phase: "index", total: 100_000, bytesTotal: 1e9, message: "" } as const;

test("a progress line never reaches the edge of the terminal, where clearing it would leave part of it behind", () => {
	for (const columns of [20, 40, 60, 80, 200]) {
		const drawn: string[] = [];
		const bar = makeProgressBar({
			...SILENT,
			columns,
			colour: true,
			errorColour: true,
			status: (text) => void drawn.push(text),
		});
		for (const done of [1, 50_000, 100_000]) bar.onProgress({ ...PROGRESS, done, bytesDone: done * 1e4 });
		const widths = drawn.map((text) => stripVTControlCharacters(text).length);
		assert.ok(widths.length > 0 && Math.max(...widths) < columns, `${columns}: ${widths}`);
		assert.match(stripVTControlCharacters(drawn[0] ?? ""), /^index .*0%/);
		// After the first file, nobody can tell how long the others take.
		assert.doesNotMatch(drawn[0] ?? "", /left/);
	}
});

test("a progress line is cut to the width of the terminal, also with wide characters in file names", () => {
	assert.equal(fitToWidth("reading 索引と検索.md", 13), "reading 索引");
	assert.equal(fitToWidth("reading 索引と検索.md", 80), "reading 索引と検索.md");
	assert.equal(fitToWidth("e\u0301te\u0301", 3), "e\u0301te\u0301");
});

test("no help text is wider than 80 columns", async () => {
	const names = ["index", "search", "show", "map", "lint", "mcp", "api", "triage", "cache", "bootstrap", "download"];
	for (const name of ["", ...names, "extensions", "completion"]) {
		const { lines } = await runCaptured([...(name === "" ? [] : [name]), "--help"]);
		assert.deepEqual(
			lines.filter((line) => line.length > 80),
			[],
			name,
		);
	}
});

const SILENT = {
	out: () => {},
	error: () => {},
	watched: true,
	interrupted: new AbortController().signal,
};
