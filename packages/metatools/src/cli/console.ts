import { folded, mindOutput, painted, writeStderr } from "libmcp/command";

/** How commands print. Colour is used only on a terminal, and only if the user has not turned it off. */
export type Console = {
	out(text: string): void;
	/** Prints text for people, wrapped to the terminal's width. */
	tell(text: string): void;
	error(text: string): void;
	/** Prints a problem on stderr, prefixed with the command's name. */
	complain(text: string): void;
	bold(text: string): string;
	dim(text: string): string;
};

/** `speaker` is the command as it was typed. */
export function createProcessConsole(speaker: string): Console {
	const fit = (text: string, stream: NodeJS.WriteStream): string =>
		stream.isTTY ? folded(text, stream.columns) : text;
	const out = (text: string): void => {
		mindOutput(speaker);
		process.stdout.write(`${text}\n`);
	};
	const error = (text: string): void => writeStderr(`${fit(text, process.stderr)}\n`);
	return {
		out,
		tell: (text) => out(fit(text, process.stdout)),
		error,
		complain: (text) => error(`${speaker}: ${text}`),
		bold: (text) => painted("bold", text),
		dim: (text) => painted("dim", text),
	};
}
