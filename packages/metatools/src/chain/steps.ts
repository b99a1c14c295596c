import type { JsonObject } from "../contract/json.ts";
import type { Problem } from "../run/schema/problem.ts";
import { compileCheck } from "../run/schema/schemaCheck.ts";
import { MAX_PARALLEL } from "./mapStep.ts";
import { describeExpectation, findReferences, LATER, type Scope } from "./references.ts";

/** One run of a chain, or, with `map`, one run per item. */
export type ChainStep = {
	readonly tool_id: string;
	/** May hold `{"$from": …}` references. */
	readonly args?: JsonObject;
	/** Puts the previous step's value into `args.previous`. */
	readonly use_previous?: boolean;
	/** Runs the step once per item of an array; its value is the array of values. */
	readonly map?: { readonly over: unknown; readonly parallel?: number };
	/** A name for references, besides the step's number. */
	readonly id?: string;
};

/** What is wrong with the steps that somebody gave, in a place that begins with `steps`. */
export function findStepProblems(steps: unknown): readonly Problem[] {
	const problems = compileCheck(STEPS)({ steps });
	if (problems.length > 0) return problems;
	const misplaced = describeMisplacedStep(steps as readonly ChainStep[]);
	if (misplaced === undefined) return [];
	const { at, expected, got } = misplaced;
	return [{ kind: "other", at, says: `expected ${expected}`, got }];
}

type Misplaced = { readonly at: readonly string[]; readonly expected: string; readonly got: unknown };

/** The first step that makes no sense where it is, although it has the right form; `argsName` is what its args are called. */
export function describeMisplacedStep(steps: readonly ChainStep[], argsName: string = "args"): Misplaced | undefined {
	if (steps[0]?.use_previous === true)
		return { at: ["steps", "0", "use_previous"], expected: "no such field in the first step", got: true };
	// No prototype, as in the scope of a chain that runs.
	const before: Record<string, unknown> = Object.create(null);
	for (const [index, { id, args, map }] of steps.entries()) {
		const at = ["steps", String(index)];
		const scope: Scope = { steps: before, ...(index > 0 && { previous: LATER }) };
		const inner = map === undefined ? scope : { ...scope, item: LATER, index: LATER };
		const misplaced =
			misplacedReference(map?.over, [...at, "map", "over"], scope) ??
			misplacedReference(args, [...at, argsName], inner);
		if (misplaced !== undefined) return misplaced;
		const entry = { tool_id: LATER, structured: LATER };
		before[String(index)] = entry;
		if (id === undefined) continue;
		// References must distinguish it from a number and from every other step.
		if (!/^[A-Za-z][\w-]{0,63}$/.test(id))
			return { at: [...at, "id"], expected: "a letter, then letters, digits, _ or -", got: id };
		if (before[id] !== undefined) return { at: [...at, "id"], expected: "a name of its own", got: id };
		before[id] = entry;
	}
	return undefined;
}

function misplacedReference(value: unknown, place: readonly string[], scope: Scope): Misplaced | undefined {
	for (const { at, reference } of findReferences(value)) {
		const expected = describeExpectation(reference, scope);
		if (expected !== undefined) return { at: [...place, ...at], expected, got: reference };
	}
	return undefined;
}

export const STEP = {
	type: "object",
	properties: {
		id: { type: "string" },
		tool_id: { type: "string" },
		args: { type: "object" },
		use_previous: { type: "boolean" },
		map: {
			type: "object",
			properties: { over: {}, parallel: { type: "integer", minimum: 1, maximum: MAX_PARALLEL } },
			required: ["over"],
			additionalProperties: false,
		},
	},
	required: ["tool_id"],
	additionalProperties: false,
} as const;

const STEPS = { type: "object", properties: { steps: { type: "array", items: STEP } } } as const;
