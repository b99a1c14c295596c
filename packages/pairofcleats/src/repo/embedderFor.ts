import type { SearchRequest } from "../query/request.ts";
import type { Warning } from "../query/result.ts";
import type { Embedder } from "../vectors/embedder.ts";
import type { LoadedEmbedder } from "../vectors/loadEmbedder.ts";
import type { OpenIndex } from "./openIndex.ts";

/** The embedder for this request, if the index's vectors are from the same model. */
export function embedderFor(
	request: SearchRequest,
	index: OpenIndex,
	{ embedder, problem }: LoadedEmbedder,
	warnings: Warning[],
): Embedder | undefined {
	if (request.ann === false) return undefined;
	const stored = index.model;
	if (embedder !== undefined && stored === embedder.id) return embedder;
	const isOfAnother = embedder !== undefined && stored !== "";
	if (request.ann === true || problem !== undefined || isOfAnother) {
		const reason =
			embedder === undefined
				? problem === undefined
					? "no embedding model is installed"
					: "the embedding model is unreadable"
				: `the index holds vectors of ${stored === "" ? "no model" : stored}, not of ${embedder.id}, until it is updated`;
		warnings.push({ code: "vectors_unavailable", field: "ann", message: `${reason}; the search used words alone` });
	}
	return undefined;
}
