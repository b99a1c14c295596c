import { once } from "node:events";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { CleatsError, toCleatsError } from "../contract/errors.ts";
import { openWriter } from "../store/sqliteWriter.ts";
import { loadEmbedder } from "../vectors/loadEmbedder.ts";
import type { ThreadJob, ThreadReport } from "./indexChanged.ts";
import { indexFiles, type Suspect } from "./indexFiles.ts";
import { parseStoredRules } from "./parseSource.ts";

/** Threads take turns writing segments, and each write can take seconds. */
const TURN_MS = 300_000;

/** A build thread: indexes slices of files until there are no more. */
if (parentPort) await run(parentPort, workerData);

async function run(port: MessagePort, { index, model, modelId, rules, ...options }: ThreadJob): Promise<void> {
	const tell = (report: ThreadReport): void => port.postMessage(report);
	try {
		const { embedder } = await loadEmbedder(model);
		if ((embedder?.id ?? "") !== modelId)
			throw new CleatsError("INTERNAL", "the model changed while the index was being built; build it again");
		const writer = openWriter(index, undefined, TURN_MS);
		const parsing = { ...options, ...(embedder && { embedder }), riskRules: parseStoredRules(rules) };
		const outcome = await indexFiles(suspects(port, tell), writer, parsing);
		writer.close();
		tell({ kind: "done", outcome });
	} catch (thrown) {
		const { code, message, details } = toCleatsError(thrown);
		tell({ kind: "failed", code, message, details });
	}
	port.close();
}

async function* suspects(port: MessagePort, tell: (report: ThreadReport) => void): AsyncGenerator<Suspect> {
	for (;;) {
		tell({ kind: "next" });
		const [slice]: (Suspect[] | undefined)[] = await once(port, "message");
		if (slice === undefined) return;
		yield* slice;
		tell({ kind: "files", files: slice.map(({ file }) => file) });
	}
}
