import type { ChunkFacts, ChunkKind } from "../parse/chunk.ts";

/** What a search answers. No path in it is absolute. */
export type SearchResult = {
	readonly query: string;
	readonly mode: string;
	/** One ranked list over every mode asked for. */
	readonly hits: readonly Hit[];
	/** The same hits by the mode they belong to. */
	readonly byMode: Readonly<Partial<Record<HitMode, readonly number[]>>>;
	readonly totals: {
		/** Chunks that match the query and the filters. */
		readonly matches: number;
		readonly files: number;
		/** Live chunks in the modes asked for. */
		readonly searched: number;
	};
	readonly offset: number;
	readonly hasMore: boolean;
	readonly timings: Readonly<Record<"parse" | "filter" | "score" | "rank" | "snippet" | "total", number>>;
	readonly warnings: readonly Warning[];
	/** When the index was last compared with the files on disk: ISO 8601, UTC. */
	readonly checkedAt: string;
};

export type HitMode = "code" | "prose" | "extracted-prose" | "records";

/** One chunk that was found, as every door returns it. */
export type Hit = {
	readonly path: string;
	readonly startLine: number;
	readonly endLine: number;
	readonly mode: HitMode;
	readonly language: string;
	readonly kind: ChunkKind;
	readonly name: string;
	readonly qualifiedName: string;
	readonly signature?: string;
	/** Where the hit is one of several parts of a long declaration: which, and the lines of the whole. */
	readonly part?: {
		readonly index: number;
		readonly of: number;
		readonly startLine: number;
		readonly endLine: number;
	};
	readonly score: number;
	/** Only with `explain`. The parts add up to the score. */
	readonly scoreParts?: Readonly<Record<string, number>>;
	readonly snippet: Snippet;
	/** Other places with the same text, folded into this hit. */
	readonly duplicates?: readonly { readonly path: string; readonly startLine: number; readonly endLine: number }[];
	/** With output `full` and `json`: the facts of the chunk, what git and lint know of it, and its source text. */
	readonly facts?: Omit<ChunkFacts, "docstring"> & { readonly docstring?: string };
	readonly git?: GitFacts;
	/** The first of the findings in its lines. */
	readonly lint?: readonly { readonly line: number; readonly rule: string; readonly message: string }[];
	readonly source?: string;
};

export type GitFacts = {
	readonly author?: string;
	/** ISO 8601, UTC. */
	readonly modified?: string;
	readonly churn?: number;
};

export type Snippet = {
	/** Line of the file that the first entry of `lines` is. */
	readonly startLine: number;
	readonly lines: readonly string[];
	/** Line numbers, of the file, that hold a match. */
	readonly matched: readonly number[];
};

/** Something the caller should know that did not stop the answer. */
export type Warning = { readonly code: WarningCode; readonly message: string; readonly field?: string };

/** What a search could not do as asked, and did without. */
export const WARNING_CODES = [
	"vectors_unavailable",
	"filter_unsupported",
	"filter_without_data",
	"branch_mismatch",
	"regex_budget",
	"candidates_capped",
	"index_stale",
	"query_capped",
	"findings_capped",
	"unknown_word",
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];
