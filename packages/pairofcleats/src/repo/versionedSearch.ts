import { type RegexRunner, regexRunner } from "../expression/regexSearch.ts";
import { InstalledDictionary } from "../query/dictionary.ts";
import type { SearchRequest } from "../query/request.ts";
import { type LoadedEmbedder, loadEmbedder } from "../vectors/loadEmbedder.ts";
import type { IndexInUse } from "./indexInUse.ts";
import type { OpenIndex } from "./openIndex.ts";
import type { Answered, IndexState } from "./repository.ts";
import { GenerationChanged, searchIndex } from "./search.ts";

/** A search whose index keeps changing under it gives up after this many attempts. */
const MOST_TRIES = 5;

/** Searches the index in use, with the model, the dictionary and the threads that a search needs. */
export class VersionedSearch {
	readonly #inUse: IndexInUse;
	readonly #namedModel: string | null | undefined;
	readonly #regexes: RegexRunner = regexRunner();
	readonly #installed: InstalledDictionary;
	#model: Promise<LoadedEmbedder> | undefined;

	constructor(inUse: IndexInUse, cacheRoot: string, model: string | null | undefined) {
		this.#inUse = inUse;
		this.#installed = new InstalledDictionary(cacheRoot);
		this.#namedModel = model;
	}

	/** Everything an answer depends on besides its request. */
	versionOf(index: OpenIndex): string {
		return `${this.#inUse.versionOf(index)}:${this.#installed.installedMs() ?? ""}`;
	}

	model(): Promise<LoadedEmbedder> {
		this.#model ??= loadEmbedder(this.#namedModel, this.#inUse.opened?.model);
		return this.#model;
	}

	async search(
		{ version: asked, checkedAt }: IndexState,
		request: SearchRequest,
		signal?: AbortSignal,
	): Promise<Answered> {
		const model = await this.model();
		for (let tries = 1; ; tries++) {
			try {
				// The state is moments old, and the search itself notices a newer generation.
				const { opened } = this.#inUse;
				const index = tries === 1 && opened && this.versionOf(opened) === asked ? opened : this.#inUse.current();
				const version = this.versionOf(index);
				const dictionary = this.#installed.current();
				const tools = { regexes: this.#regexes, checkedAt, model, ...(dictionary && { dictionary }) };
				return { version, result: await searchIndex(index, request, tools, signal) };
			} catch (error) {
				if (!(error instanceof GenerationChanged) || tries === MOST_TRIES) throw error;
			}
		}
	}

	close(): Promise<void> {
		return this.#regexes.close();
	}
}
