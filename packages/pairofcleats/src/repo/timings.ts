import type { SearchResult } from "../query/result.ts";

type Phase = Exclude<keyof SearchResult["timings"], "total">;

/** How long each phase of a search took, in milliseconds. */
export class Timings {
	readonly #spent: Record<Phase, number> = { parse: 0, filter: 0, score: 0, rank: 0, snippet: 0 };
	#since = performance.now();

	/** Books the time since the last call under `phase`. */
	end(phase: Phase): void {
		const now = performance.now();
		this.#spent[phase] = round(now - this.#since);
		this.#since = now;
	}

	get(): SearchResult["timings"] {
		const total = round(Object.values(this.#spent).reduce((sum, ms) => sum + ms, 0));
		return { ...this.#spent, total };
	}
}

function round(ms: number): number {
	return Math.round(ms * 1000) / 1000;
}
