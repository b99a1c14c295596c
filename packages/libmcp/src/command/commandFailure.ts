/** What a command prints on stdout when it fails under `--json`. */
export type CommandFailure = {
	readonly ok: false;
	readonly error: {
		/** Stable; each command has its own table of codes. */
		readonly code: string;
		/** The same line that people read on the error stream. */
		readonly message: string;
		/** The option, argument or setting that is wrong, if the failure is about one. */
		readonly field?: string;
		readonly [detail: string]: unknown;
	};
};

/** The form of every message about a wrong option, argument or setting; `--json` takes the field's name from it. */
export type FieldMessage = `${string}: expected ${string}` | `no ${"option" | "command"} ${string}`;

/** Every command fails in this one shape, so that scripts need only one parser. */
export function commandFailure(
	code: string,
	message: string,
	details: Readonly<Record<string, unknown>> = {},
): CommandFailure {
	const field = fieldOf(message);
	return { ok: false, error: { code, message, ...(field !== undefined && { field }), ...details } };
}

/** The field's name at the start of a message (after its file, if there is one), or the unknown option or command. */
function fieldOf(message: string): string | undefined {
	const found =
		/^(?:\S+: )*?"?([^\s"]+?)"?: expected /.exec(message) ?? /^no (?:option|command) "?([^\s;"]+)/.exec(message);
	return found?.[1];
}
