import { measureWidth, padText, toPlainText, truncateText } from "./terminalText.ts";

export type Cell = string | number | boolean | bigint | null | undefined;

/** `name: value`, one per line, in the given order. A missing value is left out. */
export function renderFields(fields: Readonly<Record<string, Cell>>): string[] {
	return Object.entries(fields)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name}: ${cellText(value)}`);
}

/** Rows in aligned columns, numbers to the right; the last column is never padded. */
export function renderTable(
	columns: readonly string[],
	rows: readonly (readonly Cell[])[],
	maxCellChars = 60,
): string[] {
	const cells = rows.map((row) =>
		columns.map((_, index) => truncateText(toPlainText(cellText(row[index])), maxCellChars)),
	);
	const widths = columns.map((column, index) =>
		cells.reduce((width, row) => Math.max(width, measureWidth(row[index] ?? "")), measureWidth(column)),
	);
	const numeric = columns.map((_, index) => rows.length > 0 && rows.every((row) => typeof row[index] === "number"));
	const line = (texts: readonly string[]) =>
		texts
			.map((text, index) => {
				const width = widths[index] ?? 0;
				if (numeric[index]) return text.padStart(width);
				return index === texts.length - 1 ? text : padText(text, width);
			})
			.join("  ")
			.trimEnd();
	return [line(columns), ...cells.map(line)];
}

/** `3 files`, `1 file`, `no files`. */
export function renderCount(count: number, singular: string, plural = `${singular}s`): string {
	return count === 0 ? `no ${plural}` : `${count} ${count === 1 ? singular : plural}`;
}

function cellText(value: Cell): string {
	return value === undefined || value === null ? "-" : String(value);
}

/** Something to tell the reader in addition to the answer. `code` is stable; `text` may change. */
export type Note = { readonly level: "warning" | "note"; readonly code: string; readonly text: string };

/** Sorts warnings before notes, then by code and text, without repeats, so that the output is deterministic. */
export function renderNotes(notes: Iterable<Note>): string[] {
	const lines = Array.from(notes, ({ level, code, text }) => `${level}: ${text} [${code}]`);
	const warnings = lines.filter((line) => line.startsWith("warning"));
	const others = lines.filter((line) => !line.startsWith("warning"));
	return [...distinct(warnings), ...distinct(others)];
}

function distinct(lines: readonly string[]): string[] {
	return [...new Set(lines)].sort();
}
