import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
	type DiscoverOptions,
	type Discovery,
	type Listing,
	listPaths,
	type Remembered,
	statListing,
} from "./discoverFiles.ts";
import { IGNORE_FILES, NEVER_ENTERED } from "./walkFolder.ts";

/** What no mark shows, such as a user's own ignore file, is found by listing anew this often. */
const LISTING_MS = 10_000;
/** A folder changed this shortly before it was looked at may change again within one tick of a coarse clock. */
const TICK_MS = 2_000;
/** With more folders than this, a listing by git is the cheaper way. */
const MOST_FOLDERS = 30_000;
/** Looks at the disk between two turns of the event loop. */
const BATCH = 500;

type Known = {
	readonly listing: Listing;
	/** Holds as long as no folder was replaced. */
	readonly remembered: Remembered;
	/** Each folder, ignore file and git index by what changes when it does. */
	readonly marks: ReadonlyMap<string, string>;
	readonly listedMs: number;
};

/**
 * The files of a folder that is looked at again and again. A file that comes, goes or is renamed changes the time of
 * its folder, so while folders, ignore files and git's index stand as they stood before the last listing, the listing
 * holds and only its files need be looked at: the answer is that of `discoverFiles`, without a process or a walk.
 */
export class KnownTree {
	readonly #root: string;
	#known: Known | undefined;
	#looks = 0;

	constructor(root: string) {
		this.#root = root;
	}

	async find(options: DiscoverOptions = {}): Promise<Discovery> {
		const known = this.#known;
		if (known && performance.now() - known.listedMs < LISTING_MS && (await unchanged(known.marks))) {
			return statListing(known.listing, options, known.remembered);
		}
		this.#known = undefined;
		// A process that asks but once, such as a command, has no use for the marks.
		const marks = this.#looks > 0 ? await takeMarks(this.#root) : undefined;
		this.#looks += 1;
		const listedMs = performance.now();
		const listing = await listPaths(this.#root, options);
		const remembered: Remembered = { inside: new Map(), roles: new Map() };
		const found = await statListing(listing, options, remembered);
		// Taken before the listing: what changes during it differs from its mark at the next look.
		if (marks && coversAll(listing, marks)) this.#known = { listing, remembered, marks, listedMs };
		return found;
	}
}

async function unchanged(marks: ReadonlyMap<string, string>): Promise<boolean> {
	let looks = 0;
	for (const [path, mark] of marks) {
		if (mark === UNSETTLED || markOf(path) !== mark) return false;
		if (++looks % BATCH === 0) await nextTurn();
	}
	return true;
}

const UNSETTLED = "unsettled";

function markOf(path: string): string {
	try {
		const stat = lstatSync(path, { throwIfNoEntry: false });
		return stat ? `${stat.ino} ${stat.mode} ${stat.mtimeMs} ${stat.ctimeMs}` : "";
	} catch {
		return "unreadable";
	}
}

/** Every folder below the root, ignored ones too: a listing does not say which of those without files count. */
async function takeMarks(root: string): Promise<Map<string, string> | undefined> {
	const marks = new Map<string, string>();
	const now = Date.now();
	for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
		markAside(folder, [".git", ...IGNORE_FILES], marks);
	}
	const waiting = [root];
	for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
		const mark = markOf(folder);
		const changedMs = Number(mark.split(" ")[2]);
		marks.set(folder, Math.abs(now - changedMs) < TICK_MS ? UNSETTLED : mark);
		const aside: string[] = [];
		for (const entry of entriesOf(folder)) {
			if (entry.name === ".git" || IGNORE_FILES.some((name) => name === entry.name)) aside.push(entry.name);
			else if (entry.isDirectory() && !NEVER_ENTERED.has(entry.name)) waiting.push(`${folder}/${entry.name}`);
		}
		markAside(folder, aside, marks);
		if (marks.size > MOST_FOLDERS) return undefined;
		if (marks.size % BATCH === 0) await nextTurn();
	}
	return marks;
}

function entriesOf(folder: string) {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		return [];
	}
}

/** Of git, only what decides which files are listed: the time of its folder changes with every lock taken in it. */
function markAside(folder: string, names: readonly string[], marks: Map<string, string>): void {
	for (const name of names) {
		const paths = name === ".git" ? GIT_FILES.map((file) => join(gitFolder(folder), file)) : [join(folder, name)];
		for (const path of paths) marks.set(path, markOf(path));
	}
}

const GIT_FILES = ["index", "info/exclude", "config"] as const;

/** A linked work tree or a submodule has a file in place of the folder. */
function gitFolder(folder: string): string {
	const path = join(folder, ".git");
	try {
		const target = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1];
		return target === undefined ? path : resolve(folder, target.trim());
	} catch {
		return path;
	}
}

/**
 * Whether each listed file has its folder among the marks. One that git knows and that is gone is marked as gone; one
 * that is there and was not entered has no mark that would show a new file in it.
 */
function coversAll({ root, paths }: Listing, marks: Map<string, string>): boolean {
	let last = "";
	return paths.every((path) => {
		const slash = path.lastIndexOf("/");
		const folder = slash < 0 ? root : `${root}/${path.slice(0, slash)}`;
		if (folder === last || marks.has(folder)) return true;
		last = folder;
		const mark = markOf(folder);
		if (mark === "") marks.set(folder, mark);
		return mark === "";
	});
}
