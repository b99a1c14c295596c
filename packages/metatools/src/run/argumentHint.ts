import { cut } from "../catalog/text.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import { neededNames } from "../contract/neededNames.ts";
import type { Problem } from "./problem.ts";

const MOST_NAMED_CHARS = 600;

type Told = { readonly problems: readonly Problem[]; readonly hints: readonly string[] };

/**
 * Adds a hint that lists all arguments if a required one is missing: the caller probably got others wrong too. Problems
 * about unknown arguments then no longer list the known ones.
 */
export function hintAtArguments(inputSchema: unknown, args: JsonObject, problems: readonly Problem[]): Told {
	if (!isObject(inputSchema) || !isObject(inputSchema.properties)) return { problems, hints: [] };
	const needed = new Set(neededNames(inputSchema));
	if ([...needed].every((name) => Object.hasOwn(args, name))) return { problems, hints: [] };
	const names = Object.keys(inputSchema.properties).map((name) => (needed.has(name) ? name : `${name}?`));
	return { problems: problems.map(withoutKnownNames), hints: [`it takes ${cut(names.join(", "), MOST_NAMED_CHARS)}`] };
}

function withoutKnownNames(problem: Problem): Problem {
	return problem.kind === "unknown" && problem.at.length === 1 ? { ...problem, known: [] } : problem;
}
