/*
 * A logistic regression on the fitted halves of the public sets, each task asked of forty tools drawn at random, once
 * with and once without those that do it.
 */
const BIAS = -4.37;
const BY_COVERAGE = 11.33;
const BY_LIKENESS = 7.22;

/** The chance that a tool does what was asked for, by its share of the query's words and its likeness. */
export function fitOf(coverage: number, likeness: number): number {
	return 1 / (1 + Math.exp(-(BIAS + BY_COVERAGE * coverage + BY_LIKENESS * likeness)));
}
