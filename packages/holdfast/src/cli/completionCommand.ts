import { CLIENT_IDS } from "../clients/clientTable.ts";
import { loadCommand, SUMMARIES } from "./commands.ts";
import { loggedNames } from "./logsCommand.ts";
import { say } from "./output.ts";
import { readArguments, UsageError } from "./usage.ts";

export const help = `Usage: holdfast completion bash|zsh|fish

Prints a script by which the shell's tab key completes commands, options, clients
and the names of servers that run:

  bash  eval "$(holdfast completion bash)" in ~/.bashrc
  zsh   eval "$(holdfast completion zsh)" in ~/.zshrc
  fish  holdfast completion fish | source in ~/.config/fish/config.fish`;

export async function run(args: readonly string[]): Promise<number> {
	const { values, words, after } = readArguments(args, { words: { type: "boolean" } }, 1);
	if (values.words === true) {
		for (const word of await following(after ?? [])) say(word);
		return 0;
	}
	const [shell = "nothing"] = words;
	const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
	if (script === undefined) throw new UsageError(`shell: expected ${Object.keys(SCRIPTS).join(", ")}, got ${shell}`);
	say(script);
	return 0;
}

const OPTION = /^--[a-z][a-z-]*$/;

/** What may follow these words of a command line; nothing where the shell is to offer files. */
async function following([name, ...words]: readonly string[]): Promise<readonly string[]> {
	if (name === undefined) return [...Object.keys(SUMMARIES), "help", "--help", "--version"];
	if (name === "help") return Object.keys(SUMMARIES);
	const command = await loadCommand(name);
	if (command === undefined || words.includes("--")) return [];
	const last = words.at(-1) ?? "";
	// The help names each option's value behind it: `--repo PATH`, `--scope user|project`.
	const [, value] = OPTION.test(last)
		? (new RegExp(`${last} ([A-Z<\\d]|\\w+(?:\\|\\w+)+)`).exec(command.help) ?? [])
		: [];
	if (value !== undefined) return value.includes("|") ? value.split("|") : [];
	return [...new Set([...(await namesFor(name)), ...(command.help.match(/--[a-z][a-z-]*/g) ?? []), "--help"])];
}

async function namesFor(command: string): Promise<readonly string[]> {
	switch (command) {
		case "install":
		case "uninstall":
		case "wrap":
		case "import":
			return CLIENT_IDS;
		case "logs":
			return loggedNames();
		case "rollout": {
			const { runningHosts } = await import("libmcp/host");
			return runningHosts().map((host) => host.name);
		}
		case "completion":
			return Object.keys(SCRIPTS);
		case "skill":
			return ["link"];
		default:
			return [];
	}
}

const BASH = `_holdfast() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(holdfast completion --words -- "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _holdfast holdfast`;

const SCRIPTS: Readonly<Record<string, string>> = {
	bash: BASH,
	zsh: `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
autoload -U +X bashcompinit && bashcompinit
${BASH}`,
	fish: `function __holdfast_words
    set -l words (commandline -opc)
    set -e words[1]
    set -l found (holdfast completion --words -- $words 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c holdfast -f -a '(__holdfast_words)'`,
};
