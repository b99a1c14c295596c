import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTerminal } from "../../src/cli/terminal.ts";

test("a terminal that does not know its width, as in a container, is taken to have 80 columns", (t) => {
	const { columns } = process.stderr;
	t.after(() => {
		process.stderr.columns = columns;
	});
	process.stderr.columns = 0;
	assert.equal(makeTerminal().columns, 80);
	process.stderr.columns = 120;
	assert.equal(makeTerminal().columns, 120);
});
