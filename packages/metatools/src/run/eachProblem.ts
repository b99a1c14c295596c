import type { ErrorObject as AjvError } from "ajv";
import { isObject } from "../contract/json.ts";
import type { Problem } from "./problem.ts";
import { placeOf } from "./problemsOf.ts";

/** The errors of the first keyword that a value fails; none when it fits. */
export type FirstErrors = (value: unknown) => readonly AjvError[];

/** The problems that these errors stand for. */
export type Explain = (errors: readonly AjvError[]) => readonly Problem[];

const MOST_PROBLEMS = 8;

/**
 * Finds the problems of all fields, so that the caller can fix them at once. Ajv stops at the first problem, so the check is
 * repeated without the field it named, against a schema that requires no fields.
 */
export function eachProblem(
	value: unknown,
	first: readonly AjvError[],
	ofOthers: FirstErrors,
	explain: Explain,
): readonly Problem[] {
	const problems = [...explain(first)];
	const aside = new Set<string>();
	for (let errors = first, field = fieldOf(first); isObject(value) && field !== undefined; field = fieldOf(errors)) {
		// Removing a field may violate a rule about several fields that the caller did not violate.
		if (aside.has(field) || problems.length >= MOST_PROBLEMS) break;
		aside.add(field);
		errors = ofOthers(Object.fromEntries(Object.entries(value).filter(([name]) => !aside.has(name))));
		const next = fieldOf(errors);
		if (next !== undefined && !aside.has(next)) problems.push(...explain(errors).map(listsOnce(problems)));
	}
	return problems;
}

/** The top-level field that failed; undefined if a rule about several fields did. */
function fieldOf(errors: readonly AjvError[]): string | undefined {
	const last = errors.at(-1);
	if (last === undefined) return undefined;
	const [field] = placeOf(last);
	if (field !== undefined) return field;
	const { missingProperty, additionalProperty } = last.params;
	const named: unknown = last.keyword === "required" ? missingProperty : additionalProperty;
	return typeof named === "string" ? named : undefined;
}

/** Drops the list of known fields from a problem if an earlier one has it. */
function listsOnce(before: readonly Problem[]): (problem: Problem) => Problem {
	const lists = (problem: Problem): boolean =>
		problem.kind === "unknown" && problem.at.length === 1 && problem.known.length > 0;
	return (problem) => (lists(problem) && before.some(lists) ? { ...problem, kind: "unknown", known: [] } : problem);
}
