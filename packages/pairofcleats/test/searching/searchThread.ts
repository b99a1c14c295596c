// Replaces the search thread: the query "deadly" ends it, "long" takes its time, all are answered with its number.
import { parentPort, threadId } from "node:worker_threads";
import type { AskedOfThread, ThreadReport } from "../../src/searching/searchJob.ts";

/** Longer than a thread may work on a cancelled search. */
const LONG_MS = 400;

parentPort?.on("message", (asked: readonly AskedOfThread[]) => {
	for (const { id, job } of asked) {
		if (job.request.query === "deadly") process.exit(3);
		if (job.request.query === "long") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LONG_MS);
		const text = `thread ${threadId}`;
		const found = { version: "1", text, warnings: [], trueUntil: Number.POSITIVE_INFINITY, blockedMs: 0 };
		parentPort?.postMessage([{ kind: "found", id, found }] satisfies ThreadReport[]);
	}
});
parentPort?.postMessage([{ kind: "ready" }] satisfies ThreadReport[]);
