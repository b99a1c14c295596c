import { folded, mindOutput, plainText } from "libmcp/launch";

export function say(text: string): void {
	print(`${text}\n`);
}

/** What people read: on a terminal too narrow for a line it goes on below. Commands to copy are said as they are. */
export function tell(text: string): void {
	say(process.stdout.isTTY ? folded(text, process.stdout.columns) : text);
}

/** Help, whose lines are broken for eighty columns: on fewer they are broken anew. */
export function tellHelp(text: string): void {
	tell(process.stdout.isTTY && process.stdout.columns < 80 ? joined(text) : text);
}

/** Lines that go on with the text of the line before, under the column it is in, become one with it. */
function joined(text: string): string {
	return text.split("\n").reduce((before, line) => {
		const last = before.slice(before.lastIndexOf("\n") + 1);
		const [column = ""] = /^.*\S {2,}(?=\S)/.exec(last) ?? /^ */.exec(last) ?? [];
		const isMore = last !== "" && line !== "" && /^ */.exec(line)?.[0].length === column.length;
		return `${before}${isMore ? " " : "\n"}${isMore ? line.trim() : line}`;
	});
}

/** The same on the error stream. */
export function complain(text: string): void {
	process.stderr.write(`${process.stderr.isTTY ? folded(text, process.stderr.columns) : text}\n`);
}

/** The text as it is, down to its last byte. */
function print(text: string): void {
	mindOutput("holdfast");
	process.stdout.write(text);
}

/** A file as it would become, for a pipe; its path is for whoever looks. */
export function printFile(path: string, text: string): void {
	process.stderr.write(`${path}\n`);
	print(text);
}

/** One line of the log: for a person on a terminal, else an object that a collector of logs can take apart. */
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

/** Colours are for people: on a terminal, and only where they are wanted. */
function isColoured(): boolean {
	return process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";
}
