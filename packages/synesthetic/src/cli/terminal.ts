import { mindOutput, painted, writeStderr } from "libmcp/command";

/** Where a command prints: results on `out`, everything else on `err`. */
export type Terminal = {
	out(line: string): void;
	err(line: string): void;
	/** A status line that the next one overwrites; not printed in a pipe. */
	progress(line: string): void;
	/** Whether results go to a terminal, and are printed as text instead of JSON. */
	readonly readable: boolean;
	readonly paint: (style: Parameters<typeof painted>[0], text: string) => string;
};

export function processTerminal(): Terminal {
	const { stdout, stderr } = process;
	const readable = stdout.isTTY === true;
	return {
		readable,
		out: (line) => {
			mindOutput("synesthetic");
			stdout.write(`${line}\n`);
		},
		err: (line) => writeStderr(`${line}\n`),
		progress: (line) => void (stderr.isTTY === true && writeStderr(`\r\u001b[K${line}`)),
		paint: painted,
	};
}

/** Replaces control characters, so that text from outside, such as a file's name, cannot control the terminal. */
export function printable(text: string): string {
	return text.replace(/\p{Cc}/gu, "\ufffd");
}
