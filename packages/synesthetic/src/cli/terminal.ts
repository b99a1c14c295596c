import { EXIT } from "./exitCodes.ts";

/** Where a command prints: results on `out`, everything else on `err`. */
export type Terminal = {
	out(line: string): void;
	err(line: string): void;
	/** A status line that the next one overwrites; not printed in a pipe. */
	progress(line: string): void;
	/** Whether results go to a terminal, and are printed as text instead of JSON. */
	readonly readable: boolean;
	readonly paint: (color: "red" | "green" | "yellow" | "dim" | "bold", text: string) => string;
};

const CODES = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

export function processTerminal(): Terminal {
	const { stdout, stderr } = process;
	const readable = stdout.isTTY === true;
	const colored = readable && !process.env.NO_COLOR && process.env.TERM !== "dumb";
	return {
		readable,
		out: (line) => {
			// When the reader goes away (`| head`), end the command without a stack trace.
			if (stdout.listenerCount("error") === 0) stdout.on("error", () => process.exit(EXIT.valid));
			stdout.write(`${line}\n`);
		},
		err: (line) => void stderr.write(`${line}\n`),
		progress: (line) => void (stderr.isTTY === true && stderr.write(`\r\u001b[K${line}`)),
		paint: (color, text) => (colored ? `\u001b[${CODES[color]}m${text}\u001b[0m` : text),
	};
}

/** Replaces control characters, so that text from outside, such as a file's name, cannot control the terminal. */
export function printable(text: string): string {
	return text.replace(/\p{Cc}/gu, "\ufffd");
}
