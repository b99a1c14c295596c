/** What a command of ours prints on its standard output when it fails and was asked for `--json`. */
export type CommandFailure = {
	readonly ok: false;
	readonly error: {
		/** Stable: from the command's own table of codes. */
		readonly code: string;
		/** The same line that people read on the error stream. */
		readonly message: string;
		/** The option, argument or setting that is wrong, where it is one. */
		readonly field?: string;
		readonly [detail: string]: unknown;
	};
};

/** How a command says what is wrong with an option, an argument or a setting: a script is told its name from here. */
export type FieldMessage = `${string}: expected ${string}` | `no ${"option" | "command"} ${string}`;

/** One shape for every command, so that a script needs one reader. */
export function commandFailure(
	code: string,
	message: string,
	details: Readonly<Record<string, unknown>> = {},
): CommandFailure {
	const field = fieldOf(message);
	return { ok: false, error: { code, message, ...(field !== undefined && { field }), ...details } };
}

/** The name that a message about a field begins with, after that of its file if it has one; or the one nobody knows. */
function fieldOf(message: string): string | undefined {
	const found =
		/^(?:\S+: )*?"?([^\s"]+?)"?: expected /.exec(message) ?? /^no (?:option|command) "?([^\s;"]+)/.exec(message);
	return found?.[1];
}
