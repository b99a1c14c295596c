import type { SearchRequest } from "../query/request.ts";
import type { Warning } from "../query/result.ts";
import type { OpenOptions, Repository } from "../repo/repository.ts";
import { isIndexDamage } from "../store/indexDamage.ts";
import { AnswerCache, answerKey } from "./answerCache.ts";
import { found, type SearchJob } from "./searchJob.ts";
import { type PoolLoad, type PoolOptions, SearchPool } from "./searchPool.ts";
import { WrittenSearch } from "./writtenSearch.ts";

/** Answers searches as JSON text: from the cache if nothing has changed, otherwise on a free thread. */
export class Searches {
	readonly #cache = new AnswerCache();
	readonly #pool: SearchPool;

	constructor(options: PoolOptions = {}) {
		this.#pool = new SearchPool(options);
	}

	async answer(
		engine: Repository,
		open: OpenOptions,
		request: SearchRequest,
		signal: AbortSignal,
	): Promise<WrittenSearch> {
		const state = await engine.state(signal);
		const known = this.#cache.get(answerKey(state.version, request));
		if (known !== undefined) return warned(known, state.warning);
		const job: SearchJob = { root: engine.root, open, state, request };
		const here = () => found(engine, job, signal);
		const searched = this.#pool.run(job, here, signal).catch((thrown: unknown) => {
			// Asked here again, since a thread only reads: this engine has a damaged index built again.
			if (isIndexDamage(thrown)) return here();
			throw thrown;
		});
		const { version, text, warnings, trueUntil } = await searched;
		const answer = new WrittenSearch(text, warnings);
		this.#cache.set(answerKey(version, request), answer, trueUntil);
		return warned(answer, state.warning);
	}

	get load(): PoolLoad {
		return this.#pool.load;
	}

	close(): Promise<void> {
		return this.#pool.close();
	}
}

/** The same answer with the index's current warning added. */
function warned(answer: WrittenSearch, warning: Warning | undefined): WrittenSearch {
	if (warning === undefined) return answer;
	const warnings = [...answer.warnings, warning];
	return new WrittenSearch(JSON.stringify({ ...JSON.parse(answer.text), warnings }), warnings);
}
