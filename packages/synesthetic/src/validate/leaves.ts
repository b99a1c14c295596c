import type { Violation } from "./evaluation.ts";

/** The violations, with each failed choice replaced by the violations of the alternative most likely meant. */
export function leavesOf(violations: readonly Violation[]): Generator<Violation> {
	return leavesBelow(violations, "", new Map());
}

/**
 * `told`: the lists already yielded, and at which paths. Many choices may share a list, which is yielded once per path.
 */
function* leavesBelow(
	violations: readonly Violation[],
	above: string,
	told: Map<readonly Violation[], Set<string>>,
): Generator<Violation> {
	const places = told.get(violations) ?? new Set();
	if (places.has(above)) return;
	told.set(violations, places.add(above));
	for (const violation of violations) {
		const path = above + violation.path;
		if (violation.within.length === 0) yield { ...violation, path };
		else yield* leavesBelow(violation.within, path, told);
	}
}
