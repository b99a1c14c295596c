import type { FlagTable } from "./flags.ts";
import type { Terminal } from "./terminal.ts";

export type Command = (argv: readonly string[], terminal: Terminal) => Promise<number>;

/** A command in the list of commands: its purpose, its usage, and its module. */
export type CommandRow = {
	readonly says: string;
	readonly usage: string;
	load(): Promise<CommandModule>;
};

/** What a command's module exports. */
export type CommandModule = {
	readonly command: Command;
	/** The lines of its help below the usage. */
	readonly help?: () => string[];
	/** Its actions and flags, for shell completion. */
	readonly actions?: readonly string[];
	readonly flags?: FlagTable;
	/** What the usage calls the arguments that are given as words, by the names they have in a request. */
	readonly words?: Readonly<Record<string, string>>;
};
