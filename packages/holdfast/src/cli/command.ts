/** A subcommand: its help and its work, which resolves to the exit code. */
export type Command = {
	readonly help: string;
	run(args: readonly string[]): Promise<number>;
};

/** What the overview says of a command, and where its module is, which is loaded only when it is the one asked for. */
export type CommandRow = { readonly summary: string; readonly load: () => Promise<Command> };
