/** Under the last of two columns, or a little further in than the line began. */
const SECOND_COLUMN = /^ *\S(?:.*?\S)? {2,}(?=\S)/;
const FURTHER_IN = 2;

/** Breaks what is too long for a terminal between words; the rest of a line stands under what it goes on with. */
export function wrapped(text: string, columns: number): string {
	return text
		.split("\n")
		.flatMap((line) => (line.length > columns ? broken(line, columns) : [line]))
		.join("\n");
}

function broken(line: string, columns: number): string[] {
	const start = /^ */.exec(line)?.[0].length ?? 0;
	const column = SECOND_COLUMN.exec(line)?.[0].length ?? 0;
	const indent = " ".repeat(column > 0 && column <= columns / 2 ? column : start > 0 ? start + FURTHER_IN : 0);
	const lines: string[] = [];
	let rest = line;
	while (rest.length > columns) {
		const inner = lines.length === 0 ? Math.max(start, column) : indent.length;
		const before = rest.lastIndexOf(" ", columns);
		const at = before > inner ? before : rest.indexOf(" ", Math.max(inner, 1));
		if (at < 0) break;
		lines.push(rest.slice(0, at));
		rest = indent + rest.slice(at + 1);
	}
	return [...lines, rest];
}
