import type { Problem } from "./problem.ts";

/** More would only be read by nobody: a caller that has so much wrong has misread the schema. */
const MOST_PROBLEMS = 8;

/** One problem for each place, at most so many, and the fields that an object takes once. */
export function eachProblem(problems: Iterable<Problem>): readonly Problem[] {
	const kept: Problem[] = [];
	const places = new Set<string>();
	const told = new Set<string>();
	for (const problem of problems) {
		const place = JSON.stringify(problem.at);
		if (places.has(place)) continue;
		places.add(place);
		kept.push(problem.kind === "unknown" ? listedOnce(problem, told) : problem);
		if (kept.length === MOST_PROBLEMS) break;
	}
	return kept;
}

/** Drops the list of known fields if an earlier problem has the same. */
function listedOnce<Unknown extends Problem & { kind: "unknown" }>(problem: Unknown, told: Set<string>): Unknown {
	const list = problem.known.join("\n");
	if (list !== "" && told.has(list)) return { ...problem, known: [] };
	told.add(list);
	return problem;
}
