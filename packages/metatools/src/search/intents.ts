import { terms } from "./words.ts";

const LONG_QUERY = 14;
const LONG_STEP = 6;
const MIN_TERMS = 2;
const MAX_INTENTS = 24;
const SENTENCES = /[\n;]+|(?<![.!?])[.!?]+(?:\s+|$)|,?\s+(?:and then|after that|afterwards|then|finally)\b,?\s*/iu;
const CLAUSES = /,\s+(?:and\s+)?|\s+and\s+/iu;

/** Splits a query into the things it asks for: the query itself and, for a longer task, each of its steps. */
export function intents(query: string): readonly string[] {
	if (terms(query).length < LONG_QUERY) return [query];
	const steps = query
		// A long run of blanks would make the expression below take quadratic time.
		.replace(/\s+/g, (run) => (run.includes("\n") ? "\n" : " "))
		.split(SENTENCES)
		.flatMap((step) => (terms(step).length > LONG_STEP ? [step, ...step.split(CLAUSES)] : [step]));
	return [
		...new Set([query, ...steps.map((step) => step.trim()).filter((step) => terms(step).length >= MIN_TERMS)]),
	].slice(0, MAX_INTENTS);
}
