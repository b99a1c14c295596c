import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isInstalled, offered, SHELLS } from "../../../../e2e/tabKey.ts";
import { runCaptured } from "./captured.ts";

/** A typed line, and the completion of its last word; a file is offered if no word fits. */
const CASES: readonly (readonly [line: string, offered: string])[] = [
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
	["help boo", "bootstrap"],
	["api --host rep", "report.json"],
	["map rep", "report.json"],
	["lint import rep", "report.json"],
	["search index rep", "report.json"],
	["search map --repo rep", "report.json"],
];

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pairofcleats-completion-")));
writeFileSync(join(folder, "report.json"), "");
symlinkSync(fileURLToPath(new URL("../../bin/pairofcleats.js", import.meta.url)), join(folder, "pairofcleats"));
const PATH = `${folder}${delimiter}${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
after(() => rmSync(folder, { recursive: true, force: true }));

for (const shell of SHELLS) {
	test(`${shell} completes commands, actions, flags and files`, async (t) => {
		if (!isInstalled(shell)) return t.skip(`${shell} is not installed here`);
		const script = (await runCaptured(["completion", shell])).lines.join("\n");
		const lines = CASES.map(([line]) => line);
		const found = offered(shell, "pairofcleats", script, lines, { cwd: folder, env: { ...process.env, PATH } });
		assert.deepEqual(
			lines.map((line, at) => [line, found[at]]),
			CASES,
		);
	});
}
