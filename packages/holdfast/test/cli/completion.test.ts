import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

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
	["wrap cursor --u", "--undo"],
	["install zed --scope ", "project user"],
	["import --m", "--move"],
	["logs n", "notes"],
	["completion z", "zsh"],
	["up --config rep", "report.json"],
	["host -- rep", "report.json"],
];

/** How a shell is asked: with the script and the lines as arguments, it prints a line of words for each. */
const SHELLS: Readonly<Record<string, readonly string[]>> = {
	// The line editor offers files where the function gives nothing; there is none without a terminal.
	bash: [
		"--norc",
		"-uc",
		`source "$0"
for line; do
  read -ra COMP_WORDS <<< "$line"
  [ "\${line% }" = "$line" ] || COMP_WORDS+=("")
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _holdfast
  [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
  echo "\${COMPREPLY[*]}"
done`,
	],
	// zsh runs the same function.
	fish: [
		"--no-config",
		"-c",
		"source $argv[1]; for line in $argv[2..]; echo (complete -C $line | string split -f1 \\t); end",
	],
};

for (const [shell, args] of Object.entries(SHELLS)) {
	test(`${shell} completes commands, clients, options, names and files`, (t) => {
		if (spawnSync(shell, ["--version"]).error) return t.skip(`${shell} is not installed here`);
		const script = join(home, `completion.${shell}`);
		writeFileSync(script, spawnSync("holdfast", ["completion", shell], options).stdout);
		const lines = CASES.map(([line]) => `holdfast ${line}`);
		const { stdout, stderr } = spawnSync(shell, [...args, script, ...lines], options);
		const offered = stdout.trimEnd().split("\n");
		for (const [place, [line, expected]] of CASES.entries())
			assert.equal((offered[place] ?? "").split(" ").sort().join(" "), expected, `${line} ${stderr}`);
	});
}

test("zsh takes its script", (t) => {
	if (spawnSync("zsh", ["--version"]).error) return t.skip("zsh is not installed here");
	const { stdout, stderr } = spawnSync(
		"zsh",
		["-fc", 'eval "$(holdfast completion zsh)"; print -r -- $_comps[holdfast]'],
		options,
	);
	assert.match(stdout, /_bash_complete .*_holdfast/, stderr);
});

test("another shell is refused by name", () => {
	const { status, stderr } = spawnSync("holdfast", ["completion", "tcsh"], options);
	assert.deepEqual([status, stderr], [2, "holdfast completion: shell: expected bash, zsh, fish, got tcsh\n"]);
});
