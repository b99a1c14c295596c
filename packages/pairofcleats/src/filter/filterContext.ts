import type { Warning } from "../query/result.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { IndexReader } from "../store/store.ts";

/** Git data about a file, as stored with the index. */
export type GitFile = { readonly author: string; readonly modifiedMs: number; readonly churn: number };

export type FilterContext = {
	readonly snapshot: Snapshot;
	readonly reader: IndexReader;
	/** 1 for each document still allowed; filters clear it. */
	readonly allowed: Uint8Array;
	/** `undefined` for a folder without history. */
	readonly git: () => ReadonlyMap<string, GitFile> | undefined;
	readonly warn: (warning: Warning) => void;
	readonly nowMs: number;
};

/** Keeps the documents for which the test holds. */
export function keepDocs(context: FilterContext, test: (doc: number) => boolean): void {
	const { allowed } = context;
	for (let doc = 0; doc < allowed.length; doc++) if (allowed[doc] === 1 && !test(doc)) allowed[doc] = 0;
}

/** Keeps the documents of the files for which the test holds. */
export function keepFiles(context: FilterContext, test: (number: number) => boolean): void {
	const { snapshot, allowed } = context;
	for (const [number, file] of snapshot.files.entries()) {
		if (file.alive && !test(number)) allowed.fill(0, file.first, file.first + file.docs);
	}
}

/** More would bury the message. */
const MOST_NAMED = 30;

/** Lists what a caller could have asked for: `there is a`, `there are a, b`, `nothing indexed has any`. */
export function describeChoices(names: readonly string[]): string {
	if (names.length === 0) return "nothing indexed has any";
	return `there ${names.length === 1 ? "is" : "are"} ${names.slice(0, MOST_NAMED).join(", ")}`;
}

/** Folds a text for comparison: ignores case and Unicode composition. */
export function foldText(text: string): string {
	return text.normalize("NFC").toLowerCase();
}
