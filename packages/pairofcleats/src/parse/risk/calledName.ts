import { chainOf, lastName } from "../tree/nodeText.ts";

/** The name by which the rules know what is called; `require("fs").readFile` is `fs.readFile`. */
export function calledName(callee: string): string {
	const required = /^require\(["'](?:node:)?(\w+)(?:\/promises)?["']\)((?:\.\w+)+)$/.exec(callee);
	return required ? `${required[1]}${required[2]}` : (chainOf(callee) ?? receiverless(callee));
}

/** A call on an unnamed value, such as `a().b()`, matches any receiver. */
export function receiverless(callee: string): string {
	const name = lastName(callee);
	return name === "" ? "" : `?.${name}`;
}
