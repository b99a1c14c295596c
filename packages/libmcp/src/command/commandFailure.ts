import { toPlainText } from "../render/terminalText.ts";

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
export function createCommandFailure(
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

/** A command line that cannot be understood; its message says what was expected. */
export class UsageError extends Error {
	override readonly name: string = "UsageError";

	constructor(message: FieldMessage) {
		super(message);
	}
}

/** An error as one line for people: a system error names its file first, and there is no stack trace. */
export function failureText(thrown: unknown): string {
	if (!(thrown instanceof Error)) return toPlainText(String(thrown));
	const line = toPlainText(thrown.message.trim().replace(/(?<!\s)\s*\n\s*/g, " "));
	const match = /^(E[A-Z]+): (.+?), \w+(?: '(.*)')?$/.exec(line);
	if (match === null) return line;
	const [, code = "", says = "", path] = match;
	if ("syscall" in thrown && thrown.syscall === "uv_cwd") return `the folder this was started in is gone (${code})`;
	return path === undefined ? `${says} (${code})` : `${path.split("' -> '")[0]}: ${says} (${code})`;
}
