import type { JsonObject } from "../contract/json.ts";
import type { Problem } from "../run/problem.ts";
import { checkOf } from "../run/schemaCheck.ts";
import { MAX_PARALLEL } from "./mapStep.ts";

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
export function stepProblems(steps: unknown): readonly Problem[] {
	const problems = checkOf(STEPS)({ steps });
	if (problems.length > 0) return problems;
	const misplaced = misplacedStep(steps as readonly ChainStep[]);
	if (misplaced === undefined) return [];
	const { at, expected, got } = misplaced;
	return [{ kind: "other", at, says: `expected ${expected}`, got }];
}

/** The first step that makes no sense where it is, although it has the right form. */
export function misplacedStep(
	steps: readonly Pick<ChainStep, "id" | "use_previous">[],
): { readonly at: readonly string[]; readonly expected: string; readonly got: unknown } | undefined {
	if (steps[0]?.use_previous === true)
		return { at: ["steps", "0", "use_previous"], expected: "no such field in the first step", got: true };
	const taken = new Set<string>();
	for (const [index, { id }] of steps.entries()) {
		if (id === undefined) continue;
		const at = ["steps", String(index), "id"];
		// References must distinguish it from a number and from every other step.
		if (!/^[A-Za-z][\w-]{0,63}$/.test(id)) return { at, expected: "a letter, then letters, digits, _ or -", got: id };
		if (taken.has(id)) return { at, expected: "a name of its own", got: id };
		taken.add(id);
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
