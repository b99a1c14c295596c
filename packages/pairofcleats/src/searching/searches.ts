import type { SearchRequest } from "../query/request.ts";
import type { Warning, WarningCode } from "../query/result.ts";
import type { OpenOptions, Repository } from "../repo/repository.ts";
import { isIndexDamage } from "../store/indexDamage.ts";
import { runSearchJob, type SearchJob } from "./searchJob.ts";
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
		const known = this.#cache.get(makeAnswerKey(state.version, request));
		if (known !== undefined) return warned(known, state.warning);
		const job: SearchJob = { root: engine.root, open, state, request };
		const here = () => runSearchJob(engine, job, signal);
		const searched = this.#pool.run(job, here, signal).catch((thrown: unknown) => {
			// Asked here again, since a thread only reads: this engine has a damaged index built again.
			if (isIndexDamage(thrown)) return here();
			throw thrown;
		});
		const { version, text, warnings, trueUntil } = await searched;
		const answer = new WrittenSearch(text, warnings);
		this.#cache.set(makeAnswerKey(version, request), answer, trueUntil);
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

const MOST_BYTES = 16 * 1024 * 1024;
const MOST_ANSWER_BYTES = 1024 * 1024;

/** Warnings of answers cut short by a time limit. They are not cached, because the next attempt may find more. */
const HURRIED: ReadonlySet<string> = new Set<WarningCode>(["regex_budget", "candidates_capped"]);

/** Most requests remembered as seen once. */
const MOST_SEEN = 4_096;

type Cached = { readonly answer: WrittenSearch; readonly trueUntil: number };

/**
 * An LRU cache of answers, keyed by index version and all arguments. An answer is cached when it is requested a second
 * time, since most requests come only once.
 */
export class AnswerCache {
	readonly #mostBytes: number;
	/** In order of use. */
	readonly #answers = new Map<string, Cached>();
	/** Hashes of the keys seen once. A collision only means that an answer is cached too early. */
	readonly #seen = new Set<number>();
	#bytes = 0;

	constructor(mostBytes: number = MOST_BYTES) {
		this.#mostBytes = mostBytes;
	}

	get bytes(): number {
		return this.#bytes;
	}

	get(key: string | undefined): WrittenSearch | undefined {
		const cached = key === undefined ? undefined : this.#answers.get(key);
		if (key === undefined || cached === undefined) return undefined;
		if (cached.trueUntil <= Date.now()) {
			this.#drop(key);
			return undefined;
		}
		this.#answers.delete(key);
		this.#answers.set(key, cached);
		return cached.answer;
	}

	/** `trueUntil` is when the answer stops being true although the index stays the same. */
	set(key: string | undefined, answer: WrittenSearch, trueUntil: number = Number.POSITIVE_INFINITY): void {
		if (key === undefined || answer.warnings.some(({ code }) => HURRIED.has(code)) || !this.#wasSeen(key)) return;
		const bytes = bytesOf(key, answer);
		if (bytes > MOST_ANSWER_BYTES) return;
		this.#drop(key);
		this.#answers.set(key, { answer, trueUntil });
		this.#bytes += bytes;
		for (const oldest of this.#answers.keys()) {
			if (this.#bytes <= this.#mostBytes) break;
			this.#drop(oldest);
		}
	}

	#wasSeen(key: string): boolean {
		const hash = hashOf(key);
		if (this.#seen.has(hash)) return true;
		if (this.#seen.size >= MOST_SEEN) this.#seen.clear();
		this.#seen.add(hash);
		return false;
	}

	#drop(key: string): void {
		const cached = this.#answers.get(key);
		if (cached === undefined) return;
		this.#answers.delete(key);
		this.#bytes -= bytesOf(key, cached.answer);
	}
}

/**
 * Counts the text twice, because it is also kept as a JSON string after it was sent over MCP. A character can take two
 * bytes.
 */
function bytesOf(key: string, { text }: WrittenSearch): number {
	return 2 * (key.length + 2 * text.length);
}

function hashOf(text: string): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	return hash;
}

/**
 * All arguments of the request in a fixed order, except `repoPath`, since the version identifies the index. `undefined`
 * for a request relative to the current time.
 */
export function makeAnswerKey(version: string, request: SearchRequest): string | undefined {
	if (request.modifiedSince !== undefined) return undefined;
	const asked = Object.entries(request).filter(([name, value]) => name !== "repoPath" && value !== undefined);
	return JSON.stringify([version, ...asked.sort(([one], [other]) => (one < other ? -1 : 1))]);
}
