import { SYNONYMS } from "../text/lexicon.ts";
import { stem } from "../text/stem.ts";
import { tellingWords } from "../text/words.ts";

/** Query words with one meaning: from each stem to its word. */
export type Wish = ReadonlyMap<string, string>;

/** The things a query asks for. Adjacent synonyms, as in "source code", count as one thing, not two. */
export function wishesOf(query: string): readonly Wish[] {
	const all: Map<string, string>[] = [];
	for (const [term, word] of new Map(tellingWords(query).map((word) => [stem(word), word]))) {
		const last = all.at(-1);
		const synonyms = SYNONYMS.get(term) ?? [];
		if (last !== undefined && synonyms.some((synonym) => last.has(synonym))) last.set(term, word);
		else all.push(new Map([[term, word]]));
	}
	return all;
}
