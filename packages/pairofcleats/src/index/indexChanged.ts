import { availableParallelism } from "node:os";
import type { FoundFile } from "../discover/discoverFiles.ts";
import type { LiveFile } from "../store/liveFiles.ts";
import type { IndexWriter } from "../store/store.ts";
import type { IndexerOptions } from "./indexerOptions.ts";
import { indexFiles, type Outcome, type Suspect } from "./indexFiles.ts";
import { indexInThreads, type ThreadJob } from "./indexInThreads.ts";
import { rulesOf } from "./indexRules.ts";

/** Source size from which threads pay off; each costs a sixth more CPU time and 100 MB. */
const WORTH_THREADS = 8 * 1024 * 1024;
const MOST_THREADS = 2;

/** What the index knows about files, by path. */
export type KnownFiles = {
	readonly live: ReadonlyMap<string, LiveFile>;
	/** Files that an interrupted build had finished. */
	readonly resumable: ReadonlyMap<string, LiveFile>;
	/** Files to read again although their text is unchanged. */
	readonly reread: ReadonlySet<string>;
};

/** Indexes the files that look changed, in several threads if there are many files and enough processors. */
export function indexChanged(
	files: readonly FoundFile[],
	writer: IndexWriter,
	{ live, resumable, reread }: KnownFiles,
	rules: string,
	options: IndexerOptions,
): Promise<Outcome> {
	const suspects = files.map((file): Suspect => {
		const { path } = file;
		return { file, hash: live.get(path)?.hash, left: resumable.get(path), reread: reread.has(path) };
	});
	const bytesTotal = files.reduce((sum, { bytes }) => sum + bytes, 0);
	const onFile = progressOf(files.length, bytesTotal, options);
	const { root, recordsDir, maxFileBytes, build, embedder, threads: choice } = options;
	const threads = choice ? (choice.count ?? threadsToSpare(bytesTotal)) : 1;
	if (threads > 1) {
		const job: ThreadJob = {
			index: writer.file,
			root,
			model: choice?.model,
			modelId: embedder?.id ?? "",
			rules,
			bytesTotal,
			threads,
			...(recordsDir !== undefined && { recordsDir }),
			...(maxFileBytes !== undefined && { maxFileBytes }),
			...(build && { build }),
		};
		return indexInThreads(suspects, job, onFile);
	}
	return indexFiles(suspects, writer, { ...options, threads, riskRules: rulesOf(rules), bytesTotal, onFile });
}

/** Leaves one processor free for the caller. */
function threadsToSpare(bytesTotal: number): number {
	return bytesTotal < WORTH_THREADS ? 1 : Math.max(1, Math.min(availableParallelism() - 1, MOST_THREADS));
}

function progressOf(total: number, bytesTotal: number, { onProgress }: IndexerOptions): (file: FoundFile) => void {
	let done = 0;
	let bytesDone = 0;
	return ({ path, bytes }) => {
		done += 1;
		bytesDone += bytes;
		onProgress?.({ phase: "index", done, total, bytesDone, bytesTotal, message: path });
	};
}
