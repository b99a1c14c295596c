import { folded, mindOutput, pad, plainText, widthOf } from "libmcp/launch";

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

/** What the last column needs at least, to be worth reading in it. */
const NARROWEST_LAST = 30;
/** A cell that says nothing. */
const NONE = "none";

/**
 * Rows under headings, each column as wide as its widest cell; `tone` may colour a cell after it has been padded. On a
 * terminal too narrow for that the last column goes on below itself, or, where it would have no room, below its row;
 * where the others have none either, each row is a list.
 */
export function table(
	headings: readonly string[],
	cells: readonly (readonly string[])[],
	tone: ToneOf = () => undefined,
): string {
	const rows = cells.map((row) => row.map(plainText));
	const widths = headings.map((heading, column) =>
		Math.max(widthOf(heading), ...rows.map((row) => widthOf(row[column] ?? ""))),
	);
	const whole = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
	const before = widths.slice(0, -1).reduce((sum, column) => sum + column + 2, 0);
	const room = whole - before;
	if (before - 2 > whole) return rows.map((row) => listed(headings, row, tone)).join("\n\n");
	const isBelow = room < Math.min(NARROWEST_LAST, widths.at(-1) ?? 0);
	const line = (row: readonly string[], paint: boolean): string => {
		const painted = (text: string, column: number): string => {
			const chosen = paint ? tone(row[column] ?? "", column) : "dim";
			return chosen === undefined ? text : tint(chosen, text);
		};
		const first = row.slice(0, -1).map((cell, column) => painted(pad(cell, widths[column] ?? 0), column));
		const last = row.at(-1) ?? "";
		const end = row.length - 1;
		if (!isBelow)
			return [...first, painted(folded(last, room).replaceAll("\n", `\n${" ".repeat(before)}`), end)].join("  ");
		const isSaid = paint && last !== NONE;
		return `${first.join("  ").trimEnd()}${isSaid ? `\n${painted(folded(`  ${last}`, whole), end)}` : ""}`;
	};
	return [line(headings, false), ...rows.map((row) => line(row, true))].join("\n");
}

type ToneOf = (cell: string, column: number) => Tone | undefined;

function listed(headings: readonly string[], row: readonly string[], tone: ToneOf): string {
	const width = Math.max(...headings.map((heading) => heading.length));
	const painted = row.map((cell, column) => {
		const chosen = tone(cell, column);
		return chosen === undefined ? cell : tint(chosen, cell);
	});
	return headings.map((name, column) => `${tint("dim", name.padEnd(width))}  ${painted[column]}`).join("\n");
}
