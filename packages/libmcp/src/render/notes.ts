/** Something a reader should know beside the answer. `code` is stable; `text` may change. */
export type Note = { readonly level: "warning" | "note"; readonly code: string; readonly text: string };

/** Warnings before notes, then by code and text, each once: the order things were noticed in does not show. */
export function noteLines(notes: Iterable<Note>): string[] {
	const lines = Array.from(notes, ({ level, code, text }) => `${level}: ${text} [${code}]`);
	const warnings = lines.filter((line) => line.startsWith("warning"));
	const others = lines.filter((line) => !line.startsWith("warning"));
	return [...distinct(warnings), ...distinct(others)];
}

function distinct(lines: readonly string[]): string[] {
	return [...new Set(lines)].sort();
}
