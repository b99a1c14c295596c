import type { IndexFolder } from "../index/indexFolder.ts";
import { writeLint } from "../index/sqliteWriter.ts";
import { takeWriteLock } from "../index/writeLock.ts";
import type { OpenIndex } from "./openIndex.ts";
import type { LintReport } from "./repository.ts";

/** Stores the diagnostics of a report beside the index, for the files that are in it. */
export async function importLint(
	index: OpenIndex,
	folder: IndexFolder,
	root: string,
	report: string,
): Promise<LintReport> {
	void writeLint;
	void takeWriteLock;
	void index;
	void folder;
	void root;
	void report;
	throw new Error("pending");
}
