import { byScore, type Hit, type SearchDocument, type SearchIndex, type SearchStrategy } from "../strategy.ts";

/** Turns texts into vectors of one length; nearness of meaning is their cosine. */
export type Embedder = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;

/** Blends a word-based ranking with nearness of meaning: `weight` is the share of the latter. */
export function hybrid(words: SearchStrategy, embedder: () => Promise<Embedder>, weight: number): SearchStrategy {
	return {
		name: `${words.name}+semantic`,
		build(documents): SearchIndex {
			const index = words.build(documents);
			let vectors: Promise<readonly (readonly number[])[]> | undefined;
			return {
				async search(queries) {
					const hits = await index.search(queries);
					try {
						const embed = await embedder();
						vectors ??= embed(documents.map(textOf));
						// Together: if either fails while the other runs, nobody else would notice, and the process would end.
						const [known, asked] = await Promise.all([vectors, embed(queries)]);
						return blend(documents, hits, asked, known, weight);
					} catch (thrown) {
						// The embedder is optional: if it fails, the word ranking is used alone.
						vectors = undefined;
						process.emitWarning(
							`search: the embedder failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
						);
						return hits;
					}
				},
			};
		},
	};
}

function blend(
	documents: readonly SearchDocument[],
	hits: readonly Hit[],
	queries: readonly (readonly number[])[],
	vectors: readonly (readonly number[])[],
	weight: number,
): readonly Hit[] {
	const best = hits[0]?.score ?? 1;
	const byWords = new Map(hits.map((hit) => [hit.id, hit.score / best]));
	return documents
		.map(({ id }, index): Hit => {
			const nearest = Math.max(0, ...queries.map((query) => cosine(query, vectors[index] ?? [])));
			return { id, score: (1 - weight) * (byWords.get(id) ?? 0) + weight * nearest };
		})
		.filter((hit) => hit.score > 0)
		.sort(byScore);
}

function cosine(a: readonly number[], b: readonly number[]): number {
	let dot = 0;
	let aa = 0;
	let bb = 0;
	for (const [index, value] of a.entries()) {
		const other = b[index] ?? 0;
		dot += value * other;
		aa += value * value;
		bb += other * other;
	}
	return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}

function textOf({ name, namespace, description }: SearchDocument): string {
	return `${namespace} ${name.replaceAll("_", " ")}: ${description}`;
}
