import { cut } from "../catalog/text.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import { neededNames } from "../contract/neededNames.ts";
import type { Problem } from "./problem.ts";

const MOST_NAMED_CHARS = 600;

type Told = { readonly problems: readonly Problem[]; readonly hints: readonly string[] };

/**
 * Adds a hint that names the argument for an id that was given as another, and one that lists all arguments if a required
 * one is missing: the caller probably got others wrong too. Problems about unknown arguments then no longer list the known ones.
 */
export function hintAtArguments(inputSchema: unknown, args: JsonObject, problems: readonly Problem[]): Told {
	if (!isObject(inputSchema) || !isObject(inputSchema.properties)) return { problems, hints: [] };
	const { properties } = inputSchema;
	const hints = problems.flatMap((problem) => idHint(properties, problem));
	const needed = new Set(neededNames(inputSchema));
	if ([...needed].every((name) => Object.hasOwn(args, name))) return { problems, hints };
	const names = Object.keys(properties).map((name) => (needed.has(name) ? name : `${name}?`));
	return {
		problems: problems.map(withoutKnownNames),
		hints: [...hints, `it takes ${cut(names.join(", "), MOST_NAMED_CHARS)}`],
	};
}

/** For a text that was given as `skill`, which is an object, where there is a `skill_id`. */
function idHint(properties: JsonObject, { at, ...problem }: Problem): string[] {
	if (problem.kind !== "type" || typeof problem.got !== "string" || at.length !== 1) return [];
	const name = `${at[0]}_id`;
	const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
	return isObject(property) && property.type === "string" ? [`an id is given as ${name}`] : [];
}

function withoutKnownNames(problem: Problem): Problem {
	return problem.kind === "unknown" && problem.at.length === 1 ? { ...problem, known: [] } : problem;
}
