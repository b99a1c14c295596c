import { setImmediate as nextTurn } from "node:timers/promises";
import type { DiscoverOptions, Discovery, Listing, Remembered } from "./discoverFiles.ts";
import { type Looks, looksTheSame, packLooks } from "./looks.ts";
import { type MarkLog, marksHold, marksOf, type TreeMarks, takeMarks } from "./treeMarks.ts";

/** The tree is listed again this often, for changes that no mark shows, such as in a user's global ignore file. */
const LISTING_MS = 10_000;
/** Files checked per turn of the event loop. */
const BATCH = 500;

/** A tree as last seen: the listing is valid as long as the marks are unchanged. */
export type SeenTree = {
	readonly listing: Listing;
	readonly marks: TreeMarks;
	/** Of the listed paths. */
	readonly looks: Looks;
};

type Known = SeenTree & {
	/** Holds as long as no folder was replaced. */
	readonly remembered: Remembered;
	readonly listedMs: number;
};

/**
 * The files of a folder that is looked at again and again. A file that comes, goes or is renamed changes the time of
 * its folder, so while folders, ignore files and git's index stand as they stood before the last listing, the listing
 * holds and only its files need be looked at: the answer is that of `discoverFiles`, without a process or a walk.
 */
export class KnownTree {
	readonly #root: string;
	readonly #mark: (root: string) => Promise<MarkLog | undefined>;
	#known: Known | undefined;

	/** By default marks are taken from the second listing on, since a process that lists only once does not need them. */
	constructor(root: string, mark: (root: string) => Promise<MarkLog | undefined> = afterTheFirst(takeMarks)) {
		this.#root = root;
		this.#mark = mark;
	}

	/** As it was seen by the last `find`, where its marks could be taken. */
	get seen(): SeenTree | undefined {
		return this.#known;
	}

	/** Continues from what another process saw. */
	restore(seen: SeenTree): void {
		this.#known = { ...seen, remembered: { inside: new Map(), roles: new Map() }, listedMs: performance.now() };
	}

	async find(options: DiscoverOptions = {}): Promise<Discovery> {
		const known = await this.#standing();
		return known ? this.#look(known, options) : this.#list(options);
	}

	/** The same, or `undefined` where nothing looks other than at the time before. */
	async findChanged(options: DiscoverOptions = {}): Promise<Discovery | undefined> {
		const known = await this.#standing();
		if (!known) return this.#list(options);
		return (await filesStand(known)) ? undefined : this.#look(known, options);
	}

	/** What is known, if its listing still holds. */
	async #standing(): Promise<Known | undefined> {
		const known = this.#known;
		if (known && performance.now() - known.listedMs < LISTING_MS && (await marksHold(known.marks))) return known;
		this.#known = undefined;
		return undefined;
	}

	async #look(known: Known, options: DiscoverOptions): Promise<Discovery> {
		const { lookAtListing } = await discovery();
		const { found, looks } = await lookAtListing(known.listing, options, known.remembered);
		this.#known = { ...known, looks: packLooks(looks) };
		return found;
	}

	async #list(options: DiscoverOptions): Promise<Discovery> {
		// Taken before the listing: what changes during it differs from its mark at the next look.
		const log = await this.#mark(this.#root);
		const { listPaths, lookAtListing } = await discovery();
		const listedMs = performance.now();
		const listing = await listPaths(this.#root, options);
		const remembered: Remembered = { inside: new Map(), roles: new Map() };
		const { found, looks } = await lookAtListing(listing, options, remembered);
		const marks = log && looks.length === listing.paths.length ? marksOf(listing, log) : undefined;
		if (marks) this.#known = { listing, marks, looks: packLooks(looks), remembered, listedMs };
		return found;
	}
}

/** Loaded only when something has changed, which is rare. */
function discovery(): Promise<typeof import("./discoverFiles.ts")> {
	return import("./discoverFiles.ts");
}

function afterTheFirst(mark: typeof takeMarks): typeof takeMarks {
	let asked = false;
	return async (root) => {
		const first = !asked;
		asked = true;
		return first ? undefined : mark(root);
	};
}

async function filesStand({ listing: { root, paths }, looks }: SeenTree): Promise<boolean> {
	for (let place = 0; place < paths.length; place++) {
		if (!looksTheSame(`${root}/${paths[place]}`, looks, place)) return false;
		if (place % BATCH === BATCH - 1) await nextTurn();
	}
	return true;
}
