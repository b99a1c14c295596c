import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

export function isInstalled(shell: Shell): boolean {
	return spawnSync(shell, ["--version"]).error === undefined;
}

/**
 * What the tab key makes of the last word of each line, by a shell that has taken the command's completion script; sorted,
 * with a blank between words. A file of `cwd` is offered where no word is.
 */
export function offered(
	shell: Shell,
	command: string,
	script: string,
	lines: readonly string[],
	{ cwd, env = process.env }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): string[] {
	const folder = mkdtempSync(join(tmpdir(), "tab-key-"));
	try {
		const file = join(folder, "script");
		writeFileSync(file, script);
		const options = {
			cwd,
			env: { ...env, HOME: env.HOME ?? folder, ZDOTDIR: folder, TERM: "xterm", ASKED: command, NOTES: folder },
			encoding: "utf8",
			timeout: 120_000,
		} as const;
		const whole = lines.map((line) => `${command} ${line}`);
		const { stdout, stderr } = spawnSync(shell, [...ASK[shell], file, ...whole], options);
		if (stderr !== "") throw new Error(`${shell}: ${stderr}`);
		return stdout.split("\n").map((words) => words.trim().split(/\s+/).sort().join(" "));
	} finally {
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

/** How each shell is asked: with the script and the lines as arguments, it prints a line of words for each. */
const ASK: Readonly<Record<Shell, readonly string[]>> = {
	// The line editor offers files where the function gives nothing; there is none without a terminal.
	bash: [
		"--norc",
		"-uc",
		`source "$0"
for line; do
  read -ra COMP_WORDS <<< "$line"
  [ "\${line% }" = "$line" ] || COMP_WORDS+=("")
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  "_$ASKED"
  [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
  echo "\${COMPREPLY[*]}"
done`,
	],
	// A zsh on a terminal of its own is sent the line and the tab key; what it adds to its list is written down.
	zsh: [
		"-fc",
		`zmodload zsh/zpty
cat > $NOTES/setup <<'END'
compadd() {
  local -a found
  [[ \${@[1,(i)(-|--)]} == *-[AOD]* ]] || { builtin compadd -A found "$@"; print -rn -- "$found " >> $NOTES/offered }
  builtin compadd "$@"
}
finish() { BUFFER=; print >> $NOTES/offered; print -rn -- '<<' done '>>' }
zle -N finish
bindkey '^X' finish
finish
END
zpty shell zsh -f -i
zpty -w shell "source $0; source $NOTES/setup"
zpty -r -m shell seen '*<< done >>*'
for line; do
  zpty -n -w shell "$line"$'\\t\\x18'
  zpty -r -m shell seen '*<< done >>*'
done
zpty -d shell
tail -n +2 $NOTES/offered`,
	],
	fish: [
		"--no-config",
		"-c",
		"source $argv[1]; for line in $argv[2..]; echo (complete -C $line | string split -f1 \\t); end",
	],
};
