import { toPlainText } from "../render/terminalText.ts";
import type { FieldMessage } from "./commandFailure.ts";
import { suggestName } from "./nearest.ts";

/** The words before `--`; those after it are not the command's own options. */
export function takeOwnWords(args: readonly string[]): readonly string[] {
	const end = args.indexOf("--");
	return end === -1 ? args : args.slice(0, end);
}

/**
 * Rewords an error of Node's `parseArgs` in our usual form: the option, what was expected, what came. For an unknown
 * option it suggests the nearest of `names`, or else says `otherwise`.
 */
export function describeOptionProblem(
	thrown: unknown,
	args: readonly string[],
	names: readonly string[],
	otherwise?: string,
): FieldMessage {
	const [line = ""] = (thrown instanceof Error ? thrown.message : String(thrown)).split("\n");
	const name = /^Unknown option '(-=?[^'=]*)/.exec(line)?.[1];
	if (name !== undefined) {
		// `parseArgs` splits `-ab=1` into letters and reports the `=` as an option; find the whole word again.
		const unknown = name === "-=" ? (args.find((word) => /^-[^-]*=/.test(word)) ?? name) : name;
		const known = names.map((name) => `--${name}`);
		return `no option ${unknown}${suggestName(unknown, known, otherwise)}`;
	}
	const [, option, problem = ""] = /^Option '(?:-\w, )?(--[\w-]+|-\w)(?: <value>)?' (.*)/.exec(line) ?? [];
	if (option === undefined) return `options: expected valid ones: ${line}`;
	if (problem.startsWith("argument missing")) return `${option}: expected a value, got nothing`;
	if (problem.startsWith("does not take")) return `${option}: expected no value`;
	const came = args[args.indexOf(option) + 1];
	const written = option.startsWith("--") ? `${option}=-…` : `${option}-…`;
	return `${option}: expected a value, got ${came}; one that begins with a dash is written ${written}`;
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** The milliseconds in `250ms`, `30s`, `5m` or `1h30m`; undefined if the text is none of that kind. */
export function parseDuration(text: string): number | undefined {
	if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined;
	const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)];
	return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS], 0);
}

/** A word as one would type it in a shell, with escapes for characters that a terminal does not show. */
export function quoteShellWord(word: string): string {
	if (/^[\w@%+=:,./-]+$/.test(word)) return word;
	if (toPlainText(word) === word) return `'${word.replaceAll("'", "'\\''")}'`;
	return `$'${toPlainText(word.replace(/[\\']/g, "\\$&"))}'`;
}

/** The shells that `completionScript` can write a script for. */
export const COMPLETED_SHELLS = ["bash", "zsh", "fish"] as const;

/**
 * A shell script that makes the tab key run `<command> completion --words -- <words>`; the last word is unfinished. The
 * command prints one candidate per line, with an optional tab and description, which only fish shows. If it prints
 * nothing, the shell completes file names. Returns `undefined` for an unknown shell.
 */
export function writeCompletionScript(command: string, shell: string | undefined): string | undefined {
	return SCRIPTS.get(shell)?.(command);
}

const bash = (command: string): string => `_${command}() {
  local IFS=$'\\n'
  COMPREPLY=($(${command} completion --words -- "\${COMP_WORDS[@]:1:$COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _${command} ${command}`;

/** Uses zsh's bashcompinit; `compinit -i` skips insecure folders instead of asking at every start. */
const zsh = (command: string): string => `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
autoload -U +X bashcompinit && bashcompinit
${bash(command)}`;

const fish = (command: string): string => `function __${command}_words
    set -l words (commandline -opc) (commandline -ct)
    ${command} completion --words -- $words[2..] 2>/dev/null | string collect; and return
    __fish_complete_path (commandline -ct)
end
complete -c ${command} -f -a '(__${command}_words)'`;

const SCRIPTS = new Map<string | undefined, (command: string) => string>(Object.entries({ bash, zsh, fish }));
