import { type ConditionContext, phrasePattern, verified } from "../query/conditions.ts";
import { leastOfBest } from "./leastOfBest.ts";
import type { Scores } from "./scores.ts";

/** So many of the chunks with most of its words are read for a name with dashes; further down it changes little. */
const MOST_READ = 100;

/** Adds the files that have a name with dashes as it is written, or are called so, to those that have it in one word. */
export function addDashed(name: string, context: ConditionContext, { docs, whole }: Scores): void {
	const { snapshot, allowed } = context;
	const best = Float64Array.from(docs);
	for (let doc = 0; doc < best.length; doc++) if (allowed[doc] === 0) best[doc] = 0;
	const least = leastOfBest(best, MOST_READ);
	const likely = new Uint8Array(docs.length);
	for (let doc = 0; doc < best.length; doc++) if (best[doc] !== 0 && (best[doc] ?? 0) >= least) likely[doc] = 1;
	const written = verified(likely, phrasePattern(name, false), context);
	const called = name.toLowerCase();
	for (const [number, { path, first, docs: count }] of snapshot.files.entries()) {
		if (written.subarray(first, first + count).includes(1) || path.toLowerCase().includes(called)) whole.add(number);
	}
}
