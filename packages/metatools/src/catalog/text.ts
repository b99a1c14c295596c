import { plainText } from "libmcp";
import { shellWord } from "libmcp/command";

/** External text made safe to show on one line, to models and people. */
export function toPlainLine(text: string, maxLength: number): string {
	return cutText(plainText(text.replace(/\s+/gu, " ").trim()), maxLength);
}

/** Multi-line text without control characters, direction marks or invisible characters. */
export function toPlainBlock(text: string): string {
	return text
		.split(/\r\n?|\n/)
		.map(plainText)
		.join("\n");
}

/** Cuts between characters and marks the cut. */
export function cutText(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	const end = maxLength - 1;
	const splits = isHighSurrogate(text.charCodeAt(end - 1));
	return `${text.slice(0, splits ? end - 1 : end).trimEnd()}…`;
}

function isHighSurrogate(unit: number): boolean {
	return unit >= 0xd800 && unit <= 0xdbff;
}

/** Writes a command for a person to run, from its words. */
export type TypedCommand = (...words: readonly string[]) => string;

/** Quotes the words for a shell; `configFile` is needed if the command would not find it by itself. */
export function createTypedCommand(program = "metatools", configFile?: string): TypedCommand {
	const config = configFile === undefined ? [] : ["--config", configFile];
	return (...words) => [program, ...[...words, ...config].map(shellWord)].join(" ");
}
