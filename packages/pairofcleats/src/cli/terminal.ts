import { styleText } from "node:util";
import { plainText, stopSignal } from "libmcp/launch";

/** Where a command writes. Colour and progress only where a person is looking. */
export type Terminal = {
	out(text: string): void;
	error(text: string): void;
	/** Rewrites the line at the bottom of the error stream; nothing in a pipe. */
	status(text: string): void;
	/** Whether a person looks at what is written out. */
	readonly watched: boolean;
	readonly colour: boolean;
	readonly columns: number;
	/** Fires when the person interrupts the command. */
	readonly interrupted: AbortSignal;
};

export function processTerminal(): Terminal {
	let stdout: NodeJS.WriteStream | undefined;
	let interruption: AbortSignal | undefined;
	// All of it on demand: a server opens its streams itself, and its handshake waits for whatever is done before.
	return {
		out: (text) => {
			// A reader that went away (`| head`) ends the output, not the program with a stack trace.
			stdout ??= process.stdout.on("error", (error: NodeJS.ErrnoException) =>
				process.exit(error.code === "EPIPE" ? 0 : 1),
			);
			stdout.write(`${text}\n`);
		},
		error: (text) => void process.stderr.write(`${text}\n`),
		status: (text) => {
			if (process.stderr.isTTY && process.env.TERM !== "dumb") process.stderr.write(`\r\u001b[2K${text}`);
		},
		get watched() {
			return process.stdout.isTTY === true;
		},
		get colour() {
			return wantsColour(process.stdout.isTTY === true);
		},
		get columns() {
			return process.stderr.columns ?? 80;
		},
		get interrupted() {
			interruption ??= stopSignal("pairofcleats");
			return interruption;
		},
	};
}

function wantsColour(isTerminal: boolean): boolean {
	const { NO_COLOR, FORCE_COLOR } = process.env;
	if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
	return (isTerminal && process.env.TERM !== "dumb") || (FORCE_COLOR !== undefined && FORCE_COLOR !== "0");
}

/** The given style where colour is on, the bare text elsewhere. */
export function paint(terminal: Terminal, style: Parameters<typeof styleText>[0], text: string): string {
	return terminal.colour ? styleText(style, text, { validateStream: false }) : text;
}

/** A line of somebody's file: its tabs stay, but nothing in it may steer the terminal. */
export function sourceLine(text: string): string {
	return text.replace(/\r$/, "").split("\t").map(plainText).join("\t");
}
