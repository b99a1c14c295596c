import { isatty } from "node:tty";
import { writeStderr } from "../process/ownProcess.ts";
import { failureText } from "./commandFailure.ts";

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

/** The text in a style, if the stream takes colour. */
export function paintText(
	style: keyof typeof CODES,
	text: string,
	stream: NodeJS.WriteStream = process.stdout,
): string {
	return hasColour(stream) ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
}

/** A capable terminal takes colour, and with FORCE_COLOR any stream; NO_COLOR, unless empty, turns it off everywhere. */
export function hasColour({ isTTY }: NodeJS.WriteStream): boolean {
	const { NO_COLOR = "", FORCE_COLOR = "0", TERM } = process.env;
	return NO_COLOR === "" && (FORCE_COLOR !== "0" || (isTTY === true && TERM !== "dumb"));
}

/** Ends a command quietly when its reader has gone (`| head`), and with a message when the disk is full. Not for servers. */
export function endOnOutputError(speaker: string): void {
	if (process.stdout.listenerCount("error") > 0) return;
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code === "EPIPE") process.exit(0);
		writeStderr(`${speaker}: the answer cannot be written: ${failureText(error)}\n`);
		process.exit(1);
	});
}

/** Tells whoever typed the command of a server on a terminal why nothing happens. */
export function explainWaiting(program: string): void {
	if (!isatty(0)) return;
	writeStderr(`${program}: waiting for requests, one JSON line each; Ctrl-D ends, --help tells more\n`);
}
