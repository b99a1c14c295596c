import { styleText } from "node:util";
import { plainText, stopSignal, widthOf } from "libmcp/launch";

/** Where a command writes. Colour and progress only where a person is looking. */
export type Terminal = {
	out(text: string): void;
	error(text: string): void;
	/** Rewrites the line at the bottom of the error stream, as far as it has room; nothing in a pipe. */
	status(text: string): void;
	/** Whether a person looks at what is written out. */
	readonly watched: boolean;
	readonly colour: boolean;
	/** The same of the error stream, which may lead elsewhere. */
	readonly errorColour: boolean;
	readonly columns: number;
	/** Fires when the person interrupts the command. */
	readonly interrupted: AbortSignal;
};

export function processTerminal(): Terminal {
	let stdout: NodeJS.WriteStream | undefined;
	let stderr: NodeJS.WriteStream | undefined;
	let drawn = false;
	// What nobody is there to read is no reason to end otherwise than one would.
	const complain = (text: string): void => {
		stderr ??= process.stderr.on("error", () => {});
		stderr.write(text);
	};
	let interruption: AbortSignal | undefined;
	// All of it on demand: a server opens its streams itself, and its handshake waits for whatever is done before.
	return {
		out: (text) => {
			// A reader that went away (`| head`) ends the output, not the program with a stack trace.
			stdout ??= process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
				if (code === "EPIPE") process.exit(0);
				complain(`pairofcleats: the answer cannot be written: ${message}\n`);
				process.exit(1);
			});
			stdout.write(`${text}\n`);
		},
		error: (text) => complain(`${text}\n`),
		status: (text) => {
			if (!process.stderr.isTTY || process.env.TERM === "dumb" || (text === "" && !drawn)) return;
			// A line that reaches the edge goes on in the next, which clearing it would leave behind.
			complain(`\r\u001b[2K${fitting(text, (process.stderr.columns ?? 80) - 1)}`);
			drawn = text !== "";
		},
		get watched() {
			return process.stdout.isTTY === true;
		},
		get colour() {
			return wantsColour(process.stdout.isTTY === true);
		},
		get errorColour() {
			return wantsColour(process.stderr.isTTY === true);
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

/** As much of a text as so many columns show. */
export function fitting(text: string, columns: number): string {
	if (widthOf(text) <= columns) return text;
	let shown = "";
	for (const character of text) {
		if (widthOf(shown + character) > columns) break;
		shown += character;
	}
	return shown;
}

function wantsColour(isTerminal: boolean): boolean {
	const { NO_COLOR, FORCE_COLOR } = process.env;
	if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
	return (isTerminal && process.env.TERM !== "dumb") || (FORCE_COLOR !== undefined && FORCE_COLOR !== "0");
}

type Style = Parameters<typeof styleText>[0];

/** The given style where colour is on, the bare text elsewhere. */
export function paint(terminal: Terminal, style: Style, text: string): string {
	return terminal.colour ? styleText(style, text, { validateStream: false }) : text;
}

/** A line below the answer, for the error stream. */
export function warn(terminal: Terminal, message: string): void {
	terminal.error(`${paintError(terminal, "yellow", "warning")}: ${plainText(message)}`);
}

export function paintError(terminal: Terminal, style: Style, text: string): string {
	return terminal.errorColour ? styleText(style, text, { validateStream: false }) : text;
}

/** A line of somebody's file: its tabs stay, but nothing in it may steer the terminal. */
export function sourceLine(text: string): string {
	return text.replace(/\r$/, "").split("\t").map(plainText).join("\t");
}
