import type { ErrorObject as AjvError } from "ajv";
import { isObject, type JsonObject } from "../contract/json.ts";
import { problemsOf } from "./schemaProblem.ts";

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
	root: string,
	schema: JsonObject,
): readonly string[] {
	const problems = [...problemsOf(first, root, schema)];
	const aside = new Set<string>();
	for (let errors = first, field = fieldOf(first); isObject(value) && field !== undefined; field = fieldOf(errors)) {
		// Putting a field aside may break a rule about several of them, which nobody broke.
		if (aside.has(field) || problems.length >= MOST_PROBLEMS) break;
		aside.add(field);
		const before = errors;
		errors = ofOthers(Object.fromEntries(Object.entries(value).filter(([name]) => !aside.has(name))));
		const next = fieldOf(errors);
		if (next !== undefined && !aside.has(next)) problems.push(...problemsOf(saidOnce(errors, before), root, schema));
	}
	return problems;
}

/** The field of the whole value that failed; undefined when a rule about several did. */
function fieldOf(errors: readonly AjvError[]): string | undefined {
	const last = errors.at(-1);
	if (last === undefined) return undefined;
	const [, field] = last.instancePath.split("/");
	if (field !== undefined) return field.replaceAll("~1", "/").replaceAll("~0", "~");
	const { missingProperty, additionalProperty } = last.params;
	const named: unknown = last.keyword === "required" ? missingProperty : additionalProperty;
	return typeof named === "string" ? named : undefined;
}

/** After an unknown field the known ones are listed, which the next unknown field need not repeat. */
function saidOnce(errors: readonly AjvError[], before: readonly AjvError[]): readonly AjvError[] {
	const isUnknown = (error: AjvError | undefined) =>
		error?.keyword === "additionalProperties" && error.instancePath === "";
	return errors.map((error) => (isUnknown(error) && isUnknown(before.at(-1)) ? { ...error, parentSchema: {} } : error));
}
