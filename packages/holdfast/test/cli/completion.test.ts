import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isInstalled, offered, SHELLS } from "../../../../e2e/tabKey.ts";
import { inProcess } from "./inProcess.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const home = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-completion-")));
const state = join(home, ".local/state/holdfast");
for (const folder of [join(home, "bin"), state]) mkdirSync(folder, { recursive: true });
symlinkSync(BIN, join(home, "bin/holdfast"));
writeFileSync(join(state, "notes.jsonl"), "");
writeFileSync(join(home, "report.json"), "");
const servers = { tickets: { url: "https://example.org/mcp" }, tables: { command: "tables" } };
mkdirSync(join(home, ".config/holdfast"), { recursive: true });
writeFileSync(join(home, ".config/holdfast/metatools.json"), JSON.stringify({ mcpServers: servers }));
writeFileSync(join(home, "other.json"), JSON.stringify({ mcpServers: { wiki: { url: "https://example.org/wiki" } } }));
writeFileSync(join(home, "broken.json"), "{");
after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

const PATH = `${join(home, "bin")}:${dirname(process.execPath)}:${process.env.PATH}`;
const options = {
	cwd: home,
	encoding: "utf8",
	env: { PATH, HOME: home, XDG_RUNTIME_DIR: home, TERM: "dumb" },
} as const;

/** A line as typed, and the words that its last one may become; none where the name of a file may come. */
const CASES: readonly (readonly [line: string, words: string])[] = [
	["ro", "rollout"],
	["help do", "doctor"],
	["install cl", "claude-code claude-desktop"],
	["install cursor cl", ""],
	["import cursor c", "claude-code claude-desktop codex copilot"],
	["wrap cursor --u", "--undo"],
	["install zed --scope ", "project user"],
	["import --m", "--move"],
	["logs n", "notes"],
	["login t", "tickets"],
	["logout t", "tickets"],
	["login tickets t", ""],
	["login --config other.json w", "wiki"],
	["login --config broken.json w", ""],
	["skill l", "link"],
	["skill link --a", "--agent"],
	["skill link --agent c", "claude-code codex cursor"],
	["completion z", "zsh"],
	["up --config rep", ""],
	["host -- rep", ""],
];

/** What the tab key makes of a line; a file is offered where no word is. */
const IN_A_SHELL: readonly (readonly [line: string, offered: string])[] = [
	["ro", "rollout"],
	["install zed --scope ", "project user"],
	["import --m", "--move"],
	["up --config rep", "report.json"],
];

test("commands, clients, options and names are completed, and files where none of them fits", async () => {
	for (const [line, words] of CASES) {
		const { stdout } = await inProcess(["completion", "--words", "--", ...line.split(" ")], options);
		const found = stdout.split("\n").map((candidate) => candidate.replace(/\t.*/, ""));
		assert.equal(found.sort().join(" ").trim(), words, line);
	}
});

for (const shell of SHELLS) {
	test(`${shell} offers what the command names, and files where it names nothing`, (t) => {
		if (!isInstalled(shell)) return t.skip(`${shell} is not installed here`);
		const script = spawnSync("holdfast", ["completion", shell], options).stdout;
		const lines = IN_A_SHELL.map(([line]) => line);
		const found = offered(shell, "holdfast", script, lines, options);
		assert.deepEqual(
			lines.map((line, at) => [line, found[at]]),
			IN_A_SHELL,
		);
	});
}

test("another shell is refused by name", () => {
	const { status, stderr } = spawnSync("holdfast", ["completion", "tcsh"], options);
	assert.deepEqual([status, stderr], [2, "holdfast completion: shell: expected bash, zsh, fish, got tcsh\n"]);
});
