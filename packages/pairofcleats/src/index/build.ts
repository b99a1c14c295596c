/** How an index is built. */
export type BuildOptions = {
	/** Also record who wrote each line (`chunkAuthor`). */
	readonly blame?: boolean;
	/**
	 * Path of a file of risk rules, as `readRiskRules` takes them. They stay with the index until others are given, which
	 * causes a full rebuild.
	 */
	readonly riskRules?: string;
	/** How many threads a build of many files may use; from 1; default: 2 where the machine has 3 processors. */
	readonly threads?: number;
};

export type Progress = {
	readonly phase: "discover" | "index" | "publish" | "git";
	readonly done: number;
	readonly total: number;
	readonly bytesDone: number;
	readonly bytesTotal: number;
	readonly message: string;
};
export type OnProgress = (progress: Progress) => void;

/** What a build found and wrote. */
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
	/** Processor time and largest memory of the process that ran it. */
	readonly cpuMs: number;
	readonly peakRssBytes: number;
};
