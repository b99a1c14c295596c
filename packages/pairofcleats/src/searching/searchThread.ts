// A thread that runs searches one at a time, on indexes that it opens itself and only reads.
import { parentPort, workerData } from "node:worker_threads";
import { toCleatsError } from "../contract/errors.ts";
import type { GatedThreadData } from "../expression/gatedThread.ts";
import { openRepository } from "../repo/openRepository.ts";
import type { Repository } from "../repo/repository.ts";
import { useGate } from "../segment/compression.ts";
import { type AskedOfThread, runSearchJob, type SearchJob, type ThreadReport } from "./searchJob.ts";

const { gates }: GatedThreadData = workerData;
useGate(gates);

const engines = new Map<string, Repository>();

function engineOf({ root, open }: SearchJob): Repository {
	const known = engines.get(root) ?? openRepository(root, { ...open, mayRepair: false });
	engines.set(root, known);
	return known;
}

async function answer(id: number, job: SearchJob): Promise<ThreadReport> {
	try {
		return { kind: "found", id, found: await runSearchJob(engineOf(job), job) };
	} catch (thrown) {
		const { code, message, details } = toCleatsError(thrown);
		return { kind: "failed", id, code, message, details };
	}
}

/** Waking the other thread costs a good part of a search, so answers found in quick succession are sent together. */
const TOGETHER_MS = 1;

parentPort?.on("message", async (asked: readonly AskedOfThread[]) => {
	let reports: ThreadReport[] = [];
	let since = performance.now();
	for (const { id, job } of asked) {
		reports.push(await answer(id, job));
		if (performance.now() - since < TOGETHER_MS) continue;
		parentPort?.postMessage(reports);
		reports = [];
		since = performance.now();
	}
	if (reports.length > 0) parentPort?.postMessage(reports);
});
parentPort?.postMessage([{ kind: "ready" }] satisfies ThreadReport[]);
