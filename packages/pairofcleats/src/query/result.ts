import type { ChunkFacts, ChunkKind } from "../parse/chunk.ts";

/** The result of a search. It contains no absolute path. */
export type SearchResult = {
	readonly query: string;
	readonly mode: string;
	/** One ranked list over all requested modes. */
	readonly hits: readonly Hit[];
	/** Indexes of the hits by mode. */
	readonly byMode: Readonly<Partial<Record<HitMode, readonly number[]>>>;
	readonly totals: {
		/** Chunks that match the query and the filters. */
		readonly matches: number;
		readonly files: number;
		/** Live chunks in the requested modes. */
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

/** Both count from 1 and belong to the range. */
export type Lines = { readonly startLine: number; readonly endLine: number };

/** One chunk found, in the same form over CLI, MCP and HTTP. */
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
	/** Present if the declaration has lines outside the hit, such as the members of a class: the lines of all of it. */
	readonly whole?: Lines;
	/** Present if the hit is one part of a long declaration: which part, and the lines of the whole. */
	readonly part?: {
		readonly index: number;
		readonly of: number;
	} & Lines;
	/** Present if the hit is a finding or a decision of triage. */
	readonly record?: RecordFacts;
	readonly score: number;
	/** Only with `explain`. The parts add up to the score. */
	readonly scoreParts?: Readonly<Record<string, number>>;
	readonly snippet: Snippet;
	/** Other locations with the same text, collapsed into this hit. */
	readonly duplicates?: readonly { readonly path: string; readonly startLine: number; readonly endLine: number }[];
	/** With output `full` and `json`: the chunk's facts, its git and lint data, and its source text. */
	readonly facts?: Omit<ChunkFacts, "docstring"> & { readonly docstring?: string };
	readonly git?: GitFacts;
	/** The first findings in the chunk's lines. */
	readonly lint?: readonly { readonly line: number; readonly rule: string; readonly message: string }[];
	readonly source?: string;
};

/** What a list of findings shows of one, and of a decision about it. */
export type RecordFacts = {
	readonly recordId: string;
	readonly recordType: "finding" | "decision";
	readonly title: string;
	readonly severity: string;
	/** The package or place of a finding. */
	readonly where?: string;
	/** Why the scanner of a finding no longer reports it as open. */
	readonly settled?: string;
	/** The decision in force, `null` for none; of a decision its own status. */
	readonly decision: string | null;
	readonly expiresAt?: string;
	/** The finding that a decision is about. */
	readonly finding?: string;
};

export type GitFacts = {
	readonly author?: string;
	/** ISO 8601, UTC. */
	readonly modified?: string;
	readonly churn?: number;
};

export type Snippet = {
	/** File line number of the first entry of `lines`. */
	readonly startLine: number;
	readonly lines: readonly string[];
	/** File line numbers that contain a match. */
	readonly matched: readonly number[];
};

/** Something the caller should know although the search succeeded. */
export type Warning = { readonly code: WarningCode; readonly message: string; readonly field?: string };

/** The ways in which a search could not do everything that was asked. */
const WARNING_CODES = [
	"vectors_unavailable",
	"filter_unsupported",
	"filter_without_data",
	"filter_empty",
	"branch_mismatch",
	"regex_budget",
	"candidates_capped",
	"index_stale",
	"index_rebuilt",
	"query_capped",
	"findings_capped",
	"unknown_word",
	"uses_by_name",
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/** What is printed after a hit's name: the state of a finding, and where the hit is in its declaration. */
export function describeHit({ part, whole, record }: Pick<Hit, "part" | "whole" | "record">): string {
	const notes = [
		record && `${record.severity}, ${record.settled ?? record.decision ?? "open"}`,
		part && `part ${part.index} of ${part.of}`,
		whole && `whole ${whole.startLine}-${whole.endLine}`,
	].filter((note) => note !== undefined);
	return notes.length === 0 ? "" : ` (${notes.join(", ")})`;
}
