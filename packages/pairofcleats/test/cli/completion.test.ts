import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { runCaptured } from "./captured.ts";

/** A line as typed, and what the tab key makes of its last word; a file is offered where no word is. */
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
	["map rep", "report.json"],
	["lint import rep", "report.json"],
	["search index rep", "report.json"],
	["search map --repo rep", "report.json"],
];

/** How each shell is asked: with the script and the lines as arguments, it prints a line of words for each. */
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
  _pairofcleats
  [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
  echo "\${COMPREPLY[*]}"
done`,
	],
	// A zsh on a terminal of its own is sent the line and the tab key; what it adds to its list is written down.
	zsh: [
		"-fc",
		`zmodload zsh/zpty
cat > setup <<'END'
compadd() {
  local -a found
  [[ \${@[1,(i)(-|--)]} == *-[AOD]* ]] || { builtin compadd -A found "$@"; print -rn -- "$found " >> offered }
  builtin compadd "$@"
}
finish() { BUFFER=; print >> offered; print -rn -- '<<' done '>>' }
zle -N finish
bindkey '^X' finish
finish
END
zpty shell zsh -f -i
zpty -w shell "source $0; source ./setup"
zpty -r -m shell seen '*<< done >>*'
for line; do
  zpty -n -w shell "$line"$'\\t\\x18'
  zpty -r -m shell seen '*<< done >>*'
done
zpty -d shell
tail -n +2 offered`,
	],
	fish: [
		"--no-config",
		"-c",
		"source $argv[1]; for line in $argv[2..]; echo (complete -C $line | string split -f1 \\t); end",
	],
};

describe("completion", () => {
	let folder: string;
	before(() => {
		folder = realpathSync(mkdtempSync(join(tmpdir(), "pairofcleats-completion-")));
		writeFileSync(join(folder, "report.json"), "");
	});
	after(() => rmSync(folder, { recursive: true, force: true }));

	for (const [shell, args] of Object.entries(SHELLS)) {
		test(`${shell} completes commands, actions, flags and files`, async (t) => {
			if (spawnSync(shell, ["--version"]).error) return t.skip(`${shell} is not installed here`);
			const script = join(folder, `completion.${shell}`);
			writeFileSync(script, (await runCaptured(["completion", shell])).lines.join("\n"));
			const lines = CASES.map(([line]) => `pairofcleats ${line}`);
			const env = { PATH: process.env.PATH, HOME: folder, ZDOTDIR: folder, TERM: "xterm" };
			const options = { cwd: folder, env, encoding: "utf8", timeout: 120_000 } as const;
			const { stdout, stderr } = spawnSync(shell, [...args, script, ...lines], options);
			assert.equal(stderr, "");
			const offered = stdout.split("\n").map((words) => words.trim().split(/\s+/).sort().join(" "));
			assert.deepEqual(
				lines.map((line, at) => [line, offered[at]]),
				CASES.map(([line, words]) => [`pairofcleats ${line}`, words]),
			);
		});
	}
});
