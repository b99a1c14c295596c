import { SEARCH_ARGUMENTS } from "../query/arguments.ts";
import type { SearchRequest } from "../query/request.ts";
import type { WarningCode } from "../repo/result.ts";
import type { WrittenSearch } from "./writtenSearch.ts";

const MOST_BYTES = 16 * 1024 * 1024;
const MOST_ANSWER_BYTES = 1024 * 1024;

/** Answers that were cut short by the clock: the next one may say more. */
const HURRIED: ReadonlySet<string> = new Set<WarningCode>(["regex_budget", "candidates_capped"]);

/** Answers by the version of the index and all that was asked, the least recently used let go first. */
export class AnswerCache {
	readonly #mostBytes: number;
	/** In order of use. */
	readonly #answers = new Map<string, WrittenSearch>();
	#bytes = 0;

	constructor(mostBytes: number = MOST_BYTES) {
		this.#mostBytes = mostBytes;
	}

	get bytes(): number {
		return this.#bytes;
	}

	get(key: string | undefined): WrittenSearch | undefined {
		const answer = key === undefined ? undefined : this.#answers.get(key);
		if (key === undefined || answer === undefined) return undefined;
		this.#answers.delete(key);
		this.#answers.set(key, answer);
		return answer;
	}

	set(key: string | undefined, answer: WrittenSearch): void {
		if (key === undefined || answer.warnings.some(({ code }) => HURRIED.has(code))) return;
		const bytes = bytesOf(key, answer);
		if (bytes > MOST_ANSWER_BYTES) return;
		this.#drop(key);
		this.#answers.set(key, answer);
		this.#bytes += bytes;
		for (const oldest of this.#answers.keys()) {
			if (this.#bytes <= this.#mostBytes) break;
			this.#drop(oldest);
		}
	}

	#drop(key: string): void {
		const answer = this.#answers.get(key);
		if (answer === undefined) return;
		this.#answers.delete(key);
		this.#bytes -= bytesOf(key, answer);
	}
}

/** The text is kept as it is and, once it was sent over MCP, as it is inside a string; characters may take two bytes. */
function bytesOf(key: string, { text }: WrittenSearch): number {
	return 2 * (key.length + 2 * text.length);
}

/**
 * Every argument there is, by its place in the table; only `repoPath` is left out, as the version names the index.
 * No key for a request that speaks of now.
 */
export function answerKey(version: string, request: SearchRequest): string | undefined {
	if (request.modifiedSince !== undefined) return undefined;
	const asked: Readonly<Record<string, unknown>> = { ...request, repoPath: undefined };
	return JSON.stringify([version, ...ARGUMENT_NAMES.map((name) => asked[name])]);
}

const ARGUMENT_NAMES: readonly string[] = Object.keys(SEARCH_ARGUMENTS);
