// Replaces the search thread: the query "deadly" ends it, all others are answered with its number.
import { parentPort, threadId } from "node:worker_threads";
import type { AskedOfThread, ThreadReport } from "../../src/searching/searchJob.ts";

parentPort?.on("message", (asked: readonly AskedOfThread[]) => {
	for (const { id, job } of asked) {
		if (job.request.query === "deadly") process.exit(3);
		const found = { version: "1", text: `thread ${threadId}`, warnings: [], blockedMs: 0 };
		parentPort?.postMessage([{ kind: "found", id, found }] satisfies ThreadReport[]);
	}
});
parentPort?.postMessage([{ kind: "ready" }] satisfies ThreadReport[]);
