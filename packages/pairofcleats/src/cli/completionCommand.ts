import { COMMANDS, type CommandModule } from "./commands.ts";
import { EXIT } from "./exit.ts";
import { type FlagSpec, noFurtherWords, quoted, UsageError } from "./flags.ts";
import type { Terminal } from "./terminal.ts";

export async function command([shell, ...further]: readonly string[], terminal: Terminal): Promise<number> {
	const script = shell !== undefined && Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
	if (!script) throw new UsageError(`completion: expected bash, zsh or fish, got ${quoted(shell)}`);
	noFurtherWords("completion", further);
	terminal.out(script(await completions()));
	return EXIT.done;
}

/** What may follow each command. */
type Completion = {
	readonly name: string;
	readonly says: string;
	readonly actions: readonly string[];
	readonly flags: Readonly<Record<string, FlagSpec>>;
};

async function completions(): Promise<Completion[]> {
	return Promise.all(
		Object.entries(COMMANDS).map(async ([name, { says, load }]) => {
			const { actions = [], flags = {} }: CommandModule = await load();
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

const SCRIPTS: Readonly<Record<string, (rows: readonly Completion[]) => string>> = {
	bash,
	zsh: (rows) =>
		[
			"(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }",
			"autoload -U +X bashcompinit && bashcompinit",
			bash(rows),
		].join("\n"),
	fish: (rows) =>
		rows
			.flatMap(({ name, says, actions, flags }) => {
				const seen = `__fish_seen_subcommand_from ${name}`;
				const words = actions.join(" ");
				return [
					`complete -c pairofcleats -n __fish_use_subcommand -f -a ${name} -d '${says.replaceAll("'", "\\'")}'`,
					...(words === ""
						? []
						: [`complete -c pairofcleats -n '${seen}; and not __fish_seen_subcommand_from ${words}' -f -a '${words}'`]),
					...Object.entries(flags).map(([flag, { takes }]) => {
						const spelling = flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
						return `complete -c pairofcleats -n '${seen}' ${spelling}${takes === "boolean" ? "" : " -r"}`;
					}),
				];
			})
			.join("\n"),
};

export const actions: readonly string[] = Object.keys(SCRIPTS);
