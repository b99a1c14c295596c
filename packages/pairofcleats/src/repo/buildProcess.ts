import { toCleatsError } from "../contract/errors.ts";
import { buildIndex, updateIndex } from "../index/indexer.ts";
import { indexFolder } from "../index/indexFolder.ts";
import { loadEmbedder } from "../vectors/loadEmbedder.ts";
import type { BuildJob, BuildMessage } from "./buildChild.ts";

/** A build in a process of its own: it may be killed at any moment, and its memory goes with it. */
const job = JSON.parse(process.argv[2] ?? "{}") as BuildJob;
let lastSent = 0;

const send = (message: BuildMessage): void => {
	process.stdout.write(`${JSON.stringify(message)}\n`);
};

try {
	const { embedder } = await loadEmbedder(job.model);
	const report = await (job.kind === "build" ? buildIndex : updateIndex)({
		root: job.root,
		folder: indexFolder(job.cacheRoot, job.root),
		...(embedder && { embedder }),
		...(job.recordsDir !== undefined && { recordsDir: job.recordsDir }),
		...(job.maxFileBytes !== undefined && { maxFileBytes: job.maxFileBytes }),
		build: job.options,
		onProgress: (progress) => {
			if (performance.now() - lastSent < 100 && progress.done < progress.total) return;
			lastSent = performance.now();
			send({ kind: "progress", progress });
		},
	});
	send({ kind: "report", report });
} catch (thrown) {
	const { code, message, details } = toCleatsError(thrown);
	send({ kind: "error", code, message, details });
	process.exitCode = 1;
}
