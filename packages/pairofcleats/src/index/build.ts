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
