import { createRequire } from "node:module";
import type * as Jsonc from "jsonc-parser";

/** Parses JSON with comments and trailing commas; throws an error that names the place of a mistake. */
export function parseWrittenJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return parseWithComments(text);
	}
}

function parseWithComments(text: string): unknown {
	const { parse, printParseErrorCode } = jsonc();
	const errors: Jsonc.ParseError[] = [];
	const value: unknown = parse(text, errors, { allowTrailingComma: true });
	const [first] = errors;
	if (first === undefined) return value;
	const before = text.slice(0, first.offset).split("\n");
	// Turns codes such as `CommaExpected` into words.
	const what = printParseErrorCode(first.error)
		.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
		.trim();
	throw new Error(`line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: not valid JSON (${what})`);
}

/** Loaded only for files that are not plain JSON, because it would slow down every other start. */
export function jsonc(): typeof Jsonc {
	return createRequire(import.meta.url)("jsonc-parser");
}
