import { FolderWatch } from "../../discover/folderWatch.ts";
import { KnownTree, LISTING_MS } from "../../discover/knownTree.ts";
import { type MarkLog, takeMarks } from "../../discover/treeMarks.ts";
import type { Warning } from "../../query/result.ts";
import { Agreement } from "./agreement.ts";
import { countFilesToEmbed, Reconciliation, type ReconciliationOptions, warnOfStaleness } from "./reconciliation.ts";
import { hasMoved, readLimits } from "./staleness.ts";

/** A search waits this long for a sweep of a large tree, then answers from the previous sweep and says so. */
const PATIENCE_MS = 250;
/** Where files change constantly, early listings that a search cannot wait for take at most this share of the time. */
const EARLY_SHARE = 0.1;
/** A process that is still running this long after its first answer will likely see edits, so it warms up for them. */
const WARM_AFTER_MS = 300;
/** Why an answer may be behind when a search could not wait for the sweep. */
const UNREAD = "the files are still being read";

export type FreshState = { readonly checkedAt: string; readonly warning?: Warning };

/**
 * Keeps a running process's index up to date. On request, compares it with the disk if a watcher reported a change, and
 * otherwise at most once per `maxAgeMs`.
 */
export class Freshness {
	readonly #options: ReconciliationOptions;
	readonly #tree: KnownTree;
	readonly #agreement: Agreement;
	readonly #reconciliation: Reconciliation;
	readonly #watch: FolderWatch;
	#state: FreshState | undefined;
	#checkedMs = Number.NEGATIVE_INFINITY;
	#wholeMs = Number.NEGATIVE_INFINITY;
	/** The earliest time at which a touched folder may cause an early sweep. */
	#earlyMs = 0;
	#sweep: Promise<void> | undefined;
	/** Finished ones. Only the second can begin to watch, so the second question does not rely on the first one's. */
	#sweeps = 0;
	/** Whether the sweep under way, or a failed one, found a commit or took reported changes that the state does not show. */
	#unread: boolean = false;
	#warming: NodeJS.Timeout | undefined;

	constructor(options: ReconciliationOptions) {
		this.#options = options;
		this.#tree = new KnownTree(options.root, (root) => this.#mark(root));
		this.#agreement = new Agreement(options.folder.path, options, this.#tree);
		this.#reconciliation = new Reconciliation(options, this.#agreement);
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
		return isCurrent || state.warning ? state : { ...state, warning: warnOfStaleness(UNREAD) };
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
		const isOld = this.#sweeps < 2 || now - this.#checkedMs >= this.#options.maxAgeMs;
		return isOld || this.#unread || (this.#watch.touched && now >= this.#earlyMs) || this.#agreement.haveRecordsMoved;
	}

	get #mayHaveNews(): boolean {
		return this.#unread || this.#watch.touched || !this.#watch.watching || this.#agreement.haveRecordsMoved;
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
				const { warmIndexer } = await import("../../index/warmIndexer.ts");
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
		await this.#reconciliation.settled();
	}

	async #run(asWhole: boolean): Promise<void> {
		const checkedAt = new Date().toISOString();
		const started = performance.now();
		const index = this.#options.index();
		const { reader } = index;
		if (this.#state === undefined) this.#agreement.restore();
		const newRecords = this.#agreement.haveRecordsMoved;
		const key = this.#agreement.keyOf(reader);
		const moved = await hasMoved(this.#options.root, reader);
		const limits = readLimits(this.#options);
		const unembedded = await countFilesToEmbed(index, this.#options.loadModel);
		const agreed = this.#agreement.isOn(key) && !moved && unembedded === 0;
		// A sweep that failed used up the changes reported to it, so this one must look everywhere.
		const whole = asWhole || this.#unread;
		const told = this.#watch.take();
		if (moved || newRecords || (told && told.size > 0)) this.#unread = true;
		const touched = whole ? undefined : told;
		const { listings } = this.#tree;
		const found = await (agreed && !whole ? this.#tree.findChanged(limits, touched) : this.#tree.find(limits, touched));
		const looked = performance.now();
		if (touched === undefined) this.#wholeMs = looked;
		else if (this.#tree.listings > listings && looked - started > PATIENCE_MS)
			this.#earlyMs = looked + Math.min((looked - started) / EARLY_SHARE, this.#options.maxAgeMs);
		const warning = found && (await this.#reconciliation.take(found, key, moved));
		this.#state = { checkedAt, ...(warning && { warning }) };
		this.#checkedMs = performance.now();
		this.#unread = false;
		this.#sweeps += 1;
		if (!this.#asksOnce && this.#tree.folders) await this.#watch.follow(this.#tree.folders);
	}
}

async function lastingMarks(root: string): Promise<MarkLog | undefined> {
	const { takeLastingMarks } = await import("../../discover/lastingMarks.ts");
	return takeLastingMarks(root);
}

function patience(ms: number): Promise<void> {
	return new Promise((resolve) => {
		setTimeout(resolve, ms).unref();
	});
}
