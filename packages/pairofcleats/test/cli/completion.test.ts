import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isInstalled, offered, SHELLS } from "../../../../e2e/tabKey.ts";
import { runCaptured } from "./captured.ts";

/** A typed line, and the words that its last one may become; none where the name of a file may come. */
const CASES: readonly (readonly [line: string, words: string])[] = [
	["ma", "map"],
	["e", "extensions"],
	["vers", "version"],
	["index ", "build status update validate watch"],
	["cache c", "clean compact"],
	["cache gc --max-a", "--max-age-days"],
	["triage e", "export"],
	["search --modified-a", "--modified-after"],
	["search x --he", "--help"],
	["api --por", "--port"],
	["completion z", "zsh"],
	["search x --mode ", "all both code extracted-prose prose records"],
	["search x --backend m", "memory"],
	["search x --type cl", "class"],
	["search x --lang ty", ""],
	["help boo", "bootstrap"],
	["api --host rep", ""],
	["map rep", ""],
	["lint import rep", ""],
	["search index rep", ""],
	["search map --repo rep", ""],
];

/** What the tab key makes of a line; a file is offered if no word fits. */
const IN_A_SHELL: readonly (readonly [line: string, offered: string])[] = [
	["ma", "map"],
	["index ", "build status update validate watch"],
	["search x --he", "--help"],
	["search map --repo rep", "report.json"],
];

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pairofcleats-completion-")));
writeFileSync(join(folder, "report.json"), "");
symlinkSync(fileURLToPath(new URL("../../bin/pairofcleats.js", import.meta.url)), join(folder, "pairofcleats"));
const PATH = `${folder}${delimiter}${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
after(() => rmSync(folder, { recursive: true, force: true }));

test("commands, actions and flags are completed, and files where none of them fits", async () => {
	for (const [line, words] of CASES) {
		const { lines } = await runCaptured(["completion", "--words", "--", ...line.split(" ")]);
		const found = lines.map((candidate) => candidate.replace(/\t.*/, ""));
		assert.equal(found.sort().join(" "), words, line);
	}
});

for (const shell of SHELLS) {
	test(`${shell} offers what the command names, and files where it names nothing`, async (t) => {
		if (!isInstalled(shell)) return t.skip(`${shell} is not installed here`);
		const script = (await runCaptured(["completion", shell])).lines.join("\n");
		const lines = IN_A_SHELL.map(([line]) => line);
		const found = offered(shell, "pairofcleats", script, lines, { cwd: folder, env: { ...process.env, PATH } });
		assert.deepEqual(
			lines.map((line, at) => [line, found[at]]),
			IN_A_SHELL,
		);
	});
}
