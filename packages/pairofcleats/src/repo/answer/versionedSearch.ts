import { CleatsError } from "../../contract/errors.ts";
import { type RegexRunner, startRegexRunner } from "../../expression/regexSearch.ts";
import type { SearchRequest } from "../../query/request.ts";
import { InstalledDictionary } from "../../query/unknownWords.ts";
import { GenerationChanged } from "../../store/store.ts";
import { type LoadedEmbedder, loadEmbedder } from "../../vectors/loadEmbedder.ts";
import type { IndexInUse } from "../indexInUse.ts";
import type { OpenIndex } from "../openIndex.ts";
import type { Answered, IndexState } from "../repository.ts";
import { searchIndex } from "./search.ts";

/** After the first attempt, one fails only if the whole index is replaced, or most of it, as the threads open it. */
const MOST_TRIES = 20;

/** Searches the index in use, with the model, the dictionary and the threads that a search needs. */
export class VersionedSearch {
	readonly #inUse: IndexInUse;
	readonly #namedModel: string | null | undefined;
	readonly #regexes: RegexRunner = startRegexRunner();
	readonly #installed: InstalledDictionary;
	#model: Promise<LoadedEmbedder> | undefined;

	constructor(inUse: IndexInUse, cacheRoot: string, model: string | null | undefined) {
		this.#inUse = inUse;
		this.#installed = new InstalledDictionary(cacheRoot);
		this.#namedModel = model;
	}

	/** Everything an answer depends on besides its request. */
	versionOf({ identity, snapshot }: OpenIndex): string {
		return `${identity}:${snapshot.generation}:${this.#installed.installedMs() ?? ""}`;
	}

	model(): Promise<LoadedEmbedder> {
		this.#model ??= loadEmbedder(this.#namedModel, this.#inUse.opened?.model);
		return this.#model;
	}

	async search(state: IndexState, request: SearchRequest, signal?: AbortSignal): Promise<Answered> {
		const model = await this.model();
		const answer = async (index: OpenIndex): Promise<Answered> => {
			const version = this.versionOf(index);
			const dictionary = this.#installed.current();
			const tools = {
				regexes: this.#regexes,
				checkedAt: state.checkedAt,
				model,
				...(dictionary && { dictionary }),
			};
			try {
				return { version, result: await searchIndex(index, request, tools, signal) };
			} catch (error) {
				// The threads for expressions open the file themselves, and it may be gone.
				if (signal?.aborted || !this.#inUse.isReplaced(index)) throw error;
				throw new GenerationChanged("the index was replaced", { cause: error });
			}
		};
		for (let tries = 1; tries <= MOST_TRIES; tries++) {
			try {
				if (tries > 1) return await this.#inUse.still(answer);
				const index = this.#indexOf(state);
				return await index.during(() => answer(index));
			} catch (error) {
				if (!(error instanceof GenerationChanged)) throw error;
			}
		}
		throw new CleatsError("QUEUE_OVERLOADED", "the index changed during every attempt to search it; search again", {
			reason: "index_changing",
		});
	}

	/** The state is moments old, and the search itself notices a newer generation. */
	#indexOf({ version }: IndexState): OpenIndex {
		const { opened } = this.#inUse;
		return opened && this.versionOf(opened) === version ? opened : this.#inUse.current();
	}

	close(): Promise<void> {
		return this.#regexes.close();
	}
}
