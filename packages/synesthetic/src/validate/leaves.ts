import type { Violation } from "./evaluation.ts";

/** What is wrong at the bottom: in place of a failed choice of alternatives, what fails by the one most likely meant. */
export function* leavesOf(violations: readonly Violation[], above = ""): Generator<Violation> {
	for (const violation of violations) {
		const path = above + violation.path;
		if (violation.within.length === 0) yield { ...violation, path };
		else yield* leavesOf(violation.within, path);
	}
}
