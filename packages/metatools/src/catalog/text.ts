import { plainText } from "libmcp";

/** Text from outside made fit for one line of a model's or a person's screen. */
export function plainLine(text: string, maxLength: number): string {
	return cut(plainText(text.replace(/\s+/gu, " ").trim()), maxLength);
}

/** Text of several lines without anything in it that could move a cursor, turn a line around or hide. */
export function plainBlock(text: string): string {
	return text
		.split(/\r\n?|\n/)
		.map(plainText)
		.join("\n");
}

/** Cuts at a character, not inside one, and shows that it did. */
export function cut(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	const end = maxLength - 1;
	const splits = isHighSurrogate(text.charCodeAt(end - 1));
	return `${text.slice(0, splits ? end - 1 : end).trimEnd()}…`;
}

function isHighSurrogate(unit: number): boolean {
	return unit >= 0xd800 && unit <= 0xdbff;
}
