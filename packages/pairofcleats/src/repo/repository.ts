import type { BuildOptions, BuildReport, OnProgress } from "../index/build.ts";
import type { ChunkKind } from "../parse/chunk.ts";
import type { SearchRequest } from "../query/request.ts";
import type { SearchResult, Warning } from "../query/result.ts";
import type { LockHolder } from "../store/writeLock.ts";

/** One repository, opened for reading and for building its index. Safe to use from concurrent calls. */
export type Repository = {
	readonly root: string;
	/** Whether there is an index to search. */
	indexed(): boolean;
	/** Throws NO_INDEX when nothing was built, INVALID_REQUEST when an argument is wrong. */
	search(request: SearchRequest, signal?: AbortSignal): Promise<SearchResult>;
	/** The index as a search would find it now, compared with the disk. Throws NO_INDEX when there is none. */
	state(signal?: AbortSignal): Promise<IndexState>;
	/** A search from a state returned by `state`; if the index has changed since, the newer one is used. */
	searchFrom(state: IndexState, request: SearchRequest, signal?: AbortSignal): Promise<Answered>;
	/** A whole new index; readers keep the old one until it is complete. */
	buildIndex(options?: BuildOptions, onProgress?: OnProgress, signal?: AbortSignal): Promise<BuildReport>;
	/** Brings the index up to the files on disk; builds it when there is none. */
	updateIndex(options?: BuildOptions, onProgress?: OnProgress, signal?: AbortSignal): Promise<BuildReport>;
	status(): Promise<IndexStatus>;
	/** Reads every part of the index and says what is wrong with it. */
	validate(signal?: AbortSignal): Promise<ValidationReport>;
	/** Lines of a file of the repository, by its indexed text. Lines are 1-based and inclusive. */
	show(path: string, range?: LineRange): Promise<FileText>;
	/** The declarations of a file, or of every file under a folder. */
	map(path?: string): Promise<readonly MapEntry[]>;
	/** Takes in the text of a SARIF or ESLint JSON report, replacing what the same tool reported before. */
	importLint(report: string): Promise<LintReport>;
	close(): Promise<void>;
};

export type IndexState = {
	/** Equal versions give equal answers to equal requests, except for requests relative to the current time. */
	readonly version: string;
	readonly checkedAt: string;
	/** A warning that belongs to every answer from this state. */
	readonly warning?: Warning;
};

/** A search's result without the warning of its state, and the index version that it came from. */
export type Answered = { readonly version: string; readonly result: SearchResult };

export type LintReport = {
	/** The tool that made the diagnostics. */
	readonly source: string;
	readonly imported: number;
	readonly files: number;
	/** Diagnostics of files that are not in the index. */
	readonly ignored: number;
};

/** How a repository is opened. */
export type OpenOptions = {
	/** Folder of all indexes; default: `pairofcleats` under the user's cache folder. */
	readonly cacheRoot?: string;
	/** Path of a model; default: the model cache. `null` turns vectors off. */
	readonly model?: string | null;
	/** Folder of triage records (JSON files), searched in the `records` mode. */
	readonly recordsDir?: string;
	/** Files larger than this are counted, not indexed. */
	readonly maxFileBytes?: number;
	/** How old, in milliseconds, the last comparison with the disk may be when a search is answered; default 2,000. */
	readonly freshnessMs?: number;
	/** Called after every update that a comparison with the disk caused. */
	readonly onUpdate?: (report: BuildReport) => void;
};

/** What the index holds, and whether it is behind the files. */
export type IndexStatus = {
	readonly indexed: boolean;
	readonly builtAt?: string;
	readonly updatedAt?: string;
	readonly checkedAt?: string;
	/** Files on disk that differ from the index, as of `checkedAt`. */
	readonly stale: { readonly changed: number; readonly added: number; readonly removed: number };
	readonly branch?: string;
	readonly head?: string;
	readonly files: number;
	readonly chunks: Readonly<Record<"code" | "prose" | "extracted-prose" | "records", number>>;
	readonly languages: Readonly<Record<string, number>>;
	/** Files that were seen and not indexed, by reason. */
	readonly skipped: Readonly<Record<string, number>>;
	readonly parse: Readonly<Record<"grammar" | "format" | "lines", number>>;
	readonly parseErrors: number;
	readonly textBytes: number;
	readonly indexBytes: number;
	readonly segments: number;
	/** What a search or a filter may miss, and why. */
	readonly warnings: readonly string[];
	readonly vectors: { readonly model: string | null; readonly chunks: number };
	/** Whether this process or another is building the index. */
	readonly building: boolean;
	/** The process that is writing the index. */
	readonly writer?: LockHolder;
};

export type ValidationReport = {
	readonly ok: boolean;
	readonly checked: { readonly files: number; readonly chunks: number; readonly terms: number };
	readonly problems: readonly string[];
};

export type LineRange = { readonly start: number; readonly end: number };

export type FileText = {
	readonly path: string;
	readonly language: string;
	readonly startLine: number;
	readonly endLine: number;
	readonly totalLines: number;
	readonly text: string;
};

export type MapEntry = {
	readonly path: string;
	readonly startLine: number;
	readonly endLine: number;
	readonly kind: ChunkKind;
	readonly name: string;
	readonly qualifiedName: string;
	readonly signature?: string;
};
