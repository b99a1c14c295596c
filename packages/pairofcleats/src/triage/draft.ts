import type { AffectedPackage, Finding, Vulnerability } from "../records/record.ts";

/** What a reader extracts from one report, without the fields common to all findings. */
export type Draft = {
	/** The identity of the finding. With the source, it becomes the record's id, unless another finding has it. */
	readonly key: readonly (string | undefined)[];
	/**
	 * What tells findings of one key apart: their version, range, manifest and line, only their order in the report, or
	 * nothing, because the key is the report's own identity for it.
	 */
	readonly repeats: "details" | "order" | "nothing";
	/** The key that a finding had before, whose record and decisions it keeps. */
	readonly formerKey?: Draft["key"];
	readonly vuln: Vulnerability;
	readonly package?: AffectedPackage;
	readonly asset?: Finding["asset"];
	readonly location?: Finding["location"];
	readonly warnings?: readonly string[];
	/** Why the scanner says that it needs no action, if it does. */
	readonly settled?: string;
};

/** Converts a scanner's path to a repository path; paths outside the repository stay unchanged. */
export type Relocate = (...paths: readonly string[]) => string;

/** Lazy, because a one-page report may expand to millions of findings. */
export type Reader = (raw: Readonly<Record<string, unknown>>, place: Relocate) => Iterable<Draft>;

/** A report that cannot be understood, with the reason. */
export class BadReport extends Error {
	override readonly name = "BadReport";
}
