import type { FlagTable } from "./flags.ts";
import type { Terminal } from "./terminal.ts";

export type Command = (argv: readonly string[], terminal: Terminal) => Promise<number>;

/** A command in the list of all: what it is for, how it is called, and where it is loaded from. */
export type CommandRow = {
	readonly says: string;
	readonly usage: string;
	load(): Promise<CommandModule>;
};

/** What a command's module exports. */
export type CommandModule = {
	readonly command: Command;
	/** What its help says below the usage. */
	readonly help?: () => string[];
	/** What may follow its name, for shells to complete: its actions and its flags. */
	readonly actions?: readonly string[];
	readonly flags?: FlagTable;
};
