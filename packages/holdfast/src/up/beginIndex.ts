import { setTimeout as delay } from "node:timers/promises";
import { failureText } from "libmcp/command";
import type { BuildReport } from "pairofcleats";
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
	const { indexRepository } = await import("./indexRepository.ts");
	const attempt = () => indexRepository(repository, job, options.signal);
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
