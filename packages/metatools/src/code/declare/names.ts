import { plainLine } from "../../catalog/text.ts";

const MAX_COMMENT = 300;

/** A property's name, quoted unless it is plainly an identifier. */
export function propertyName(name: string): string {
	return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : literal(name);
}

/** A string literal that no text can break out of: JSON, with the two line breaks JSON leaves alone. */
export function literal(text: string): string {
	return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** One line of documentation that cannot close its own comment. */
export function docComment(description: unknown, indent: string): string[] {
	const line = typeof description === "string" ? plainLine(description, MAX_COMMENT) : "";
	return line === "" ? [] : [`${indent}/** ${uncloseable(line)} */`];
}

export function uncloseable(comment: string): string {
	return comment.replaceAll("*/", "*\\/");
}
