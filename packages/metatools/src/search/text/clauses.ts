import { terms } from "./words.ts";

const LONG_TASK = 8;
const LONG_STEP = 6;
const MIN_TERMS = 2;
const MAX_CLAUSES = 24;
const SENTENCES = /[\n;]+|(?<![.!?])[.!?]+(?:\s+|$)|,?\s+(?:and then|after that|afterwards|then|finally)\b,?\s*/iu;
const PHRASES = /,\s+(?:and\s+)?|\s+and\s+/iu;

/** A task of so many words and steps needs several tools. */
const SEVERAL = { terms: 14, steps: 3 } as const;

/** Whether one task asks for several things. */
export function hasSeveralNeeds(task: string): boolean {
	return terms(task).length >= SEVERAL.terms && clausesOf(task).length >= SEVERAL.steps;
}

/** The steps of a longer task, each in its own words; none for a short one. */
export function clausesOf(task: string): readonly string[] {
	if (terms(task).length < LONG_TASK) return [];
	const steps = task
		// A long run of blanks would make the expression below take quadratic time.
		.replace(/\s+/g, (run) => (run.includes("\n") ? "\n" : " "))
		.split(SENTENCES)
		.flatMap((step) => (terms(step).length > LONG_STEP ? [step, ...step.split(PHRASES)] : [step]))
		.map((step) => step.trim())
		.filter((step) => step !== task.trim() && terms(step).length >= MIN_TERMS);
	return [...new Set(steps)].slice(0, MAX_CLAUSES);
}
