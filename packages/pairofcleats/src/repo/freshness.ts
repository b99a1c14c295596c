import type { Discovery } from "../discover/discoverFiles.ts";
import { FolderWatch } from "../discover/folderWatch.ts";
import { KnownTree, LISTING_MS } from "../discover/knownTree.ts";
import { type MarkLog, takeMarks } from "../discover/treeMarks.ts";
import type { BuildReport } from "../index/build.ts";
import type { KnownIndex } from "../index/indexerOptions.ts";
import type { Warning } from "../query/result.ts";
import type { IndexFolder } from "../store/indexFolder.ts";
import type { LoadedEmbedder } from "../vectors/loadEmbedder.ts";
import { Agreement } from "./agreement.ts";
import { reasonOf } from "./explainFailure.ts";
import type { OpenIndex } from "./openIndex.ts";
import { findStaleness, hasMoved, limitsOf, readStats, type SweepOptions } from "./staleness.ts";

/** Changes up to this size are taken in at once; larger ones go to a process of their own. */
const SMALL_FILES = 100;
const SMALL_BYTES = 4 * 1024 * 1024;
/** A search waits this long for a sweep of a large tree, then answers with the time of the sweep before. */
const PATIENCE_MS = 250;
/** Listing before the time may take this share of it, where files come and go all the while. */
const EARLY_SHARE = 0.1;
/** A process that is still running this long after its first answer will likely see edits, so it warms up for them. */
const WARM_AFTER_MS = 300;

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
 * Keeps a running process's index up to date: compared with the disk on request, when something was touched since, and
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
	/** From when on a touched folder is looked at before the time. */
	#earlyMs = 0;
	#sweep: Promise<void> | undefined;
	#update: Promise<void> | undefined;
	/** Why the last update by a process of its own failed. */
	#failure: string | undefined;
	#known: KnownIndex | undefined;
	#warming: NodeJS.Timeout | undefined;

	constructor(options: FreshnessOptions) {
		this.#options = options;
		this.#tree = new KnownTree(options.root, (root) => this.#mark(root));
		this.#agreement = new Agreement(options.folder.path, options, this.#tree);
		this.#watch = new FolderWatch(options.root);
	}

	/** A command sees the disk as it is at each question, of which there is one as a rule. */
	get #asksOnce(): boolean {
		return this.#options.maxAgeMs === 0;
	}

	/** A running process that was asked only once may not be asked again. */
	async #mark(root: string): Promise<MarkLog | undefined> {
		if (this.#asksOnce) return lastingMarks(root);
		return this.#state && takeMarks(root);
	}

	/** How fresh the index is. Throws NO_INDEX when there is none. */
	async check(signal?: AbortSignal): Promise<FreshState> {
		await this.#watch.heard();
		if (this.#isDue()) {
			this.#options.index();
			if (this.#state === undefined || this.#asksOnce) await this.#start();
			else await Promise.race([this.#catchUp(), patience(PATIENCE_MS)]);
		}
		this.#lookThrough();
		this.#warm();
		signal?.throwIfAborted();
		return this.#state ?? { checkedAt: new Date(0).toISOString() };
	}

	#isDue(): boolean {
		const now = performance.now();
		return now - this.#checkedMs >= this.#options.maxAgeMs || (this.#watch.touched && now >= this.#earlyMs);
	}

	/** A sweep that has begun already may have passed by what was touched since. */
	async #catchUp(): Promise<void> {
		await this.#sweep;
		if (this.#isDue()) await this.#start();
	}

	#start(whole = false): Promise<void> {
		this.#sweep ??= this.#run(whole)
			.catch((error: unknown) => {
				// It has taken what was touched, and told nobody.
				this.#wholeMs = Number.NEGATIVE_INFINITY;
				throw error;
			})
			.finally(() => {
				this.#sweep = undefined;
			});
		return this.#sweep;
	}

	/** Looks for what no watcher tells. Nobody waits for it: what it finds is in the next answer. */
	#lookThrough(): void {
		if (this.#asksOnce || performance.now() - this.#wholeMs < LISTING_MS) return;
		this.#start(true).catch(() => {
			// The next sweep that is waited for says why.
		});
	}

	/** The next check compares again, whatever its time. */
	reset(): void {
		this.#checkedMs = Number.NEGATIVE_INFINITY;
	}

	async close(): Promise<void> {
		this.#watch.close();
		await this.settled();
	}

	/** Loads the parsers in the background, once, and looks for what can be watched. */
	#warm(): void {
		if (this.#warming) return;
		const { files } = this.#options.index().snapshot;
		this.#warming = setTimeout(async () => {
			try {
				const { warmIndexer } = await import("../index/warmIndexer.ts");
				await warmIndexer(this.#options.root, files);
				// Unless it was settled meanwhile, to be closed as a rule.
				if (this.#warming && !this.#asksOnce) await this.#start(true);
			} catch {
				// A failure here is reported by the edit that needs the parser.
			}
		}, WARM_AFTER_MS).unref();
	}

	async settled(): Promise<void> {
		clearTimeout(this.#warming);
		this.#warming = undefined;
		await this.#sweep?.catch(() => {});
		await this.#update?.catch(() => {});
	}

	async #run(whole: boolean): Promise<void> {
		const checkedAt = new Date().toISOString();
		const started = performance.now();
		const { reader } = this.#options.index();
		if (this.#state === undefined) this.#agreement.restore();
		const key = this.#agreement.keyOf(reader);
		const moved = hasMoved(this.#options.root, reader);
		const limits = limitsOf(this.#options);
		const agreed = this.#agreement.isOn(key) && !moved;
		const told = this.#watch.take();
		const touched = whole ? undefined : told;
		const { listings } = this.#tree;
		const found = await (agreed && !whole ? this.#tree.findChanged(limits, touched) : this.#tree.find(limits, touched));
		const looked = performance.now();
		if (touched === undefined) this.#wholeMs = looked;
		else if (this.#tree.listings > listings)
			this.#earlyMs = looked + Math.min((looked - started) / EARLY_SHARE, this.#options.maxAgeMs);
		const warning = found && (await this.#compare(found, key, moved));
		this.#state = { checkedAt, ...(warning && { warning }) };
		this.#checkedMs = performance.now();
		if (!this.#asksOnce && this.#tree.folders) await this.#watch.follow(this.#tree.folders);
	}

	/** Takes in what is other on disk than in the index, here or in a process of its own. */
	async #compare(found: Discovery, key: string, moved: boolean): Promise<Warning | undefined> {
		const known = this.#knownIndex();
		const { changed, added, removed, bytes } = findStaleness(known.stats, found, this.#options.recordsDir);
		const files = changed + added + removed;
		if (files === 0 && !moved) {
			this.#agreement.note(key);
			if (this.#asksOnce) this.#agreement.store();
			return undefined;
		}
		const small = files <= SMALL_FILES && bytes <= SMALL_BYTES;
		if (small || this.#asksOnce) return this.#updateNow(found, known);
		this.#update ??= this.#options.updateInChild().then(
			(report) => {
				this.#update = undefined;
				this.#failure = undefined;
				this.#options.onUpdate?.(report);
			},
			(thrown: unknown) => {
				this.#update = undefined;
				this.#failure = reasonOf(thrown);
			},
		);
		const outlook = this.#failure === undefined ? "" : `; the last attempt failed: ${this.#failure}`;
		return staleWarning(`${files} files have changed and are being indexed${outlook}`);
	}

	async #updateNow(found: Discovery, known: KnownIndex): Promise<Warning | undefined> {
		const { root, recordsDir, maxFileBytes, folder, loadModel } = this.#options;
		const { embedder } = await loadModel();
		// Most searches find nothing changed, and then the parsers need not be loaded.
		const { updateIndex } = await import("../index/indexer.ts");
		try {
			const report = await updateIndex({
				root,
				folder,
				find: async () => found,
				known,
				...(recordsDir !== undefined && { recordsDir }),
				...(maxFileBytes !== undefined && { maxFileBytes }),
				...(embedder && { embedder }),
			});
			this.#options.onUpdate?.(report);
			return undefined;
		} catch (thrown) {
			// The existing index can still be searched when it cannot be updated: a lock, a full disk, missing rights.
			return staleWarning(reasonOf(thrown));
		}
	}

	#knownIndex(): KnownIndex {
		const { file, reader, snapshot } = this.#options.index();
		if (this.#known?.generation !== snapshot.generation || this.#known.file !== file) {
			const { segmentCache } = reader;
			this.#known = { generation: snapshot.generation, file, stats: readStats(reader), segmentCache };
		}
		return this.#known;
	}
}

async function lastingMarks(root: string): Promise<MarkLog | undefined> {
	const { takeLastingMarks } = await import("../discover/lastingMarks.ts");
	return takeLastingMarks(root);
}

function staleWarning(reason: string): Warning {
	return { code: "index_stale", message: `the answer may lack the latest changes: ${reason}` };
}

function patience(ms: number): Promise<void> {
	return new Promise((resolve) => {
		setTimeout(resolve, ms).unref();
	});
}
