const MARK = /<<~?(["']?)([A-Za-z_]\w*)\1/;
const CLOSING = /^\s*([A-Za-z_]\w*)\r?$/;

/**
 * Replaces each here-document (`print <<EOT`) with a string for its mark and blanks for its lines. Keeps the length.
 */
export function withoutHereDocuments(text: string): string {
	if (!text.includes("<<")) return text;
	const lines = text.split("\n");
	const closings = closingLines(lines);
	for (let line = 0; line < lines.length; line += 1) {
		const written = lines[line] ?? "";
		const mark = MARK.exec(written);
		const below = mark && closings.get(mark[2] ?? "");
		if (!mark || !below) continue;
		while ((below.at(-1) ?? lines.length) <= line) below.pop();
		const end = below.at(-1);
		if (end === undefined) continue;
		const string = `"${"_".repeat(mark[0].length - 2)}"`;
		lines[line] = written.slice(0, mark.index) + string + written.slice(mark.index + mark[0].length);
		while (line < end) {
			line += 1;
			lines[line] = " ".repeat(lines[line]?.length ?? 0);
		}
	}
	return lines.join("\n");
}

/** The lines that could close a here-document, by name, in reverse order. */
function closingLines(lines: readonly string[]): Map<string, number[]> {
	const closings = new Map<string, number[]>();
	for (let line = lines.length - 1; line > 0; line -= 1) {
		const name = CLOSING.exec(lines[line] ?? "")?.[1];
		if (name === undefined) continue;
		const known = closings.get(name);
		if (known) known.push(line);
		else closings.set(name, [line]);
	}
	return closings;
}
