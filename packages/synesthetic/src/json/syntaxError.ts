import { findPosition } from "./pointer.ts";

/** Says why a text is not JSON, for the person who has to mend the file. */
export function describeSyntaxError(text: string): string {
	if (text.startsWith("\ufeff")) return "begins with a byte order mark";
	const { line, column } = findPosition(text, findSyntaxError(text));
	return `not valid JSON: line ${line} column ${column}`;
}

const TOKEN =
	/[{}[\],:]|"(?:[^"\\\p{Cc}]|\u007f|[\u0080-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
const SPACE = /[ \t\r\n]*/y;

/** What may come next. `item` and `first name` also allow the end of the container; `next` is a comma or the end. */
type Expected = "value" | "item" | "name" | "first name" | "colon" | "next";

/** The offset at which text stops being JSON; the length of the text when it merely ends too early. */
export function findSyntaxError(text: string): number {
	const open: ("{" | "[")[] = [];
	let expected: Expected = "value";
	for (let at = skip(SPACE, text, 0); at < text.length; ) {
		const end = skip(TOKEN, text, at);
		const next: Expected | undefined = end === at ? undefined : accept(text.slice(at, end), expected, open);
		if (next === undefined) return at;
		expected = next;
		at = skip(SPACE, text, end);
	}
	return text.length;
}

function skip(pattern: RegExp, text: string, from: number): number {
	pattern.lastIndex = from;
	return pattern.test(text) ? pattern.lastIndex : from;
}

function accept(token: string, expected: Expected, open: ("{" | "[")[]): Expected | undefined {
	const inside = open.at(-1);
	switch (expected) {
		case "colon":
			return token === ":" ? "value" : undefined;
		case "next":
			if (token === "," && inside !== undefined) return inside === "{" ? "name" : "value";
			return closes(token, inside) ? close(open) : undefined;
		case "name":
		case "first name":
			if (token.startsWith('"')) return "colon";
			return expected === "first name" && token === "}" ? close(open) : undefined;
		case "item":
			return token === "]" ? close(open) : value(token, open);
		case "value":
			return value(token, open);
	}
}

function value(token: string, open: ("{" | "[")[]): Expected | undefined {
	if (token === "{" || token === "[") {
		open.push(token);
		return token === "{" ? "first name" : "item";
	}
	return /^[}\],:]/.test(token) ? undefined : "next";
}

function closes(token: string, inside: "{" | "[" | undefined): boolean {
	return (token === "}" && inside === "{") || (token === "]" && inside === "[");
}

function close(open: ("{" | "[")[]): Expected {
	open.pop();
	return "next";
}
