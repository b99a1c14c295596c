import { COMMANDS } from "./commands.ts";
import { EXIT } from "./exit.ts";
import { quoted, UsageError } from "./flags.ts";
import { SEARCH_FLAGS } from "./searchFlags.ts";
import type { Terminal } from "./terminal.ts";

export async function command([shell]: readonly string[], terminal: Terminal): Promise<number> {
	const script = shell !== undefined && Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
	if (!script) throw new UsageError(`completion: expected bash, zsh or fish, got ${quoted(shell)}`);
	terminal.out(script());
	return EXIT.done;
}

const commands = Object.keys(COMMANDS).join(" ");
const flags = Object.keys(SEARCH_FLAGS).join(" ");

const bash = (): string => `_pairofcleats() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[1]}" in
    index) COMPREPLY=($(compgen -W "build update status watch validate --repo --blame --risk-rules --json" -- "$current"));;
    search) COMPREPLY=($(compgen -W "${flags}" -- "$current"));;
    show|map) COMPREPLY=($(compgen -f -- "$current"));;
    lint) COMPREPLY=($(compgen -W "import" -- "$current"));;
    *) COMPREPLY=($(compgen -W "${commands}" -- "$current"));;
  esac
}
complete -F _pairofcleats pairofcleats`;

const SCRIPTS: Readonly<Record<string, () => string>> = {
	bash,
	zsh: () => `autoload -U +X bashcompinit && bashcompinit\n${bash()}`,
	fish: () =>
		[
			...Object.entries(COMMANDS).map(
				([name, { says }]) => `complete -c pairofcleats -n __fish_use_subcommand -f -a ${name} -d '${says}'`,
			),
			...Object.keys(SEARCH_FLAGS)
				.filter((flag) => flag.startsWith("--"))
				.map((flag) => `complete -c pairofcleats -n '__fish_seen_subcommand_from search' -l ${flag.slice(2)}`),
			"complete -c pairofcleats -n '__fish_seen_subcommand_from index' -f -a 'build update status watch validate'",
		].join("\n"),
};
