import { setImmediate as nextTurn } from "node:timers/promises";
import type { Listing } from "./discoverFiles.ts";
import { type Looks, looksTheSame } from "./looks.ts";
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
export async function filesStand({ listing: { root, paths }, looks }: SeenTree): Promise<boolean> {
	for (let place = 0; place < paths.length; place++) {
		if (!looksTheSame(`${root}/${paths[place]}`, looks, place)) return false;
		if (place % BATCH === BATCH - 1) await nextTurn();
	}
	return true;
}
