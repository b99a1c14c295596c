import { folded, mindOutput, plainText } from "libmcp/launch";

export function say(text: string): void {
	print(`${text}\n`);
}

/** Prints text for people, folded to the terminal's width; use `say` for commands to copy. */
export function tell(text: string): void {
	say(process.stdout.isTTY ? folded(text, process.stdout.columns) : text);
}

/** Prints help, which is written for eighty columns, and folds it again on a narrower terminal. */
export function tellHelp(text: string): void {
	tell(process.stdout.isTTY && process.stdout.columns < 80 ? joined(text) : text);
}

/** Joins each line to the one before if it continues that line's text in the same column. */
function joined(text: string): string {
	return text.split("\n").reduce((before, line) => {
		const last = before.slice(before.lastIndexOf("\n") + 1);
		const [column = ""] = /^.*\S {2,}(?=\S)/.exec(last) ?? /^ */.exec(last) ?? [];
		const isMore = last !== "" && line !== "" && /^ */.exec(line)?.[0].length === column.length;
		return `${before}${isMore ? " " : "\n"}${isMore ? line.trim() : line}`;
	});
}

/** Like `tell`, on the error stream. */
export function complain(text: string): void {
	process.stderr.write(`${process.stderr.isTTY ? folded(text, process.stderr.columns) : text}\n`);
}

/** Prints the exact text. */
function print(text: string): void {
	mindOutput("holdfast");
	process.stdout.write(text);
}

/** Prints a planned file to standard output, for a pipe, and its path to the error stream, for a person. */
export function printFile(path: string, text: string): void {
	process.stderr.write(`${path}\n`);
	print(text);
}

/** Writes a log line: text on a terminal, otherwise JSON for a log collector. */
export function logLine(message: string): void {
	const line = process.stderr.isTTY
		? tint("dim", folded(message.split("\n").map(plainText).join("\n"), process.stderr.columns))
		: JSON.stringify({ at: new Date().toISOString(), message });
	process.stderr.write(`${line}\n`);
}

export type Tone = "good" | "bad" | "warn" | "dim";

const CODES: Readonly<Record<Tone, number>> = { good: 32, bad: 31, warn: 33, dim: 2 };

export function tint(tone: Tone, text: string): string {
	return isColoured() ? `\u001b[${CODES[tone]}m${text}\u001b[0m` : text;
}

/** Colours only on a terminal, and only if the environment does not switch them off. */
function isColoured(): boolean {
	return process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";
}
