// Whether a search says that nothing fits: each query once with its gold tools in the catalogue and once without.
import { Catalog, CatalogSearch, type SearchStrategy } from "metatools";
import { round } from "./figures.ts";
import type { Half, QuerySet } from "./sets.ts";

/** Precision and recall of "nothing fits" for one half of a set. */
export async function refusalFigures(set: QuerySet, half: Half, strategy: SearchStrategy): Promise<object> {
	const catalog = new Catalog();
	catalog.set({
		namespace: "bench",
		definitions: set.tools,
		backendOf: () => ({ kind: "mcp", mcp: { serverName: "bench" } }),
	});
	const search = new CatalogSearch(catalog, strategy);
	let [rightly, wrongly, queries] = [0, 0, 0];
	for (const { text, relevance } of set.queries.filter((query) => query.half === half)) {
		const gold = new Set([...relevance.keys()].map((id) => id.split(":").at(-1)));
		queries++;
		if ((await search.search([text])).nothingFits) wrongly++;
		if ((await search.search([text], ({ definition }) => !gold.has(definition.name))).nothingFits) rightly++;
	}
	return {
		set: set.name,
		half,
		queries,
		refusal: "gold tools removed",
		precision: round(rightly / Math.max(1, rightly + wrongly)),
		recall: round(rightly / queries),
		refusedWrongly: round(wrongly / queries),
	};
}
