import { SPECS } from "./index.ts";
import type { GrammarSpec } from "./spec.ts";

type Names = readonly string[];

let names: { readonly spec: Names; readonly rule: Names; readonly assignment: Names; readonly visibility: Names };

/**
 * The same spec with the properties of all specs, in one order, absent ones as `undefined`. The extractor, which reads
 * all languages, would otherwise look each property up, and be optimised again for every language it meets.
 */
export function toOneShape(spec: GrammarSpec): GrammarSpec {
	names ??= allNames();
	const { rule, assignment, visibility } = names;
	return filled(
		{
			...spec,
			definitions: eachFilled(spec.definitions, rule),
			...(spec.assignments && { assignments: eachFilled(spec.assignments, assignment) }),
			...(spec.visibility && { visibility: filled(spec.visibility, visibility) }),
		},
		names.spec,
	);
}

function allNames(): typeof names {
	const specs = Object.values(SPECS);
	return {
		spec: namesIn(specs),
		rule: namesIn(specs.flatMap(({ definitions }) => Object.values(definitions))),
		assignment: namesIn(specs.flatMap(({ assignments }) => Object.values(assignments ?? {}))),
		visibility: namesIn(specs.flatMap(({ visibility }) => visibility ?? [])),
	};
}

function namesIn(objects: readonly object[]): Names {
	return [...new Set(objects.flatMap((one) => Object.keys(one)))];
}

function eachFilled<T extends object>(table: Readonly<Record<string, T>>, all: Names): Record<string, T> {
	return Object.fromEntries(Object.entries(table).map(([key, one]) => [key, filled(one, all)]));
}

function filled<T extends object>(one: T, all: Names): T {
	return Object.fromEntries(all.map((name) => [name, Reflect.get(one, name)])) as T;
}
