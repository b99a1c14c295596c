/** The columns that a text takes on a terminal: 0 for colours and combining marks, 2 for CJK and most emoji. */
export function widthOf(text: string): number {
	if (PLAIN.test(text)) return text.length;
	const seen = text.replace(COLOUR, "");
	const marks = seen.match(/[\p{Mn}\p{Me}\p{Cf}]/gu)?.length ?? 0;
	return [...seen].length - marks + (seen.match(WIDE)?.length ?? 0);
}

const PLAIN = /^[ -~]*$/;
const ESCAPE = String.fromCharCode(27);
const COLOUR = new RegExp(`${ESCAPE}\\[[\\d;]*m`, "g");
const WIDE =
	/\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/gu;

/** `padEnd` by terminal columns instead of characters. */
export function pad(text: string, width: number): string {
	return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** On a narrower terminal, text is not folded. */
const NARROWEST = 20;
/** Continuation indent when the column starts too far to the right. */
const INDENT = 4;

/** Wraps lines that are too long for the terminal; the rest continues below, under the column it is in. */
export function folded(text: string, columns: number): string {
	if (columns < NARROWEST) return text;
	return text
		.split("\n")
		.map((line) => (widthOf(line) <= columns ? line : foldedLine(line, columns)))
		.join("\n");
}

function foldedLine(line: string, columns: number): string {
	const [margin = ""] = /^ */.exec(line) ?? [];
	const head = /^.*\S {2,}(?=\S)/.exec(line)?.[0] ?? margin;
	const isFar = widthOf(head) > columns / 2;
	const below = " ".repeat(isFar ? INDENT : widthOf(head));
	const lines = isFar && head !== margin ? [head.trimEnd()] : [];
	let current = isFar ? below : head;
	for (const word of line.slice(head.length).split(" ")) {
		const isFirst = current === head || current === below;
		const longer = isFirst ? `${current}${word}` : `${current} ${word}`;
		if (widthOf(longer) > columns && current.trim() !== "") {
			lines.push(current.trimEnd());
			current = `${below}${word}`;
		} else current = longer;
	}
	return [...lines, current].join("\n");
}
