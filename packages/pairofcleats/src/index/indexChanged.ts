import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { CleatsError, type ToldError } from "../contract/errors.ts";
import type { FoundFile } from "../discover/discoverFiles.ts";
import { shareFlagLock } from "../parse/tree/baselineCode.ts";
import type { HeldFile } from "../store/indexFolder.ts";
import type { LiveFile } from "../store/liveFiles.ts";
import type { IndexWriter } from "../store/store.ts";
import type { IndexerOptions, ThreadChoice } from "./build.ts";
import { indexFiles, type Outcome, type Suspect } from "./indexFiles.ts";
import { parseStoredRules } from "./parseSource.ts";

/** Source size from which threads pay off; each costs a sixth more CPU time and 100 MB. */
const WORTH_THREADS = 8 * 1024 * 1024;
const MOST_THREADS = 2;

/** What the index knows about files, by path. */
type KnownFiles = {
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
	return indexFiles(suspects, writer, { ...options, threads, riskRules: parseStoredRules(rules), bytesTotal, onFile });
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

/**
 * Largest slice per thread. Neighbouring files compress well together, while small slices let all threads finish at the
 * same time.
 */
const MOST_SLICE_BYTES = 1024 * 1024;
const SLICES_A_THREAD = 8;

/** The data a thread is started with. */
export type ThreadJob = Pick<IndexerOptions, "root" | "recordsDir" | "maxFileBytes" | "build"> & {
	/** The file it writes into. */
	readonly index: HeldFile;
	readonly model: ThreadChoice["model"];
	/** The model in use: a thread with another model would produce incompatible vectors. */
	readonly modelId: string;
	readonly rules: string;
	readonly bytesTotal: number;
	/** The number of threads. */
	readonly threads: number;
};

/** A thread requests a slice with each `next`, until there are none left. */
export type ThreadReport =
	| { readonly kind: "next" }
	| { readonly kind: "files"; readonly files: readonly FoundFile[] }
	| { readonly kind: "done"; readonly outcome: Outcome }
	| ({ readonly kind: "failed" } & ToldError);

/** Each thread writes its own segments. If one fails, the others finish their slice and get no more. */
export async function indexInThreads(
	suspects: readonly Suspect[],
	job: ThreadJob,
	onFile: (file: FoundFile) => void,
): Promise<Outcome> {
	shareFlagLock();
	const slices = slicesOf(suspects, Math.min(MOST_SLICE_BYTES, job.bytesTotal / (job.threads * SLICES_A_THREAD)));
	const runs = Array.from({ length: job.threads }, () => runThread(job, slices, onFile));
	await Promise.allSettled(runs);
	return joined(await Promise.all(runs));
}

/** Returns slices in reverse order, so that they can be popped from the end. */
function slicesOf(suspects: readonly Suspect[], sliceBytes: number): Suspect[][] {
	const slices: Suspect[][] = [];
	let bytes = Number.POSITIVE_INFINITY;
	for (const suspect of suspects) {
		if (bytes >= sliceBytes) {
			slices.push([]);
			bytes = 0;
		}
		slices.at(-1)?.push(suspect);
		bytes += suspect.file.bytes;
	}
	return slices.reverse();
}

function runThread(job: ThreadJob, slices: Suspect[][], onFile: (file: FoundFile) => void): Promise<Outcome> {
	const program = import.meta.url.endsWith(".ts") ? "./indexThread.ts" : "./indexThread.js";
	const worker = new Worker(new URL(program, import.meta.url), {
		workerData: job,
		execArgv: ["--disable-warning=ExperimentalWarning"],
	});
	return new Promise((resolve, reject) => {
		const fail = (error: Error): void => {
			slices.length = 0;
			reject(error);
		};
		worker.on("message", (report: ThreadReport) => {
			switch (report.kind) {
				case "next":
					worker.postMessage(slices.pop());
					break;
				case "files":
					for (const file of report.files) onFile(file);
					break;
				case "done":
					resolve(report.outcome);
					break;
				case "failed":
					fail(new CleatsError(report.code, report.message, report.details));
					break;
				default:
					report satisfies never;
			}
		});
		worker.on("error", fail);
		// Without this thread's outcome, files would be missing from an index that counts as complete.
		worker.on("exit", (code) => fail(new CleatsError("INTERNAL", `a thread of the build ended early (${code})`)));
	});
}

function joined(outcomes: readonly Outcome[]): Outcome {
	const sum = (count: (outcome: Outcome) => number): number =>
		outcomes.reduce((total, outcome) => total + count(outcome), 0);
	return {
		segments: outcomes.flatMap(({ segments }) => segments),
		resumed: outcomes.flatMap(({ resumed }) => resumed),
		stats: outcomes.flatMap(({ stats }) => stats),
		replaced: outcomes.flatMap(({ replaced }) => replaced),
		edited: outcomes.flatMap(({ edited }) => edited),
		indexed: sum(({ indexed }) => indexed),
		skipped: sum(({ skipped }) => skipped),
		unreadable: sum(({ unreadable }) => unreadable),
		chunks: sum(({ chunks }) => chunks),
		bytes: sum(({ bytes }) => bytes),
	};
}
