import assert from "node:assert/strict";
import { test } from "node:test";
import { createProgressBar } from "../../src/cli/terminal.ts";

test("of a path too long for the line its end is shown, which tells it from its neighbours", (t) => {
	const { isTTY, columns } = process.stderr;
	const { TERM } = process.env;
	process.env.TERM = "xterm";
	t.after(() => {
		if (TERM === undefined) delete process.env.TERM;
		else process.env.TERM = TERM;
	});
	let said = "";
	const write = t.mock.method(process.stderr, "write", (text: string) => {
		said += text;
		return true;
	});
	Object.assign(process.stderr, { isTTY: true, columns: 60 });
	createProgressBar("indexing").update(1, 2, "packages/holdfast/src/console/page/main.tsx");
	write.mock.restore();
	Object.assign(process.stderr, { isTTY, columns });
	assert.equal(said, "\r\u001b[2Kindexing  50 % ██████████████░░░░░░░░░░░░░░ …/page/main.tsx");
	assert.equal(said.length, "\r\u001b[2K".length + 59);
});
