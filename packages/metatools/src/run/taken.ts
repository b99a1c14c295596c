import { cut } from "../catalog/text.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import { neededNames } from "../contract/neededNames.ts";
import type { Problem } from "./problem.ts";

const MOST_NAMED_CHARS = 600;

/**
 * All arguments at once, for a caller who left out one that is needed and may have mistaken the others too; not where a
 * problem lists them already.
 */
export function taken(inputSchema: unknown, args: JsonObject, problems: readonly Problem[]): readonly string[] {
	if (!isObject(inputSchema) || !isObject(inputSchema.properties) || problems.some(listsFields)) return [];
	const needed = new Set(neededNames(inputSchema));
	if ([...needed].every((name) => Object.hasOwn(args, name))) return [];
	const names = Object.keys(inputSchema.properties).map((name) => (needed.has(name) ? name : `${name}?`));
	return [`it takes ${cut(names.join(", "), MOST_NAMED_CHARS)}`];
}

function listsFields(problem: Problem): boolean {
	return problem.kind === "unknown" && problem.at.length === 1 && problem.known.length > 0;
}
