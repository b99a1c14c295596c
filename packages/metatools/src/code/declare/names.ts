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
	if (typeof description !== "string") return [];
	const line = description
		.slice(0, MAX_COMMENT)
		.replaceAll(/[\s\p{Cc}]+/gu, " ")
		.trim();
	return line === "" ? [] : [`${indent}/** ${line.replaceAll("*/", "*\\/")} */`];
}
