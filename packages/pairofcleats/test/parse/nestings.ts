import { LANGUAGES } from "../../src/parse/languages.ts";

type Nesting = readonly [open: string, close: string];

/** A file name for every parser, and one that is chunked by lines. */
export const PATHS: readonly string[] = LANGUAGES.filter((language) => language.parser !== undefined)
	.map((language) => `x.${language.extensions[0]}`)
	.concat("x.unknown");

export const NESTINGS: readonly Nesting[] = [
	["(", ")"],
	["{", "}"],
	["[", "]"],
	["<a>", "</a>"],
	["if x:\n ", ""],
	["- ", ""],
];

export function nested([open, close]: Nesting): string {
	return `x = ${open.repeat(1_500)}1${close.repeat(1_500)}\n`;
}
