import { COMPLETED_SHELLS, completionScript, UsageError } from "libmcp/command";
import type { CommandModule, CommandRow } from "../command.ts";
import { quoteWord, refuseFurtherWords } from "../flags.ts";
import { EXIT } from "../terminal.ts";

type Commands = Readonly<Record<string, CommandRow>>;

/** The command that prints a shell's completion script for these commands. */
export function completeCommands(commands: Commands): CommandModule {
	return {
		actions: COMPLETED_SHELLS,
		command: async ([shell, ...further], terminal) => {
			if (shell === "--words") {
				const begun = further.at(-1) ?? "";
				const lines = await following(commands, further.slice(1, -1), begun);
				for (const line of lines) if (line.startsWith(begun)) terminal.out(line);
				return EXIT.done;
			}
			const script = completionScript("pairofcleats", shell);
			if (!script) throw new UsageError(`completion: expected bash, zsh or fish, got ${quoteWord(shell)}`);
			refuseFurtherWords("completion", further);
			terminal.out(script);
			return EXIT.done;
		},
	};
}

/** Completions after these words, each with a tab and a description. Empty where the shell should complete files. */
async function following(
	commands: Commands,
	[name, ...words]: readonly string[],
	begun: string,
): Promise<readonly string[]> {
	const names = Object.entries(commands).map(([command, { says }]) => `${command}\t${says}`);
	if (name === undefined) return [...names, "help", "version"];
	if (name === "help") return names;
	const row = Object.hasOwn(commands, name) ? commands[name] : undefined;
	if (row === undefined || words.includes("--")) return [];
	const { actions = [], flags = {} } = await row.load();
	const { takes = "boolean", choices = [] } = flags[words.at(-1) ?? ""] ?? {};
	if (takes !== "boolean") return choices;
	if (begun.startsWith("-")) return [...Object.keys(flags), "--help"];
	return words.length === 0 ? actions : [];
}
