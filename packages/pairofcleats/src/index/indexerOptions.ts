import type { DiscoverOptions, Discovery } from "../discover/discoverFiles.ts";
import type { IndexFolder } from "../store/indexFolder.ts";
import type { SegmentCache } from "../store/segmentCache.ts";
import type { FileStat } from "../store/store.ts";
import type { Embedder } from "../vectors/embedder.ts";
import type { BuildOptions, OnProgress } from "./build.ts";

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
