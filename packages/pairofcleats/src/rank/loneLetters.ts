import type { ConditionContext } from "../query/conditions.ts";
import { pairsWith } from "../query/loneLetters.ts";
import { isLoneLetter } from "../tokens/words.ts";
import type { Scores } from "./scores.ts";

/**
 * Scores chunks in which a lone letter of a script without spaces occurs inside a word, with a low `worth`: beside
 * whole words, a letter says little.
 */
export function addLetters(words: readonly string[], context: ConditionContext, scores: Scores, worth: number): void {
	for (const letter of new Set(words.filter(isLoneLetter))) {
		const pairs = pairsWith(letter, context);
		for (const [number, { first, docs }] of context.snapshot.files.entries()) {
			for (let doc = first; doc < first + docs; doc++) {
				const count = pairs[doc] ?? 0;
				if (count > 0) scores.add(doc, number, worth * (1 + Math.log1p(count)));
			}
		}
	}
}
