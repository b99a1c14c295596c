import type { FlagTable } from "./flags.ts";
import type { Terminal } from "./terminal.ts";

export type Command = (argv: readonly string[], terminal: Terminal) => Promise<number>;

/** What a command's module exports. */
export type CommandModule = {
	readonly command: Command;
	/** What its help says below the usage. */
	readonly help?: () => string[];
	/** What may follow its name, for shells to complete: its actions and its flags. */
	readonly actions?: readonly string[];
	readonly flags?: FlagTable;
};
