import type { DiscoverOptions, Discovery, FoundFile } from "./discoverFiles.ts";
import { packLooks, WIDTH } from "./looks.ts";
import {
	areFilesUnchanged,
	doMarksHoldIn,
	type FolderPlaces,
	haveFilesChangedIn,
	indexFolders,
	type SeenTree,
	type Touched,
} from "./seenTree.ts";
import { doMarksHold, type MarkLog, selectMarks, takeMarks } from "./treeMarks.ts";

/** The tree is listed again this often, to catch changes that no mark shows, such as in a user's global ignore file. */
export const LISTING_MS = 10_000;

type Known = SeenTree & {
	readonly listedMs: number;
	/** The result of the last scan. */
	readonly found?: Discovery;
	places?: FolderPlaces;
};

/**
 * The files of a folder that is checked repeatedly. Adding, removing or renaming a file changes its folder's
 * modification time, so while the folders, ignore files and git index are unchanged since before the last listing, the
 * listing is valid and only its files need a stat. Gives the same result as `discoverFiles`, without running git or
 * walking the tree.
 */
export class KnownTree {
	readonly #root: string;
	readonly #mark: (root: string) => Promise<MarkLog | undefined>;
	#known: Known | undefined;
	#listings = 0;

	/** `mark` returns `undefined` for a caller that looks only once. */
	constructor(root: string, mark: (root: string) => Promise<MarkLog | undefined> = takeMarks) {
		this.#root = root;
		this.#mark = mark;
	}

	/** The tree as the last `find` saw it, if its marks could be taken. */
	get seen(): SeenTree | undefined {
		return this.#known;
	}

	/** Number of listings, which are the expensive part. */
	get listings(): number {
		return this.#listings;
	}

	/**
	 * The folders of the last `find`, if their marks could be taken. The array is the same object while the listing is
	 * valid.
	 */
	get folders(): readonly string[] | undefined {
		return this.#known && placesIn(this.#known).folders;
	}

	/** Continues from the state that another process saved. */
	restore(seen: SeenTree): void {
		this.#known = { ...seen, listedMs: performance.now() };
	}

	/** With `touched`, all other folders are assumed unchanged. */
	async find(options: DiscoverOptions = {}, touched?: Touched): Promise<Discovery> {
		const known = await this.#standing(touched);
		if (!known) return this.#list(options);
		if (!touched || !known.found) return this.#look(known, options);
		return (await this.#lookInto(touched, known, options)) ?? known.found;
	}

	/** Like `find`, but `undefined` if nothing has changed since the last look. */
	async findChanged(options: DiscoverOptions = {}, touched?: Touched): Promise<Discovery | undefined> {
		const known = await this.#standing(touched);
		if (!known) return this.#list(options);
		if (touched) return this.#lookInto(touched, known, options);
		return (await areFilesUnchanged(known)) ? undefined : this.#look(known, options);
	}

	/** The known tree, if its listing is still valid. */
	async #standing(touched: Touched | undefined): Promise<Known | undefined> {
		const known = this.#known;
		if (known && (touched ? await doMarksHoldIn(touched, placesIn(known), known) : await this.#holds(known)))
			return known;
		this.#known = undefined;
		return undefined;
	}

	async #holds({ listedMs, marks }: Known): Promise<boolean> {
		return performance.now() - listedMs < LISTING_MS && (await doMarksHold(marks));
	}

	async #look(known: Known, options: DiscoverOptions): Promise<Discovery> {
		const { lookAtListing } = await discovery();
		const { found, looks } = await lookAtListing(known.listing, options, true);
		this.#known = { ...known, found, looks: packLooks(looks) };
		return found;
	}

	/** Checks only the files of these folders; `undefined` if none has changed. */
	async #lookInto(touched: Touched, known: Known, options: DiscoverOptions): Promise<Discovery | undefined> {
		const changed = await haveFilesChangedIn(touched, placesIn(known), known);
		if (changed.length === 0) return undefined;
		const { lookAtListing } = await discovery();
		const paths = changed.map((place) => known.listing.paths[place] ?? "");
		const { found, looks } = await lookAtListing({ ...known.listing, paths }, options, true);
		const files = known.found && replaceFiles(known.found.files, found.files);
		// If a file starts or stops being eligible, more than its own entry changes.
		if (!known.found || !files || found.files.length < paths.length) return this.#look(known, options);
		for (const [at, place] of changed.entries()) known.looks.set(packLooks(looks.slice(at, at + 1)), place * WIDTH);
		this.#known = { ...known, found: { ...known.found, files } };
		return this.#known.found;
	}

	async #list(options: DiscoverOptions): Promise<Discovery> {
		this.#listings += 1;
		// Marks are taken before the listing, so that a change during it is noticed at the next check.
		const log = await this.#mark(this.#root);
		const { listPaths, lookAtListing } = await discovery();
		const listedMs = performance.now();
		const listing = await listPaths(this.#root, options);
		const { found, looks } = await lookAtListing(listing, options);
		const marks = log && looks.length === listing.paths.length ? selectMarks(listing, log) : undefined;
		if (marks) this.#known = { listing, marks, looks: packLooks(looks), found, listedMs };
		return found;
	}
}

/** Loaded lazily, because changes are rare. */
function discovery(): Promise<typeof import("./discoverFiles.ts")> {
	return import("./discoverFiles.ts");
}

function placesIn(known: Known): FolderPlaces {
	known.places ??= indexFolders(known);
	return known.places;
}

/** Replaces some of the files; `undefined` if one of the new ones is not in the list. */
function replaceFiles(files: readonly FoundFile[], renewed: readonly FoundFile[]): FoundFile[] | undefined {
	const byPath = new Map(renewed.map((file) => [file.path, file]));
	let replaced = 0;
	const all = files.map((file) => {
		const other = byPath.get(file.path);
		if (other) replaced += 1;
		return other ?? file;
	});
	return replaced === renewed.length ? all : undefined;
}
