import { Worker } from "node:worker_threads";
import { CleatsError, type ErrorCode } from "../contract/errors.ts";
import type { FoundFile } from "../discover/discoverFiles.ts";
import type { IndexerOptions, ThreadChoice } from "./indexer.ts";
import { noOutcome, type Outcome, type Suspect } from "./indexFiles.ts";

/** What a thread takes at a time: neighbours, as those compress well together, and few enough that all end together. */
const MOST_SLICE_BYTES = 1024 * 1024;
const SLICES_A_THREAD = 8;

/** What a thread is started with. */
export type ThreadJob = Pick<IndexerOptions, "root" | "recordsDir" | "maxFileBytes" | "build"> & {
	/** The file it writes into. */
	readonly index: string;
	readonly model: ThreadChoice["model"];
	/** What the model turned out to be; threads of another one would make vectors that cannot be compared. */
	readonly modelId: string;
	readonly rules: string;
	readonly bytesTotal: number;
	/** How many there are. */
	readonly threads: number;
};

/** Asks for a slice with each `next`, until it is given none. */
export type ThreadReport =
	| { readonly kind: "next" }
	| { readonly kind: "files"; readonly files: readonly FoundFile[] }
	| { readonly kind: "done"; readonly outcome: Outcome }
	| {
			readonly kind: "failed";
			readonly code: ErrorCode;
			readonly message: string;
			readonly details: Readonly<Record<string, unknown>>;
	  };

/** Each thread writes segments of its own. When one fails, the others finish what they have in hand and get no more. */
export async function indexInThreads(
	suspects: readonly Suspect[],
	job: ThreadJob,
	onFile: (file: FoundFile) => void,
): Promise<Outcome> {
	const slices = slicesOf(suspects, Math.min(MOST_SLICE_BYTES, job.bytesTotal / (job.threads * SLICES_A_THREAD)));
	const outcome = noOutcome();
	const runs = Array.from({ length: job.threads }, () => runThread(job, slices, onFile, outcome));
	for (const result of await Promise.allSettled(runs)) if (result.status === "rejected") throw result.reason;
	return outcome;
}

/** The last one first. */
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

function runThread(
	job: ThreadJob,
	slices: Suspect[][],
	onFile: (file: FoundFile) => void,
	outcome: Outcome,
): Promise<void> {
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
					addOutcome(outcome, report.outcome);
					resolve();
					break;
				case "failed":
					fail(new CleatsError(report.code, report.message, report.details));
					break;
				default:
					report satisfies never;
			}
		});
		worker.on("error", fail);
		// Without its outcome, files would be missing from an index that is said to be whole.
		worker.on("exit", (code) => fail(new CleatsError("INTERNAL", `a thread of the build ended early (${code})`)));
	});
}

function addOutcome(to: Outcome, from: Outcome): void {
	for (const list of ["segments", "resumed", "stats", "replaced", "edited"] as const)
		for (const entry of from[list]) (to[list] as unknown[]).push(entry);
	for (const count of ["indexed", "skipped", "chunks", "bytes"] as const) to[count] += from[count];
}
