/** Something to tell the reader in addition to the answer. `code` is stable; `text` may change. */
export type Note = { readonly level: "warning" | "note"; readonly code: string; readonly text: string };

/** Sorts warnings before notes, then by code and text, without repeats, so that the output is deterministic. */
export function noteLines(notes: Iterable<Note>): string[] {
	const lines = Array.from(notes, ({ level, code, text }) => `${level}: ${text} [${code}]`);
	const warnings = lines.filter((line) => line.startsWith("warning"));
	const others = lines.filter((line) => !line.startsWith("warning"));
	return [...distinct(warnings), ...distinct(others)];
}

function distinct(lines: readonly string[]): string[] {
	return [...new Set(lines)].sort();
}
