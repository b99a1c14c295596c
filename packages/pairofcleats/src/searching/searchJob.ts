import type { ErrorCode } from "../contract/errors.ts";
import type { SearchRequest } from "../query/request.ts";
import type { Hit, Warning } from "../query/result.ts";
import type { IndexState, OpenOptions, Repository } from "../repo/repository.ts";
import { searchPayload } from "./writtenSearch.ts";

/** One search, in a form that any thread can run. */
export type SearchJob = {
	readonly root: string;
	readonly open: OpenOptions;
	readonly state: IndexState;
	readonly request: SearchRequest;
};

/** The result of a job: the payload as JSON text, and the version of the index it comes from. */
export type Found = {
	readonly version: string;
	readonly text: string;
	readonly warnings: readonly Warning[];
	/** The end of the first decision that it gives as being in force; infinity if none ends. */
	readonly trueUntil: number;
	/** How long the search blocked its thread. */
	readonly blockedMs: number;
};

export type AskedOfThread = { readonly id: number; readonly job: SearchJob };

/** A thread's messages: that it is ready, or the outcome of a job. */
export type ThreadReport =
	| { readonly kind: "ready" }
	| { readonly kind: "found"; readonly id: number; readonly found: Found }
	| {
			readonly kind: "failed";
			readonly id: number;
			readonly code: ErrorCode;
			readonly message: string;
			readonly details: Readonly<Record<string, unknown>>;
	  };

export async function runSearchJob(
	engine: Repository,
	{ state, request }: SearchJob,
	signal?: AbortSignal,
): Promise<Found> {
	const { version, result } = await engine.searchFrom(state, request, signal);
	const { score, rank, snippet } = result.timings;
	return {
		version,
		text: JSON.stringify(searchPayload(result)),
		warnings: result.warnings,
		trueUntil: Math.min(...result.hits.map(lapsesAt)),
		blockedMs: score + rank + snippet,
	};
}

/** A decision's own hit gives its status in force or not; that of its finding gives it only while it is. */
function lapsesAt({ record }: Hit): number {
	const isInForce = record?.recordType === "finding" && record.expiresAt !== undefined;
	return isInForce ? Date.parse(record.expiresAt) : Number.POSITIVE_INFINITY;
}
