import type { CommandModule, CommandRow } from "./command.ts";
import { EXIT } from "./exit.ts";
import { type FlagTable, noFurtherWords, quoted, UsageError } from "./flags.ts";

/** The command that prints a script which completes these commands. */
export function completionOf(commands: Readonly<Record<string, CommandRow>>): CommandModule {
	return {
		actions: Object.keys(SCRIPTS),
		command: async ([shell, ...further], terminal) => {
			const script = shell !== undefined && Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
			if (!script) throw new UsageError(`completion: expected bash, zsh or fish, got ${quoted(shell)}`);
			noFurtherWords("completion", further);
			terminal.out(script(await completionsOf(commands)));
			return EXIT.done;
		},
	};
}

/** What may follow each command. */
type Completion = {
	readonly name: string;
	readonly says: string;
	readonly actions: readonly string[];
	readonly flags: FlagTable;
};

async function completionsOf(commands: Readonly<Record<string, CommandRow>>): Promise<Completion[]> {
	return Promise.all(
		Object.entries(commands).map(async ([name, { says, load }]) => {
			const { actions = [], flags = {} } = await load();
			return { name, says, actions, flags };
		}),
	);
}

/** Where nothing fits, the shell offers files. */
const bash = (rows: readonly Completion[]): string => `_pairofcleats() {
  local current="\${COMP_WORDS[COMP_CWORD]}" actions="" flags=""
  case "\${COMP_WORDS[1]}" in
${rows
	.map(
		({ name, actions, flags }) =>
			`    ${name}) actions="${actions.join(" ")}" flags="${Object.keys(flags).join(" ")}";;`,
	)
	.join("\n")}
    help) actions="${rows.map(({ name }) => name).join(" ")}";;
  esac
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${rows.map(({ name }) => name).join(" ")} help version" -- "$current"))
  elif [ "\${COMP_WORDS[COMP_CWORD-1]}" = "--repo" ]; then
    return
  elif [ "\${current#-}" != "$current" ]; then
    COMPREPLY=($(compgen -W "$flags --help" -- "$current"))
  elif [ "$COMP_CWORD" -eq 2 ] && [ -n "$actions" ]; then
    COMPREPLY=($(compgen -W "$actions" -- "$current"))
  fi
}
complete -o default -F _pairofcleats pairofcleats`;

/** Uses zsh's bashcompinit; `compinit -i` skips insecure folders instead of asking at every start. */
const zsh = (rows: readonly Completion[]): string =>
	[
		"(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }",
		"autoload -U +X bashcompinit && bashcompinit",
		bash(rows),
	].join("\n");

/** Fish's helpers look for a subcommand anywhere in the line, but a search word may equal a command's name. */
const fish = (rows: readonly Completion[]): string => {
	const names = rows.map(({ name }) => name).join(" ");
	const actions = (name: string, words: string): string =>
		`complete -c pairofcleats -n '__pairofcleats_after ${name} 2' -f -a '${words}'`;
	return [
		"function __pairofcleats_after",
		"    set -l words (commandline -opc)",
		'    test "$words[2]" = "$argv[1]"; or return 1',
		'    test -z "$argv[2]"; or test (count $words) -eq "$argv[2]"',
		"end",
		"complete -c pairofcleats -l help",
		`complete -c pairofcleats -n '__pairofcleats_after "" 1' -f -a 'help version'`,
		actions("help", names),
		...rows.flatMap(({ name, says, actions: words, flags }) => [
			`complete -c pairofcleats -n '__pairofcleats_after "" 1' -f -a ${name} -d '${says.replaceAll("'", "\\'")}'`,
			...(words.length === 0 ? [] : [actions(name, words.join(" "))]),
			...Object.entries(flags).map(([flag, { takes }]) => {
				const spelling = flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
				return `complete -c pairofcleats -n '__pairofcleats_after ${name}' ${spelling}${takes === "boolean" ? "" : " -r"}`;
			}),
		]),
	].join("\n");
};

const SCRIPTS: Readonly<Record<string, (rows: readonly Completion[]) => string>> = { bash, zsh, fish };
