import type { Settings } from "../config/settings.ts";
import { bm25 } from "./bm25.ts";
import { lexical } from "./lexical.ts";
import type { SearchStrategy } from "./strategy.ts";

/** The strategy that settings name. */
export function strategyFor(settings: Settings): SearchStrategy {
	switch (settings.searchStrategy) {
		case "lexical":
			return lexical();
		case "bm25":
			return bm25(settings);
	}
}
