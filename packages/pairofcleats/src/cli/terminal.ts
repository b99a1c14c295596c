import { styleText } from "node:util";
import { mindOutput, plainText, stopSignal, takesColour, widthOf, writeStderr } from "libmcp/command";

/** Where a command writes. Colour and progress appear only on a terminal. */
export type Terminal = {
	out(text: string): void;
	error(text: string): void;
	/** Rewrites the status line on stderr, cut to the terminal's width; does nothing in a pipe. */
	status(text: string): void;
	/** Whether stdout is a terminal. */
	readonly watched: boolean;
	readonly colour: boolean;
	/** Whether stderr takes colour. It may be redirected separately from stdout. */
	readonly errorColour: boolean;
	readonly columns: number;
	/** Fires when the person interrupts the command. */
	readonly interrupted: AbortSignal;
};

export function makeTerminal(): Terminal {
	let drawn = false;
	let interruption: AbortSignal | undefined;
	// All streams are opened on demand: a server opens its own, and work done here would delay its handshake.
	return {
		out: (text) => {
			mindOutput("pairofcleats");
			process.stdout.write(`${text}\n`);
		},
		error: (text) => writeStderr(`${text}\n`),
		status: (text) => {
			if (!process.stderr.isTTY || process.env.TERM === "dumb" || (text === "" && !drawn)) return;
			// A line that fills the width would wrap, and clearing it would leave the wrapped part.
			writeStderr(`\r\u001b[2K${fitToWidth(text, width() - 1)}`);
			drawn = text !== "";
		},
		get watched() {
			return process.stdout.isTTY === true;
		},
		get colour() {
			return takesColour(process.stdout);
		},
		get errorColour() {
			return takesColour(process.stderr);
		},
		get columns() {
			return width();
		},
		get interrupted() {
			interruption ??= stopSignal("pairofcleats");
			return interruption;
		},
	};
}

/** 0 columns mean that the terminal does not know them. */
function width(): number {
	return process.stderr.columns || 80;
}

/** The text cut to a number of columns. */
export function fitToWidth(text: string, columns: number): string {
	if (widthOf(text) <= columns) return text;
	let shown = "";
	for (const character of text) {
		if (widthOf(shown + character) > columns) break;
		shown += character;
	}
	return shown;
}

type Style = Parameters<typeof styleText>[0];

/** The text in a style if colour is on. */
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

/** A line of source made safe for a terminal: tabs stay, control characters are escaped. */
export function paintSourceLine(text: string): string {
	return text.replace(/\r$/, "").split("\t").map(plainText).join("\t");
}

/** Exit codes. */
export const EXIT = { done: 0, failed: 1, usage: 2, noIndex: 3, nothingFound: 4, cancelled: 130 } as const;

/** A number with its noun: `1 file`, `2 files`. */
export function countNoun(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
