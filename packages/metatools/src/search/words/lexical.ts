import { byScore, type Hit, type SearchStrategy } from "../strategy.ts";

/** Whole-query substring matching: predictable, for those who know what they look for. */
export function lexical(): SearchStrategy {
	return {
		name: "lexical",
		build(documents) {
			const haystacks = documents.map((document) => ({
				id: document.id,
				names: [document.name, document.declaredName ?? document.name].map((name) => name.toLowerCase()),
				namespace: document.namespace.toLowerCase(),
				text: [document.id, document.description, ...document.tags].join("\n").toLowerCase(),
			}));
			const score = (hay: (typeof haystacks)[number], query: string): number => {
				const exact = hay.names.includes(query) || hay.id.toLowerCase() === query ? 50 : 0;
				if (hay.names.some((name) => name.includes(query)) || exact > 0) return 100 + exact;
				if (hay.namespace.includes(query)) return 50;
				return hay.text.includes(query) ? 10 : 0;
			};
			return {
				search(queries) {
					const wanted = queries.map((query) => query.trim().toLowerCase()).filter((query) => query !== "");
					return haystacks
						.map((hay): Hit => ({ id: hay.id, score: Math.max(0, ...wanted.map((query) => score(hay, query))) }))
						.filter((hit) => hit.score > 0)
						.sort(byScore);
				},
			};
		},
	};
}
