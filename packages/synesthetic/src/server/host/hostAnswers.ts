import { diffText } from "../../diff/diffText.ts";
import { LARGEST_READ_BY_HOST } from "../frontEnd/lines.ts";
import type { PlainFrame } from "../frontEnd/plainFrame.ts";

// A worker reads its files once, so these answers stay valid for its lifetime.
const STANDING: ReadonlySet<string> = new Set(["list_schemas", "get_schema", "list_examples", "get_example"]);
const LONGEST_QUESTION = 256;
const LONGEST_RESULT = 64 * 1024;
const MOST_TEXT = 512 * 1024;

/** A cache of results that a worker would give again for the identical request. */
export class StandingAnswers {
	#results = new Map<string, string>();
	#text = 0;

	/** Clears the cache for a new worker, and ignores answers still under way from the old one. */
	renew(): void {
		this.#results = new Map();
		this.#text = 0;
	}

	/** The cache key of a request; undefined if its answer cannot be cached. */
	questionOf({ method, paramsStart }: PlainFrame, frame: Buffer): string | undefined {
		const end = frame.length - 1;
		if (!STANDING.has(method) || end - paramsStart > LONGEST_QUESTION) return undefined;
		return method + frame.toString("latin1", paramsStart, end);
	}

	find(question: string): string | undefined {
		return this.#results.get(question);
	}

	/** Returns a callback that caches the result of a request sent now. */
	listen(question: string): (result: string) => void {
		const results = this.#results;
		return (result) => {
			const size = question.length + result.length;
			if (results !== this.#results || result.length > LONGEST_RESULT || this.#text + size > MOST_TEXT) return;
			if (results.has(question)) return;
			results.set(question, result);
			this.#text += size;
		};
	}
}

const LONGEST_PATCH = 1024 * 1024;

/**
 * The result of a plain diff_assets, if the host can compute it. That is faster than asking a worker, and safe: the
 * text module can access nothing but its own memory.
 */
export function diffInHost({ method, paramsStart }: PlainFrame, frame: Buffer): string | Buffer | undefined {
	if (method !== "diff_assets" || frame.length > LARGEST_READ_BY_HOST) return undefined;
	try {
		return diffText(frame, paramsStart, frame.length - 1, { parsing: false, longest: LONGEST_PATCH });
	} catch {
		// The module trapped: leave the request to the worker, which can be replaced if it does too.
		return undefined;
	}
}
