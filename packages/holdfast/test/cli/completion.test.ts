import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isInstalled, offered, SHELLS } from "../../../../e2e/tabKey.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const home = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-completion-")));
const state = join(home, ".local/state/holdfast");
for (const folder of [join(home, "bin"), state]) mkdirSync(folder, { recursive: true });
symlinkSync(BIN, join(home, "bin/holdfast"));
writeFileSync(join(state, "notes.jsonl"), "");
writeFileSync(join(home, "report.json"), "");
after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

const PATH = `${join(home, "bin")}:${dirname(process.execPath)}:${process.env.PATH}`;
const options = {
	cwd: home,
	encoding: "utf8",
	env: { PATH, HOME: home, XDG_RUNTIME_DIR: home, TERM: "dumb" },
} as const;

/** A line as typed, and what the tab key makes of its last word; a file is offered where no word is. */
const CASES: readonly (readonly [line: string, offered: string])[] = [
	["ro", "rollout"],
	["help do", "doctor"],
	["install cl", "claude-code claude-desktop"],
	["install cursor cl", ""],
	["import cursor c", "claude-code claude-desktop codex copilot"],
	["wrap cursor --u", "--undo"],
	["install zed --scope ", "project user"],
	["import --m", "--move"],
	["logs n", "notes"],
	["completion z", "zsh"],
	["up --config rep", "report.json"],
	["host -- rep", "report.json"],
];

for (const shell of SHELLS) {
	test(`${shell} completes commands, clients, options, names and files`, (t) => {
		if (!isInstalled(shell)) return t.skip(`${shell} is not installed here`);
		const script = spawnSync("holdfast", ["completion", shell], options).stdout;
		const lines = CASES.map(([line]) => line);
		const found = offered(shell, "holdfast", script, lines, options);
		assert.deepEqual(
			lines.map((line, at) => [line, found[at]]),
			CASES,
		);
	});
}

test("another shell is refused by name", () => {
	const { status, stderr } = spawnSync("holdfast", ["completion", "tcsh"], options);
	assert.deepEqual([status, stderr], [2, "holdfast completion: shell: expected bash, zsh, fish, got tcsh\n"]);
});
