import { literalRequirement } from "../expression/regexTrigrams.ts";
import { trigramFiles } from "../expression/trigramFiles.ts";
import { type ConditionContext, phrasePattern, verified } from "../query/conditions.ts";
import { STOP_WORDS } from "../tokens/wordForms.ts";
import { splitIntoTerms, splitIntoWords } from "../tokens/words.ts";
import { withoutPrefixes } from "./filledIn.ts";
import type { Impacts } from "./impacts.ts";

const FEWEST_WORDS = 3;
const FEWEST_TELLING = 2;
/** If more chunks had to be read, the words are too common to be worth the wait. */
const MOST_READ = 200;

/**
 * The chunks that contain a message word for word, however common its words are: `Session is closed` for `RuntimeError:
 * Session is closed`. Drops as few prefixes as needed for a chunk to match.
 */
export function saidExactly(message: string, impacts: Impacts, context: ConditionContext): Uint8Array | undefined {
	for (const prefixed of withoutPrefixes(message)) {
		const text = prefixed.replace(/[\s.!:;,…]+$/u, "");
		const telling = splitIntoWords(text).filter((word) => !STOP_WORDS.has(word.toLowerCase()) && !/^\d/.test(word));
		if (telling.length < FEWEST_TELLING || splitIntoWords(text).length < FEWEST_WORDS) continue;
		const candidates = withAll([...new Set(telling.flatMap(splitIntoTerms))], text, impacts, context);
		if (!candidates.includes(1) || candidates.reduce((sum, one) => sum + one, 0) > MOST_READ) continue;
		const said = verified(candidates, phrasePattern(text, false), context);
		if (said.includes(1)) return said;
	}
	return undefined;
}

/** 1 for each chunk that has all terms, in a file that has all trigrams of the text. */
function withAll(
	terms: readonly string[],
	text: string,
	impacts: Impacts,
	{ snapshot, reader, allowed }: ConditionContext,
): Uint8Array {
	const counts = new Uint8Array(allowed.length);
	for (const term of terms) for (const doc of impacts.of(term).docs) counts[doc] = (counts[doc] ?? 0) + 1;
	const all = new Uint8Array(allowed.length);
	if (!counts.includes(terms.length)) return all;
	for (const number of trigramFiles(snapshot, reader, literalRequirement(text))) {
		const { first = 0, docs = 0 } = snapshot.files[number] ?? {};
		for (let doc = first; doc < first + docs; doc++) {
			if (counts[doc] === terms.length && allowed[doc] === 1) all[doc] = 1;
		}
	}
	return all;
}
