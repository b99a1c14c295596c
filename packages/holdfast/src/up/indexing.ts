import { setTimeout as delay } from "node:timers/promises";
import { failureText } from "libmcp/command";
import { type BuildReport, openRepository, type Progress, type Repository, toCleatsError } from "pairofcleats";
import type { IndexJob } from "../api/indexJob.ts";

const RETRY_MS = 60_000;

export type BeginOptions = {
	readonly signal: AbortSignal;
	readonly log: (line: string) => void;
	/** How long after a failure it is tried again; a minute unless given. */
	readonly retryMs?: number;
};

/**
 * Indexes a repository while it is served. A failure is logged and the index tried again, because a full disk or a
 * missing permission can be mended meanwhile. Settles with the first attempt.
 */
export async function beginIndex(repository: string, job: IndexJob, options: BeginOptions): Promise<BuildReport> {
	const attempt = async () => {
		const report = await indexRepository(repository, job, options.signal);
		for (const warning of report.warnings) if (warning.includes("damaged")) options.log(`index: ${warning}`);
		return report;
	};
	try {
		return await attempt();
	} catch (thrown) {
		void untilIndexed(attempt, failureText(thrown), job, options);
		throw thrown;
	}
}

async function untilIndexed(
	attempt: () => Promise<BuildReport>,
	problem: string,
	job: IndexJob,
	{ signal, log, retryMs = RETRY_MS }: BeginOptions,
): Promise<void> {
	const stopped = AbortSignal.any([signal, job.stopped]);
	let told: string | undefined;
	const tell = (why: string): void => {
		if (!stopped.aborted && why !== told) log(`index: ${why}; it is tried again until it succeeds`);
		told = why;
	};
	tell(problem);
	for (;;) {
		await delay(retryMs, undefined, { signal: stopped, ref: false }).catch(() => {});
		if (stopped.aborted || job.state?.state === "done") return;
		if (job.state?.state === "running") continue;
		try {
			await attempt();
			return log("index: built now");
		} catch (thrown) {
			tell(failureText(thrown));
		}
	}
}

const TURN_MS = 1_000;

/** Updates the repository's index as the given job. */
export function indexRepository(root: string, job: IndexJob, signal: AbortSignal): Promise<BuildReport> {
	return job.run(async (onProgress, stopped) => {
		const repository = await openRepository(root);
		// The history is told of only once all files are indexed.
		const tell = (progress: Progress): void => {
			const { message } = progress;
			if (progress.phase === "git") onProgress({ progress: 1, total: 1, message });
			else onProgress({ progress: progress.done, total: progress.total, message });
		};
		try {
			return await inTurn(repository, tell, AbortSignal.any([signal, stopped]));
		} finally {
			await repository.close();
		}
	});
}

/** Waits while another process writes the index, as every agent in a repository may start a gateway of its own. */
async function inTurn(
	repository: Repository,
	tell: (progress: Progress) => void,
	signal: AbortSignal,
): Promise<BuildReport> {
	for (;;) {
		try {
			return await repository.updateIndex({}, tell, signal);
		} catch (thrown) {
			if (toCleatsError(thrown).details.reason !== "index_locked") throw thrown;
		}
		await delay(TURN_MS, undefined, { signal });
	}
}
