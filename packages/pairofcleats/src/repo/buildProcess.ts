import { sendToParent } from "../contract/childMessage.ts";
import { toCleatsError } from "../contract/errors.ts";
import type { Discovery } from "../discover/discoverFiles.ts";
import { KnownTree } from "../discover/knownTree.ts";
import { takeLastingMarks } from "../discover/lastingMarks.ts";
import type { BuildReport, IndexerOptions } from "../index/build.ts";
import { buildIndex, repairIndex, updateIndex } from "../index/indexer.ts";
import { openIndexFolder } from "../store/indexFolder.ts";
import { openReader } from "../store/sqliteReader.ts";
import { loadEmbedder } from "../vectors/loadEmbedder.ts";
import type { BuildJob, BuildMessage } from "./buildChild.ts";
import { explainFailure } from "./failures.ts";
import { Agreement } from "./refresh/agreement.ts";
import { findStaleness, readStats } from "./refresh/staleness.ts";

/** Runs a build in its own process, which may be killed at any moment and returns all its memory. */
void run(JSON.parse(process.argv[2] ?? "{}"));

async function run(job: BuildJob): Promise<void> {
	let lastSent = 0;
	try {
		const { embedder } = await loadEmbedder(job.model);
		const folder = openIndexFolder(job.cacheRoot, job.root);
		const tree = new KnownTree(job.root, takeLastingMarks);
		const agreement = new Agreement(folder.path, job, tree);
		// A whole new index takes nothing over that may be wrong.
		if (job.kind === "update") agreement.restore();
		let found: Discovery | undefined;
		const options: IndexerOptions = {
			root: job.root,
			folder,
			find: async (limits) => {
				found = await tree.find(limits);
				return found;
			},
			...(embedder && { embedder }),
			...(job.recordsDir !== undefined && { recordsDir: job.recordsDir }),
			...(job.maxFileBytes !== undefined && { maxFileBytes: job.maxFileBytes }),
			build: job.options,
			threads: { count: job.options.threads, model: job.model },
			onProgress: (progress) => {
				const isLast = progress.phase === "index" && progress.done === progress.total;
				if (performance.now() - lastSent < 100 && !isLast) return;
				lastSent = performance.now();
				send({ kind: "progress", progress });
			},
		};
		const report = await runJob(job, options);
		send({ kind: "report", report });
		if (found) noteAgreement(agreement, found, folder.current(), job.recordsDir);
	} catch (thrown) {
		const { code, message, details } = toCleatsError(explainFailure(thrown, job.root));
		send({ kind: "error", code, message, details });
		process.exitCode = 1;
	}
}

function runJob({ kind, damaged }: BuildJob, options: IndexerOptions): Promise<BuildReport> {
	if (kind === "build") return buildIndex(options);
	return damaged === undefined ? updateIndex(options) : repairIndex(options, damaged);
}

function send(message: BuildMessage): void {
	sendToParent(message);
}

/** Saves the first search a comparison with the disk. */
function noteAgreement(
	agreement: Agreement,
	found: Discovery,
	file: string | undefined,
	recordsDir: string | undefined,
): void {
	if (file === undefined) return;
	const reader = openReader(file);
	const key = agreement.keyOf(reader);
	const { changed, added, removed, unreadable } = findStaleness(readStats(reader), found, recordsDir);
	reader.close();
	if (agreement.isOn(key) || changed + added + removed > 0 || unreadable !== undefined) return;
	agreement.note(key);
	agreement.store();
}
