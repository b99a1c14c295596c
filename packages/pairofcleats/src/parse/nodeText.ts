import type { FlatTree } from "./flatTree.ts";

/** A node's source text. */
export function textOf(tree: FlatTree, node: number): string {
	return tree.text.slice(tree.start[node], tree.end[node]);
}

export function squeeze(text: string, limit: number): string {
	const short = text.length > limit * 4 ? text.slice(0, limit * 4) : text;
	const flat = short.replace(/\s+/g, " ").trim();
	return flat.length > limit ? `${flat.slice(0, limit - 1)}…` : flat;
}

export function unquote(text: string): string {
	const match = /^(?:[a-zA-Z]{0,2})(["'`<])([\s\S]*)["'`>]$/.exec(text.trim());
	return match?.[2] ?? text.trim();
}

const CHAIN = /^[\w$@#?!&*]+(?:(?:\?\.|!\.|::|->|[.:\\])[\w$@#?!]+)*$/;
const LAST_NAME = /([\w$]+[?!]?)\s*(?:<[^()]*>)?\s*$/;

/** `a?.b` → `a.b`, `a::b` stays; `undefined` when the text is more than a chain of names. */
export function chainOf(text: string): string | undefined {
	if (text.length > 160) return undefined;
	const flat = /\s/.test(text) ? text.replace(/\s*(\??\.|->|::)\s*/g, "$1") : text;
	return CHAIN.test(flat) ? flat.replace(/\?\.|!\.|->/g, ".") : undefined;
}

/** The last name of what is called or referred to: `save` of `this.db[0].save`. */
export function lastName(text: string): string {
	const end = text.length > 200 ? text.slice(-200) : text;
	return LAST_NAME.exec(end)?.[1] ?? "";
}

/** `a.b[i].c` → `a.b[].c`; empty when it is not a place a value can be kept. */
export function placeOf(text: string): string {
	if (text.length > 400) return "";
	let depth = 0;
	let place = "";
	for (const char of text) {
		if (char === "[") depth += 1;
		if (depth === 0 && /\S/.test(char)) place += char;
		if (char === "]" && --depth === 0) place += "[]";
	}
	place = place.replace(/\?\.|!\.|->/g, ".");
	return /^[\w$@#&*().[\]:]+$/.test(place) ? place.replace(/^[*&(]+|\)+$/g, "") : "";
}

/** Splits at commas that are not inside brackets. */
export function splitTop(text: string): string[] {
	const parts: string[] = [];
	let depth = 0;
	let from = 0;
	for (let at = 0; at < text.length; at += 1) {
		const char = text[at];
		if (char === "(" || char === "[" || char === "{" || char === "<") depth += 1;
		else if ((char === ")" || char === "]" || char === "}" || char === ">") && depth > 0) depth -= 1;
		else if (char === "," && depth === 0) {
			parts.push(text.slice(from, at));
			from = at + 1;
		}
	}
	parts.push(text.slice(from));
	return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** A table's entry for a word of the source: `constructor` must not find what every object inherits. */
export function own<T>(table: Readonly<Record<string, T>> | undefined, word: string): T | undefined {
	return table && Object.hasOwn(table, word) ? table[word] : undefined;
}
