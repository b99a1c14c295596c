// The ranking that ours is compared with: textbook BM25 over name, description and parameters as one text.
import type { SearchIndex, SearchStrategy } from "metatools";
import { terms } from "../../packages/metatools/src/search/text/words.ts";

const K1 = 1.2;
const B = 0.75;

export function plainBm25(): SearchStrategy {
	return {
		name: "plain BM25",
		build(documents): SearchIndex {
			const bags = documents.map(({ name, description, parameters }) => {
				const texts = [name, description, ...parameters.map((one) => `${one.name} ${one.description}`)];
				return terms(texts.join(" "));
			});
			const average = bags.reduce((sum, bag) => sum + bag.length, 0) / bags.length;
			const postings = new Map<string, Map<number, number>>();
			for (const [document, bag] of bags.entries())
				for (const term of bag) {
					const found = postings.get(term) ?? new Map<number, number>();
					postings.set(term, found.set(document, (found.get(document) ?? 0) + 1));
				}
			return {
				search([query = ""]) {
					const scores = new Map<number, number>();
					for (const term of new Set(terms(query))) {
						const found = postings.get(term) ?? new Map<number, number>();
						const idf = Math.log(1 + (bags.length - found.size + 0.5) / (found.size + 0.5));
						for (const [document, times] of found) {
							const length = 1 - B + (B * (bags[document]?.length ?? 0)) / average;
							const score = (idf * times * (K1 + 1)) / (times + K1 * length);
							scores.set(document, (scores.get(document) ?? 0) + score);
						}
					}
					return [...scores]
						.map(([document, score]) => ({ id: documents[document]?.id ?? "", score }))
						.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
				},
			};
		},
	};
}
