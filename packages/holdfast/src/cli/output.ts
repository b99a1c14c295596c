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
/** What stands for a cell that has nothing to say. */
const NONE = "none";

/** One row of a table; what is `undefined` has nothing to say. */
type Row = readonly (string | undefined)[];
type ToneOf = (cell: string, column: number) => Tone | undefined;

/**
 * Rows under headings, each column as wide as its widest cell; `tone` may colour a cell after it has been padded. On a
 * terminal too narrow for that the last column goes on below itself, or, where it would have no room, below its row;
 * where the others have none either, each row is a list.
 */
export function table(headings: readonly string[], cells: readonly Row[], tone: ToneOf = () => undefined): string {
	const rows = cells.map((row) => row.map((cell) => (cell === undefined ? undefined : plainText(cell))));
	const widths = headings.map((heading, column) =>
		Math.max(widthOf(heading), ...rows.map((row) => widthOf(row[column] ?? NONE))),
	);
	const painted = (cell: string | undefined, column: number, shown: string): string => {
		const chosen = cell === undefined ? "dim" : tone(cell, column);
		return chosen === undefined ? shown : tint(chosen, shown);
	};
	const whole = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
	const before = widths.slice(0, -1).reduce((sum, column) => sum + column + 2, 0);
	const room = whole - before;
	if (before - 2 > whole) return rows.map((row) => listed(headings, row, painted)).join("\n\n");
	const isBelow = room < Math.min(NARROWEST_LAST, widths.at(-1) ?? 0);
	const line = (row: Row, paint: typeof painted): string => {
		const first = row.slice(0, -1).map((cell, column) => paint(cell, column, pad(cell ?? NONE, widths[column] ?? 0)));
		const last = row.at(-1);
		const end = row.length - 1;
		if (!isBelow) {
			const shown = folded(last ?? NONE, room).replaceAll("\n", `\n${" ".repeat(before)}`);
			return [...first, paint(last, end, shown)].join("  ");
		}
		const below = last === undefined ? "" : `\n${paint(last, end, folded(`  ${last}`, whole))}`;
		return `${first.join("  ").trimEnd()}${below}`;
	};
	const top = isBelow ? [...headings.slice(0, -1), undefined] : headings;
	return [line(top, (_, __, shown) => tint("dim", shown)), ...rows.map((row) => line(row, painted))].join("\n");
}

function listed(
	headings: readonly string[],
	row: Row,
	painted: (cell: string | undefined, column: number, shown: string) => string,
): string {
	const width = Math.max(...headings.map((heading) => heading.length));
	return headings
		.map((name, column) => {
			const cell = row[column];
			return `${tint("dim", name.padEnd(width))}  ${painted(cell, column, cell ?? NONE)}`;
		})
		.join("\n");
}
