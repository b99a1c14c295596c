import type { DiscoverOptions, Discovery } from "../discover/discoverFiles.ts";
import type { IndexFolder } from "../store/indexFolder.ts";
import type { SegmentCache } from "../store/segmentCache.ts";
import type { FileStat } from "../store/store.ts";
import type { Embedder } from "../vectors/embedder.ts";

/** Options of an index build. */
export type BuildOptions = {
	/** Also record who wrote each line (`chunkAuthor`). Default: as the index before did. */
	readonly blame?: boolean;
	/**
	 * Path of a file of risk rules, as `readRiskRules` takes them. The rules stay with the index; giving others causes a
	 * full rebuild.
	 */
	readonly riskRules?: string;
	/** Threads that a build of many files may use, at least 1. Default: 2 if the machine has at least 3 processors. */
	readonly threads?: number;
};

/** How far a build is. The history is read beside the files, and told of only if it takes longer than they do. */
export type Progress =
	| {
			readonly phase: "index";
			/** Files. */
			readonly done: number;
			readonly total: number;
			readonly bytesDone: number;
			readonly bytesTotal: number;
			readonly message: string;
	  }
	| {
			readonly phase: "git";
			/** Commits; how many there are is not known. */
			readonly done: number;
			readonly message: string;
	  };
export type OnProgress = (progress: Progress) => void;

/** The result of a build. */
export type BuildReport = {
	readonly kind: "build" | "update";
	readonly files: {
		readonly indexed: number;
		readonly unchanged: number;
		readonly removed: number;
		readonly skipped: number;
		/** How many of the skipped files and folders could not be opened. */
		readonly unreadable: number;
	};
	/** Problems that did not stop the build. */
	readonly warnings: readonly string[];
	readonly chunks: number;
	readonly bytes: number;
	readonly resumedFiles: number;
	readonly durationMs: number;
	/** CPU time and peak memory of the process that ran the build. */
	readonly cpuMs: number;
	readonly peakRssBytes: number;
};

export type IndexerOptions = {
	readonly root: string;
	readonly folder: IndexFolder;
	readonly embedder?: Embedder;
	readonly recordsDir?: string;
	readonly maxFileBytes?: number;
	readonly build?: BuildOptions;
	/** For callers that already know the files. */
	readonly find?: (limits: DiscoverOptions) => Promise<Discovery>;
	/** Only for a dedicated build process; by default the build runs in the caller's thread. */
	readonly threads?: ThreadChoice;
	/** How long an update waits for another writer to finish. */
	readonly lockWaitMs?: number;
	/** `false` for a caller that has a damaged index built anew by other means, and wants the error. */
	readonly mayRebuild?: boolean;
	/** The caller's cached view of the index; updated along with it. */
	readonly known?: KnownIndex;
	readonly onProgress?: OnProgress;
	readonly signal?: AbortSignal;
};

export type ThreadChoice = {
	/** Default: depends on the size of the files and the processors available. */
	readonly count: number | undefined;
	/** The model that each thread loads. */
	readonly model: string | null | undefined;
};

/** The stats of one generation and the segments read so far, so that an edit of one file does not reread all others. */
export type KnownIndex = {
	readonly file: string;
	generation: number;
	readonly stats: Map<string, FileStat>;
	readonly segmentCache: SegmentCache;
};
