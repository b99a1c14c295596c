import type { ErrorObject as AjvError } from "ajv";
import { isObject, type JsonObject } from "../contract/json.ts";
import type { Problem } from "./problem.ts";
import { placeOf, problemsOf } from "./problemsOf.ts";

/** The errors of the first keyword that a value fails; none when it fits. */
export type FirstErrors = (value: unknown) => readonly AjvError[];

const MOST_PROBLEMS = 8;

/**
 * What is wrong with each field of a value, so that all of it can be mended at once. Ajv stops at the first one: the field
 * it names is put aside, and the others are looked at with a schema that requires none.
 */
export function eachProblem(
	value: unknown,
	first: readonly AjvError[],
	ofOthers: FirstErrors,
	schema: JsonObject,
): readonly Problem[] {
	const problems = [...problemsOf(first, schema)];
	const aside = new Set<string>();
	for (let errors = first, field = fieldOf(first); isObject(value) && field !== undefined; field = fieldOf(errors)) {
		// Putting a field aside may break a rule about several of them, which nobody broke.
		if (aside.has(field) || problems.length >= MOST_PROBLEMS) break;
		aside.add(field);
		errors = ofOthers(Object.fromEntries(Object.entries(value).filter(([name]) => !aside.has(name))));
		const next = fieldOf(errors);
		if (next !== undefined && !aside.has(next)) problems.push(...problemsOf(errors, schema).map(listsOnce(problems)));
	}
	return problems;
}

/** The field of the whole value that failed; undefined when a rule about several did. */
function fieldOf(errors: readonly AjvError[]): string | undefined {
	const last = errors.at(-1);
	if (last === undefined) return undefined;
	const [field] = placeOf(last);
	if (field !== undefined) return field;
	const { missingProperty, additionalProperty } = last.params;
	const named: unknown = last.keyword === "required" ? missingProperty : additionalProperty;
	return typeof named === "string" ? named : undefined;
}

/** After an unknown field the known ones are listed, which the next unknown field need not repeat. */
function listsOnce(before: readonly Problem[]): (problem: Problem) => Problem {
	const isUnknown = ({ kind, at }: Problem): boolean => kind === "unknown" && at.length === 1;
	return (problem) =>
		isUnknown(problem) && before.some(isUnknown) ? { ...problem, kind: "unknown", known: [] } : problem;
}
