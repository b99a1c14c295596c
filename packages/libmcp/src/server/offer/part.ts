import { describeKind } from "../protocol/protocol.ts";

/** What errors call a tool, prompt or resource. Throws a TypeError unless the name is text and `runs` has functions. */
export function partName(
	kind: "tool" | "prompt" | "resource",
	name: unknown,
	runs: Readonly<Record<string, unknown>>,
): string {
	if (typeof name !== "string") throw createUnexpectedError(`${kind}: name`, "text", name);
	const where = `${kind} ${JSON.stringify(name)}`;
	for (const [member, run] of Object.entries(runs))
		if (typeof run !== "function") throw createUnexpectedError(`${where}: ${member}`, "a function", run);
	return where;
}

/** Throws a TypeError for a part that is only a definition, not made by `tool`, `prompt` or `resource`. */
export function checkMade(kind: "tool" | "prompt" | "resource", parts: readonly { readonly listed: unknown }[]): void {
	for (const part of parts)
		if (Object(part).listed === undefined) throw createUnexpectedError(`${kind}s`, `what ${kind}() returns`, part);
}

/** An error in the author's own code; it goes to stderr, not to the client. */
export function createUnexpectedError(where: string, expected: string, came: unknown): TypeError {
	return new TypeError(`${where}: expected ${expected}, got ${describeKind(came)}`);
}
