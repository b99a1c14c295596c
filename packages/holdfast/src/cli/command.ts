/** A subcommand; `run` resolves to the exit code. */
export type Command = {
	readonly help: string;
	run(args: readonly string[]): Promise<number>;
};

/** A command's line in the overview, and a function that loads its module only when it is needed. */
export type CommandRow = { readonly summary: string; readonly load: () => Promise<Command> };
