import { folded, pad, plainText, widthOf } from "libmcp/command";
import { colour, type Tone } from "./output.ts";

/** If the last column would be narrower, it moves below the row. */
const NARROWEST_LAST = 30;
/** If the first column would be narrower, each row becomes a list; most names fit into this. */
const NARROWEST_FIRST = 12;
/** Shown for an empty cell. */
const NONE = "none";

/** One row of a table; `undefined` is an empty cell. */
type Row = readonly (string | undefined)[];
type ToneOf = (cell: string, column: number) => Tone | undefined;
type Paint = (cell: string | undefined, column: number, shown: string) => string;

/**
 * Rows under headings, each column as wide as its widest cell; `tone` colours cells. On a narrower terminal the last
 * column wraps within its column, or else moves below its row. If that is not enough, long names are put above their
 * rows, and finally each row becomes a list.
 */
export function drawTable(headings: readonly string[], cells: readonly Row[], tone: ToneOf = () => undefined): string {
	const rows = cells.map((row) => row.map((cell) => (cell === undefined ? undefined : plainText(cell))));
	const painted: Paint = (cell, column, shown) => {
		const chosen = cell === undefined ? "dim" : tone(cell, column);
		return chosen === undefined ? shown : colour(chosen, shown);
	};
	const whole = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
	const widest = headings.map((heading, column) =>
		Math.max(widthOf(heading), ...rows.map((row) => widthOf(row[column] ?? NONE))),
	);
	const widths = fitWidths(widest, whole);
	if (widths === undefined) return rows.map((row) => listRow(headings, row, painted)).join("\n\n");
	const before = widths.slice(0, -1).reduce((sum, column) => sum + column + 2, 0);
	const room = whole - before;
	const isBelow = room < Math.min(NARROWEST_LAST, widths.at(-1) ?? 0);
	const line = (row: Row, paint: Paint): string => {
		const first = row.slice(0, -1).map((cell, column) => {
			const width = widths[column] ?? 0;
			const isAbove = column === 0 && widthOf(cell ?? NONE) > width;
			const shown = paint(cell, column, pad(cell ?? NONE, width));
			return isAbove ? `${shown}\n${" ".repeat(width)}` : shown;
		});
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
	return [line(top, (_, __, shown) => colour("dim", shown)), ...rows.map((row) => line(row, painted))].join("\n");
}

/** The columns' widths, with the first one cut to the room that is left; `undefined` if that is too little. */
function fitWidths([first = 0, ...others]: readonly number[], whole: number): readonly number[] | undefined {
	const room = whole - others.slice(0, -1).reduce((sum, column) => sum + column + 2, 0);
	if (first <= room) return [first, ...others];
	return room < NARROWEST_FIRST ? undefined : [room, ...others];
}

function listRow(headings: readonly string[], row: Row, painted: Paint): string {
	const width = Math.max(...headings.map((heading) => heading.length));
	return headings
		.map((name, column) => {
			const cell = row[column];
			return `${colour("dim", name.padEnd(width))}  ${painted(cell, column, cell ?? NONE)}`;
		})
		.join("\n");
}

const WIDTH = 28;

export type ProgressBar = {
	update(done: number, total: number, note: string): void;
	/** Makes room for other text; the next update draws it again. */
	clear(): void;
};

/** A line that redraws itself on a capable terminal; elsewhere it prints nothing. */
export function createProgressBar(label: string, stream: NodeJS.WriteStream = process.stderr): ProgressBar {
	if (!stream.isTTY || process.env.TERM === "dumb") return { update: () => {}, clear: () => {} };
	return {
		update(done, total, note) {
			const share = total > 0 ? Math.min(1, done / total) : 0;
			const filled = Math.round(share * WIDTH);
			const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
			const line = `${label} ${String(Math.round(share * 100)).padStart(3)} % ${bar} `;
			const room = (stream.columns ?? 80) - 1;
			stream.write(`\r\u001b[2K${(line + endOf(note, room - line.length)).slice(0, Math.max(20, room))}`);
		},
		clear: () => stream.write("\r\u001b[2K"),
	};
}

/** Keeps the end, where paths in one folder differ. */
function endOf(note: string, room: number): string {
	if (note.length <= room) return note;
	return room > 1 ? `…${note.slice(1 - room)}` : "";
}
