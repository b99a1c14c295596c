import { folded, mindOutput, painted, plainText, writeStderr } from "libmcp/command";

export function say(text: string): void {
	print(`${text}\n`);
}

/** Prints text for people, folded to the terminal's width; use `say` for commands to copy. */
export function tell(text: string): void {
	say(process.stdout.isTTY ? folded(text, process.stdout.columns) : text);
}

/** Prints help, which is written for eighty columns, and folds it again on a narrower terminal. */
export function tellHelp(text: string): void {
	tell(process.stdout.isTTY && process.stdout.columns < 80 ? joinLines(text) : text);
}

/** Joins each line to the one before if it continues that line's text in the same column. */
function joinLines(text: string): string {
	return text.split("\n").reduce((before, line) => {
		const last = before.slice(before.lastIndexOf("\n") + 1);
		const [column = ""] = /^.*\S {2,}(?=\S)/.exec(last) ?? /^ */.exec(last) ?? [];
		const isMore = last !== "" && line !== "" && /^ */.exec(line)?.[0].length === column.length;
		return `${before}${isMore ? " " : "\n"}${isMore ? line.trim() : line}`;
	});
}

/** Like `tell`, on the error stream. */
export function printWarning(text: string): void {
	writeStderr(`${process.stderr.isTTY ? folded(text, process.stderr.columns) : text}\n`);
}

/** Prints the exact text. */
function print(text: string): void {
	mindOutput("holdfast");
	process.stdout.write(text);
}

/** Prints a planned file to standard output, for a pipe, and its path to the error stream, for a person. */
export function printPlannedFile(path: string, text: string): void {
	writeStderr(`${path}\n`);
	print(text);
}

/** Writes a log line: text on a terminal, otherwise JSON for a log collector. */
export function writeLogLine(message: string): void {
	const line = process.stderr.isTTY
		? painted("dim", folded(message.split("\n").map(plainText).join("\n"), process.stderr.columns), process.stderr)
		: JSON.stringify({ at: new Date().toISOString(), message });
	writeStderr(`${line}\n`);
}

const STYLES = { good: "green", bad: "red", warn: "yellow", dim: "dim" } as const;

export type Tone = keyof typeof STYLES;

export function colour(tone: Tone, text: string): string {
	return painted(STYLES[tone], text);
}

/** The command that people type: in a checkout and under npx, `holdfast` is not on the PATH. */
export function findTypedCommand(): string {
	return process.env.npm_execpath === undefined ? "holdfast" : "npx holdfast";
}
