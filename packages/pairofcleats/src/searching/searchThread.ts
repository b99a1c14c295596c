// A thread that answers searches, one after another, from indexes that it opens by itself and never changes.
import { parentPort } from "node:worker_threads";
import { toCleatsError } from "../contract/errors.ts";
import { openRepository } from "../repo/openRepository.ts";
import type { Repository } from "../repo/repository.ts";
import { found, type SearchJob, type ThreadReport } from "./searchJob.ts";

const engines = new Map<string, Repository>();

function engineOf({ root, open }: SearchJob): Repository {
	const known = engines.get(root) ?? openRepository(root, open);
	engines.set(root, known);
	return known;
}

async function answer(id: number, job: SearchJob): Promise<ThreadReport> {
	try {
		return { kind: "found", id, found: await found(engineOf(job), job) };
	} catch (thrown) {
		const { code, message, details } = toCleatsError(thrown);
		return { kind: "failed", id, code, message, details };
	}
}

parentPort?.on("message", async ({ id, job }: { readonly id: number; readonly job: SearchJob }) => {
	parentPort?.postMessage(await answer(id, job));
});
parentPort?.postMessage({ kind: "ready" } satisfies ThreadReport);
