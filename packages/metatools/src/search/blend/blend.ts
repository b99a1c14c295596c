import { MeaningIndex } from "../meaning/meaningIndex.ts";
import { shippedTable } from "../meaning/shippedTable.ts";
import type { TokenTable } from "../meaning/tokenTable.ts";
import { QueryIndex } from "../queryIndex.ts";
import type { SearchDocument, SearchStrategy } from "../strategy.ts";
import { bm25 } from "../words/bm25.ts";
import { BM25_DEFAULTS, type Bm25Options } from "../words/bm25Options.ts";
import { WordIndex } from "../words/wordIndex.ts";
import { rankTask } from "./rankTask.ts";

/** Ranks by words and by meaning, with the model that is shipped. */
export function blend(options: Partial<Bm25Options> = {}, readTable: () => TokenTable = shippedTable): SearchStrategy {
	const settings = { ...BM25_DEFAULTS, ...options };
	return {
		name: "blend",
		build(all) {
			const documents = settings.maxDocs > 0 ? all.slice(0, settings.maxDocs) : all;
			const table = readOrWarn(readTable);
			if (table === undefined) return bm25(options).build(documents);
			const words = new WordIndex(documents, settings);
			const meaning = new MeaningIndex(cappedTexts(documents, settings.maxDocTextLength), table);
			return new QueryIndex(documents, (query) => rankTask(query, words, meaning), words.parts.known);
		},
	};
}

function cappedTexts(documents: readonly SearchDocument[], longest: number): readonly SearchDocument[] {
	if (longest === 0) return documents;
	return documents.map((document) => ({
		...document,
		description: document.description.slice(0, longest),
		parameters: document.parameters.map(({ name, description }) => ({
			name: name.slice(0, longest),
			description: description.slice(0, longest),
		})),
	}));
}

/** Without the model, searching goes on by words. */
function readOrWarn(readTable: () => TokenTable): TokenTable | undefined {
	try {
		return readTable();
	} catch (thrown) {
		process.emitWarning(`search by words only: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
		return undefined;
	}
}
