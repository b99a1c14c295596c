import type { Snapshot } from "../store/snapshot.ts";
import type { Candidate } from "./candidate.ts";
import { leastOfBest } from "./leastOfBest.ts";

/** How many files of code come before the document. */
const PLACE = 4;
/** Relative to the best file of code. */
const ALMOST = 0.9;
const BEHIND = 1 - 1e-6;

/**
 * Puts the best document behind the first files of code, if without its demotion it would lead or nearly so. Most
 * questions are about code, but a document that answers one should be in sight.
 */
export function liftProse(candidates: readonly Candidate[], snapshot: Snapshot): void {
	const code: number[] = [];
	let document: Candidate | undefined;
	let worth = 0;
	let path = "";
	for (const candidate of candidates) {
		const file = snapshot.files[candidate.file];
		if (file?.mode !== "prose") code.push(candidate.total);
		else if (file.role === "source") {
			const own = candidate.total / candidate.kept;
			// Ties go by path: the numbers of files depend on how the index came about.
			if (own < worth || (own === worth && file.path > path)) continue;
			document = candidate;
			worth = own;
			path = file.path;
		}
	}
	if (document === undefined || worth < ALMOST * Math.max(...code)) return;
	document.total = Math.max(document.total, BEHIND * leastOfBest(Float64Array.from(code), PLACE));
}
