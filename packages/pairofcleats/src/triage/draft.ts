import type { AffectedPackage, Finding, Vulnerability } from "./record.ts";

/** What a scanner's reader makes of one report: everything but what is the same for all findings. */
export type Draft = {
	/** What makes it this finding and no other; with the source it becomes the record's id. */
	readonly key: readonly (string | undefined)[];
	readonly vuln: Vulnerability;
	readonly package?: AffectedPackage;
	readonly asset?: Finding["asset"];
	readonly location?: Finding["location"];
	readonly warnings?: readonly string[];
};

/** What a report says that there is nothing to do about, and why. */
export type Settled = { readonly settled: string };

/** Makes a path as the scanner wrote it one of the repository; one that lies elsewhere stays as it is. */
export type Place = (...paths: readonly string[]) => string;

/** One after the other, as each is asked for: a report of one page may stand for millions. */
export type Reader = (raw: Readonly<Record<string, unknown>>, place: Place) => Iterable<Draft | Settled>;

/** A report that cannot be understood, with the reason. */
export class BadReport extends Error {
	override readonly name = "BadReport";
}
