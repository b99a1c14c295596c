import { isCleatsError } from "../../contract/errors.ts";
import type { Discovery } from "../../discover/discoverFiles.ts";
import type { BuildReport, KnownIndex } from "../../index/build.ts";
import { hasChanged, listFilesWithoutVectors } from "../../index/hasChanged.ts";
import type { Warning } from "../../query/result.ts";
import { isIndexDamage } from "../../store/indexDamage.ts";
import type { IndexFolder } from "../../store/indexFolder.ts";
import { hasLineAuthors } from "../../store/liveFiles.ts";
import type { FileStat, IndexReader } from "../../store/store.ts";
import { LOOK_MS } from "../../store/writeLock.ts";
import type { LoadedEmbedder } from "../../vectors/loadEmbedder.ts";
import { describeReason } from "../failures.ts";
import type { OpenIndex } from "../openIndex.ts";
import type { Agreement } from "./agreement.ts";
import { findStaleness, readLimits, readStats, type Staleness, type SweepOptions } from "./staleness.ts";

/** Changes up to this size are indexed in this process, larger ones in a child process. */
const SMALL_FILES = 100;
const SMALL_BYTES = 4 * 1024 * 1024;

export type ReconciliationOptions = SweepOptions & {
	readonly folder: IndexFolder;
	/** 0 for a command, which usually asks one question and compares with the disk every time. */
	readonly maxAgeMs: number;
	index(): OpenIndex;
	loadModel(): Promise<LoadedEmbedder>;
	updateInChild(): Promise<BuildReport>;
	onUpdate?(report: BuildReport): void;
};

/** Brings the index to what a sweep found on disk. */
export class Reconciliation {
	readonly #options: ReconciliationOptions;
	readonly #agreement: Agreement;
	#update: Promise<void> | undefined;
	/** Why the last update in a child process failed. */
	#failure: unknown;
	#known: KnownIndex | undefined;

	constructor(options: ReconciliationOptions, agreement: Agreement) {
		this.#options = options;
		this.#agreement = agreement;
	}

	/** Says so if git cannot list the files; new ones may be missing then, and the next sweep must list them again. */
	async take(found: Discovery, key: string, moved: boolean): Promise<Warning | undefined> {
		if (found.unlisted === undefined) return this.#compare(found, key, moved);
		const { keepLastListing } = await import("../../index/lastListed.ts");
		const { reader } = this.#options.index();
		const paths = this.#knownIndex().stats.keys();
		const standing = await keepLastListing(found, reader.meta("source"), paths, readLimits(this.#options));
		if (standing === found) return this.#compare(found, key, moved);
		return (await this.#compare(standing, undefined, moved)) ?? warnOfStaleness(standing.warnings.join("; "));
	}

	/** Says so too if the records cannot be read. */
	async #compare(found: Discovery, key: string | undefined, moved: boolean): Promise<Warning | undefined> {
		const staleness = findStaleness(this.#knownIndex().stats, found, this.#options.recordsDir);
		if (staleness.unreadable === undefined) return this.#bring(found, staleness, key, moved);
		return (await this.#bring(found, staleness, undefined, moved)) ?? warnOfStaleness(staleness.unreadable);
	}

	/**
	 * Indexes the differences between disk and index, here or in a child process. Without differences, records for this
	 * key that both agree.
	 */
	async #bring(
		found: Discovery,
		{ changed, added, removed, bytes }: Staleness,
		key: string | undefined,
		moved: boolean,
	): Promise<Warning | undefined> {
		const known = this.#knownIndex();
		const files = changed + added + removed;
		const { root, index, loadModel } = this.#options;
		const unembedded = await countFilesToEmbed(index(), loadModel);
		const isSame = files === 0 && unembedded === 0 && !moved;
		if (isSame && key !== undefined) {
			this.#agreement.note(key);
			if (this.#asksOnce) this.#agreement.store();
			return undefined;
		}
		this.#agreement.end();
		if (this.#asksOnce && key !== undefined) this.#agreement.storeListing();
		if (isSame) return undefined;
		const { embedder } = await loadModel();
		const committed = moved ? await countFilesToBlame(root, index().reader, found, known.stats) : 0;
		const bare = embedder ? listFilesWithoutVectors(index().reader, embedder.id).length : 0;
		const small = files + committed + bare <= SMALL_FILES && bytes <= SMALL_BYTES;
		if (small || this.#asksOnce) return this.#updateNow(found, known, embedder);
		this.#update ??= this.#options.updateInChild().then(
			(report) => {
				this.#update = undefined;
				this.#failure = undefined;
				this.#options.onUpdate?.(report);
			},
			(thrown: unknown) => {
				this.#update = undefined;
				this.#failure = thrown;
			},
		);
		const elsewhere = otherWriter(this.#failure);
		const what =
			files + committed === 0
				? `${unembedded} files have no vectors yet`
				: `${files + committed} files have changed${committed > 0 ? " or been committed" : ""}`;
		if (elsewhere !== undefined) return warnOfStaleness(`${what}; ${elsewhere}`);
		const outlook = this.#failure === undefined ? "" : `; the last attempt failed: ${describeReason(this.#failure)}`;
		return warnOfStaleness(`${what} and are being indexed${outlook}`);
	}

	async #updateNow(
		found: Discovery,
		known: KnownIndex,
		embedder: LoadedEmbedder["embedder"],
	): Promise<Warning | undefined> {
		const { root, recordsDir, maxFileBytes, folder } = this.#options;
		// Imported late: most searches find no change and need no parsers.
		const { updateIndex } = await import("../../index/indexer.ts");
		try {
			const report = await updateIndex({
				root,
				folder,
				find: async () => found,
				known,
				mayRebuild: false,
				// A command has only this one answer; a server's next one will know what the other writer did.
				...(!this.#asksOnce && { lockWaitMs: LOOK_MS }),
				...(recordsDir !== undefined && { recordsDir }),
				...(maxFileBytes !== undefined && { maxFileBytes }),
				...(embedder && { embedder }),
			});
			this.#options.onUpdate?.(report);
			return undefined;
		} catch (thrown) {
			if (isIndexDamage(thrown)) throw thrown;
			// The existing index can still be searched when it cannot be updated: a lock, a full disk, missing rights.
			return warnOfStaleness(otherWriter(thrown) ?? describeReason(thrown));
		}
	}

	#knownIndex(): KnownIndex {
		const { file, reader, snapshot } = this.#options.index();
		const { segmentCache } = reader;
		// Each opened file has a cache of its own, while its name and generation may be those of a file before it.
		if (this.#known?.generation !== snapshot.generation || this.#known.segmentCache !== segmentCache) {
			this.#known = { generation: snapshot.generation, file, stats: readStats(reader), segmentCache };
		}
		return this.#known;
	}

	async settled(): Promise<void> {
		await this.#update?.catch(() => {});
	}

	get #asksOnce(): boolean {
		return this.#options.maxAgeMs === 0;
	}
}

/** Who writes the index now, if that is why an update failed. It does the same work, so nobody should stop it. */
function otherWriter(thrown: unknown): string | undefined {
	if (!isCleatsError(thrown) || thrown.details.reason !== "index_locked") return undefined;
	const { pid } = thrown.details;
	return `another process${pid === undefined ? "" : ` (pid ${pid})`} is writing the index`;
}

export function warnOfStaleness(reason: string): Warning {
	return { code: "index_stale", message: `the answer may lack the latest changes: ${reason}` };
}

/** The number of files whose authors a commit has changed, though not their text. */
async function countFilesToBlame(
	root: string,
	reader: IndexReader,
	{ files }: Pick<Discovery, "files">,
	stats: ReadonlyMap<string, FileStat>,
): Promise<number> {
	if (!hasLineAuthors(reader)) return 0;
	// Imported late: few indexes know the authors of lines.
	const { findOtherAuthors, readGitHeads } = await import("../../index/gitMeta.ts");
	const others = await findOtherAuthors(root, await readGitHeads(root), reader);
	return files.filter((file) => others.has(file.path) && !hasChanged(file, stats.get(file.path))).length;
}

/** The number of files that were indexed without a model, if this process has the index's, or one and the index none. */
export async function countFilesToEmbed(
	{ reader, model }: Pick<OpenIndex, "reader" | "model">,
	loadModel: () => Promise<LoadedEmbedder>,
): Promise<number> {
	// Counting goes over every file, which a repository that does without a model need not do at each question.
	if (model === "" && (await loadModel()).embedder === undefined) return 0;
	const files = listFilesWithoutVectors(reader, model).length;
	if (files === 0) return 0;
	const { embedder } = await loadModel();
	return model === "" || embedder?.id === model ? files : 0;
}
