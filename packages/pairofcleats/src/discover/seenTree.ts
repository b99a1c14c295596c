import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Listing } from "./discoverFiles.ts";
import { isFolderAt, type Looks, looksTheSame } from "./looks.ts";
import type { TreeMarks } from "./treeMarks.ts";

/** Files checked per event loop turn. */
const BATCH = 500;

/** A tree as last seen; the listing is valid as long as the marks are unchanged. */
export type SeenTree = {
	readonly listing: Listing;
	readonly marks: TreeMarks;
	/** The stat data of the listed paths. */
	readonly looks: Looks;
};

/** Whether no listed file has changed. */
export async function areFilesUnchanged({ listing: { root, paths }, looks }: SeenTree): Promise<boolean> {
	for (let place = 0; place < paths.length; place++) {
		if (!looksTheSame(`${root}/${paths[place]}`, looks, place)) return false;
		if (place % BATCH === BATCH - 1) await nextTurn();
	}
	return true;
}

/** Folders in which something may have changed. All others are unchanged. */
export type Touched = ReadonlySet<string>;

/** Folders checked per event loop turn. */
const FOLDERS_PER_TURN = 100;

/** The entries of a seen tree grouped by folder, so that only touched folders are checked. */
export type FolderPlaces = {
	/** The marked folders of the tree. */
	readonly folders: readonly string[];
	/** Indexes of the marks and of the files directly in each folder. */
	readonly byFolder: ReadonlyMap<string, { readonly marks: number[]; readonly files: number[] }>;
	/** Indexes of the marks outside these folders, such as git's own. */
	readonly elsewhere: readonly number[];
};

export function indexFolders({ listing: { root, paths }, marks }: SeenTree): FolderPlaces {
	const byFolder = new Map<string, { marks: number[]; files: number[] }>();
	for (const [place, path] of marks.paths.entries()) {
		const inTree = path === root || path.startsWith(`${root}/`);
		if (inTree && isFolderAt(marks.looks, place)) byFolder.set(path, { marks: [place], files: [] });
	}
	const folders = [...byFolder.keys()];
	const elsewhere: number[] = [];
	for (const [place, path] of marks.paths.entries()) {
		if (!byFolder.has(path)) (byFolder.get(dirname(path))?.marks ?? elsewhere).push(place);
	}
	for (const [place, path] of paths.entries()) byFolder.get(dirname(`${root}/${path}`))?.files.push(place);
	return { folders, byFolder, elsewhere };
}

/** Whether a listing is still valid, judged by these folders and the marks outside the tree. */
export async function doMarksHoldIn(touched: Touched, places: FolderPlaces, { marks }: SeenTree): Promise<boolean> {
	const holds = (place: number): boolean => looksTheSame(marks.paths[place] ?? "", marks.looks, place);
	if (!places.elsewhere.every(holds)) return false;
	for await (const folder of inTurns(touched)) {
		if (!places.byFolder.get(folder)?.marks.every(holds)) return false;
	}
	return true;
}

/** Listing indexes of the changed files in these folders. */
export async function haveFilesChangedIn(touched: Touched, places: FolderPlaces, seen: SeenTree): Promise<number[]> {
	const { root, paths } = seen.listing;
	const changed: number[] = [];
	for await (const folder of inTurns(touched)) {
		for (const place of places.byFolder.get(folder)?.files ?? []) {
			if (!looksTheSame(`${root}/${paths[place]}`, seen.looks, place)) changed.push(place);
		}
	}
	return changed;
}

async function* inTurns(folders: Touched): AsyncGenerator<string> {
	let told = 0;
	for (const folder of folders) {
		yield folder;
		told += 1;
		if (told % FOLDERS_PER_TURN === 0) await nextTurn();
	}
}
