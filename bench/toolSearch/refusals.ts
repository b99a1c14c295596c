// Whether a search says that nothing fits: each query asked of forty tools, once with those that do it and once without.
import type { SearchStrategy } from "metatools";
import { Catalog } from "../../packages/metatools/src/catalog/catalog.ts";
import { CatalogSearch } from "../../packages/metatools/src/search/catalogSearch.ts";
import { round } from "./figures.ts";
import type { Half, QuerySet } from "./sets.ts";

const TOOLS = 40;
const QUERIES = 200;

/** Precision and recall of "nothing fits" for one half of a set. */
export async function refusalFigures(set: QuerySet, half: Half, strategy: SearchStrategy): Promise<object> {
	const draw = drawer();
	const toolOf = new Map(set.tools.map((tool, at) => [set.documents[at]?.id ?? "", tool]));
	const queries = set.queries.filter((query) => query.half === half).slice(0, QUERIES);
	let [rightly, wrongly] = [0, 0];
	for (const { text, relevance } of queries) {
		const gold = [...relevance.keys()].flatMap((id) => toolOf.get(id) ?? []);
		const others = Array.from({ length: TOOLS }, () => set.tools[draw(set.tools.length)]).filter(
			(tool) => tool !== undefined && !gold.includes(tool),
		);
		const tools = [...new Set(others)].flatMap((tool) => tool ?? []);
		if (await isRefused([...tools, ...gold], text)) wrongly++;
		if (await isRefused(tools, text)) rightly++;
	}
	return {
		set: set.name,
		half,
		queries: queries.length,
		refusal: `of ${TOOLS} tools without the right ones`,
		precision: round(rightly / Math.max(1, rightly + wrongly)),
		recall: round(rightly / queries.length),
		refusedWrongly: round(wrongly / queries.length),
	};

	async function isRefused(definitions: QuerySet["tools"], text: string): Promise<boolean> {
		const catalog = new Catalog();
		catalog.set({
			namespace: "bench",
			definitions,
			backendOf: () => ({ kind: "mcp", mcp: { serverName: "bench" } }),
		});
		return (await new CatalogSearch(catalog, strategy).search([text])).nothingFits;
	}
}

/** Numbers below a limit that look drawn but are the same in every run. */
function drawer(): (limit: number) => number {
	let state = 7;
	return (limit) => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return Math.floor((state / 2_147_483_648) * limit);
	};
}
