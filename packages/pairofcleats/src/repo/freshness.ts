import { isCleatsError } from "../contract/errors.ts";
import type { Discovery } from "../discover/discoverFiles.ts";
import { FolderWatch } from "../discover/folderWatch.ts";
import { KnownTree, LISTING_MS } from "../discover/knownTree.ts";
import { type MarkLog, takeMarks } from "../discover/treeMarks.ts";
import type { BuildReport } from "../index/build.ts";
import type { KnownIndex } from "../index/indexerOptions.ts";
import type { Warning } from "../query/result.ts";
import type { IndexFolder } from "../store/indexFolder.ts";
import { LOOK_MS } from "../store/writeLock.ts";
import type { LoadedEmbedder } from "../vectors/loadEmbedder.ts";
import { Agreement } from "./agreement.ts";
import { reasonOf } from "./explainFailure.ts";
import { filesToBlame } from "./filesToBlame.ts";
import type { OpenIndex } from "./openIndex.ts";
import { findStaleness, hasMoved, limitsOf, readStats, type SweepOptions } from "./staleness.ts";

/** Changes up to this size are indexed in this process, larger ones in a child process. */
const SMALL_FILES = 100;
const SMALL_BYTES = 4 * 1024 * 1024;
/** A search waits this long for a sweep of a large tree, then answers from the previous sweep and says so. */
const PATIENCE_MS = 250;
/** Where files change constantly, early listings that a search cannot wait for take at most this share of the time. */
const EARLY_SHARE = 0.1;
/** A process that is still running this long after its first answer will likely see edits, so it warms up for them. */
const WARM_AFTER_MS = 300;
/** Why an answer may be behind when a search could not wait for the sweep. */
const UNREAD = "the files are still being read";

export type FreshnessOptions = SweepOptions & {
	readonly folder: IndexFolder;
	readonly maxAgeMs: number;
	index(): OpenIndex;
	loadModel(): Promise<LoadedEmbedder>;
	updateInChild(): Promise<BuildReport>;
	onUpdate?(report: BuildReport): void;
};

export type FreshState = { readonly checkedAt: string; readonly warning?: Warning };

/**
 * Keeps a running process's index up to date. On request, compares it with the disk if a watcher reported a change, and
 * otherwise at most once per `maxAgeMs`.
 */
export class Freshness {
	readonly #options: FreshnessOptions;
	readonly #tree: KnownTree;
	readonly #agreement: Agreement;
	readonly #watch: FolderWatch;
	#state: FreshState | undefined;
	#checkedMs = Number.NEGATIVE_INFINITY;
	#wholeMs = Number.NEGATIVE_INFINITY;
	/** The earliest time at which a touched folder may cause an early sweep. */
	#earlyMs = 0;
	#sweep: Promise<void> | undefined;
	/** Whether the sweep under way, or a failed one, found a commit or took reported changes that the state does not show. */
	#unread: boolean = false;
	#update: Promise<void> | undefined;
	/** Why the last update in a child process failed. */
	#failure: unknown;
	#known: KnownIndex | undefined;
	#warming: NodeJS.Timeout | undefined;

	constructor(options: FreshnessOptions) {
		this.#options = options;
		this.#tree = new KnownTree(options.root, (root) => this.#mark(root));
		this.#agreement = new Agreement(options.folder.path, options, this.#tree);
		this.#watch = new FolderWatch(options.root);
	}

	/** A command, which usually asks one question, compares with the disk every time. */
	get #asksOnce(): boolean {
		return this.#options.maxAgeMs === 0;
	}

	/** Takes no marks for a server's first question: there may be no second one. */
	async #mark(root: string): Promise<MarkLog | undefined> {
		if (this.#asksOnce) return lastingMarks(root);
		return this.#state && takeMarks(root);
	}

	/** How fresh the index is. Throws NO_INDEX when there is none. */
	async check(signal?: AbortSignal): Promise<FreshState> {
		await this.#watch.heard();
		const isCurrent = await this.#becomesCurrent();
		this.#lookThrough();
		this.#warm();
		signal?.throwIfAborted();
		const state = this.#state ?? { checkedAt: new Date(0).toISOString() };
		return isCurrent || state.warning ? state : { ...state, warning: staleWarning(UNREAD) };
	}

	/** Sweeps if that is due. False if there may be changes that no finished sweep has read. */
	async #becomesCurrent(): Promise<boolean> {
		if (!this.#isDue()) return !this.#watch.touched;
		this.#options.index();
		if (this.#state !== undefined && !this.#asksOnce)
			return Promise.race([this.#catchUp(), patience(PATIENCE_MS).then(() => !this.#mayHaveNews)]);
		await this.#start();
		return true;
	}

	#isDue(): boolean {
		const now = performance.now();
		const isOld = now - this.#checkedMs >= this.#options.maxAgeMs;
		return isOld || this.#unread || (this.#watch.touched && now >= this.#earlyMs);
	}

	get #mayHaveNews(): boolean {
		return this.#unread || this.#watch.touched || !this.#watch.watching;
	}

	/** A sweep already under way may have missed later changes. */
	async #catchUp(): Promise<boolean> {
		await this.#sweep;
		if (!this.#isDue()) return !this.#watch.touched;
		await this.#start();
		return true;
	}

	#start(whole = false): Promise<void> {
		this.#sweep ??= this.#run(whole).finally(() => {
			this.#sweep = undefined;
		});
		return this.#sweep;
	}

	/** Looks for changes that no watcher reports. Runs in the background; the next answer has its findings. */
	#lookThrough(): void {
		if (this.#asksOnce || performance.now() - this.#wholeMs < LISTING_MS) return;
		this.#start(true).catch(() => {
			// The next sweep that a search waits for reports the failure.
		});
	}

	/** Makes the next check compare again, however recent the last one. */
	reset(): void {
		this.#checkedMs = Number.NEGATIVE_INFINITY;
	}

	async close(): Promise<void> {
		this.#watch.close();
		await this.settled();
	}

	/** Loads the parsers and starts watching, once, in the background. */
	#warm(): void {
		if (this.#warming) return;
		const { files } = this.#options.index().snapshot;
		this.#warming = setTimeout(async () => {
			try {
				const { warmIndexer } = await import("../index/warmIndexer.ts");
				await warmIndexer(this.#options.root, files);
				// `#warming` is gone if the repository was closed or settled meanwhile.
				if (this.#warming && !this.#asksOnce) await this.#start(true);
			} catch {
				// The next edit that needs the parser reports the failure.
			}
		}, WARM_AFTER_MS).unref();
	}

	async settled(): Promise<void> {
		clearTimeout(this.#warming);
		this.#warming = undefined;
		await this.#sweep?.catch(() => {});
		await this.#update?.catch(() => {});
	}

	async #run(asWhole: boolean): Promise<void> {
		const checkedAt = new Date().toISOString();
		const started = performance.now();
		const { reader } = this.#options.index();
		if (this.#state === undefined) this.#agreement.restore();
		const key = this.#agreement.keyOf(reader);
		const moved = hasMoved(this.#options.root, reader);
		const limits = limitsOf(this.#options);
		const agreed = this.#agreement.isOn(key) && !moved;
		// A sweep that failed used up the changes reported to it, so this one must look everywhere.
		const whole = asWhole || this.#unread;
		const told = this.#watch.take();
		if (moved || (told && told.size > 0)) this.#unread = true;
		const touched = whole ? undefined : told;
		const { listings } = this.#tree;
		const found = await (agreed && !whole ? this.#tree.findChanged(limits, touched) : this.#tree.find(limits, touched));
		const looked = performance.now();
		if (touched === undefined) this.#wholeMs = looked;
		else if (this.#tree.listings > listings && looked - started > PATIENCE_MS)
			this.#earlyMs = looked + Math.min((looked - started) / EARLY_SHARE, this.#options.maxAgeMs);
		const warning = found && (await this.#take(found, key, moved));
		this.#state = { checkedAt, ...(warning && { warning }) };
		this.#checkedMs = performance.now();
		this.#unread = false;
		if (!this.#asksOnce && this.#tree.folders) await this.#watch.follow(this.#tree.folders);
	}

	/** Says so if git cannot list the files; new ones may be missing then, and the next sweep must list them again. */
	async #take(found: Discovery, key: string, moved: boolean): Promise<Warning | undefined> {
		if (found.unlisted === undefined) return this.#compare(found, key, moved);
		const { orLastListed } = await import("../index/lastListed.ts");
		const { reader } = this.#options.index();
		const paths = this.#knownIndex().stats.keys();
		const standing = await orLastListed(found, reader.meta("source"), paths, limitsOf(this.#options));
		if (standing === found) return this.#compare(found, key, moved);
		return (await this.#compare(standing, undefined, moved)) ?? staleWarning(standing.warnings.join("; "));
	}

	/**
	 * Indexes the differences between disk and index, here or in a child process. Without differences, records for this
	 * key that both agree.
	 */
	async #compare(found: Discovery, key: string | undefined, moved: boolean): Promise<Warning | undefined> {
		const known = this.#knownIndex();
		const { changed, added, removed, bytes } = findStaleness(known.stats, found, this.#options.recordsDir);
		const files = changed + added + removed;
		if (files === 0 && !moved && key !== undefined) {
			this.#agreement.note(key);
			if (this.#asksOnce) this.#agreement.store();
			return undefined;
		}
		this.#agreement.end();
		if (files === 0 && !moved) return undefined;
		const { root, index } = this.#options;
		const committed = moved ? await filesToBlame(root, index().reader, found, known.stats) : 0;
		const small = files + committed <= SMALL_FILES && bytes <= SMALL_BYTES;
		if (small || this.#asksOnce) return this.#updateNow(found, known);
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
		const what = `${files + committed} files have changed${committed > 0 ? " or been committed" : ""}`;
		if (elsewhere !== undefined) return staleWarning(`${what}; ${elsewhere}`);
		const outlook = this.#failure === undefined ? "" : `; the last attempt failed: ${reasonOf(this.#failure)}`;
		return staleWarning(`${what} and are being indexed${outlook}`);
	}

	async #updateNow(found: Discovery, known: KnownIndex): Promise<Warning | undefined> {
		const { root, recordsDir, maxFileBytes, folder, loadModel } = this.#options;
		const { embedder } = await loadModel();
		// Imported late: most searches find no change and need no parsers.
		const { updateIndex } = await import("../index/indexer.ts");
		try {
			const report = await updateIndex({
				root,
				folder,
				find: async () => found,
				known,
				// A command has only this one answer; a server's next one will know what the other writer did.
				...(!this.#asksOnce && { lockWaitMs: LOOK_MS }),
				...(recordsDir !== undefined && { recordsDir }),
				...(maxFileBytes !== undefined && { maxFileBytes }),
				...(embedder && { embedder }),
			});
			this.#options.onUpdate?.(report);
			return undefined;
		} catch (thrown) {
			// The existing index can still be searched when it cannot be updated: a lock, a full disk, missing rights.
			return staleWarning(otherWriter(thrown) ?? reasonOf(thrown));
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
}

async function lastingMarks(root: string): Promise<MarkLog | undefined> {
	const { takeLastingMarks } = await import("../discover/lastingMarks.ts");
	return takeLastingMarks(root);
}

/** Who writes the index now, if that is why an update failed. It does the same work, so nobody should stop it. */
function otherWriter(thrown: unknown): string | undefined {
	if (!isCleatsError(thrown) || thrown.details.reason !== "index_locked") return undefined;
	const { pid } = thrown.details;
	return `another process${pid === undefined ? "" : ` (pid ${pid})`} is writing the index`;
}

function staleWarning(reason: string): Warning {
	return { code: "index_stale", message: `the answer may lack the latest changes: ${reason}` };
}

function patience(ms: number): Promise<void> {
	return new Promise((resolve) => {
		setTimeout(resolve, ms).unref();
	});
}
