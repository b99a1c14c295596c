import { readLintReport } from "../lint/readLintReport.ts";
import type { IndexFolder } from "../store/indexFolder.ts";
import { writeLint } from "../store/sqliteWriter.ts";
import { takeWriteLock } from "../store/writeLock.ts";
import type { OpenIndex } from "./openIndex.ts";
import type { LintReport } from "./repository.ts";

/** Stores the diagnostics of a report with the index, for the files that are in it. */
export function importLint(index: OpenIndex, folder: IndexFolder, root: string, report: string): LintReport {
	const { format, byPath, outside } = readLintReport(report, root);
	const indexed = new Set(index.snapshot.files.filter(({ alive }) => alive).map(({ path }) => path));
	let ignored = outside;
	let files = 0;
	const rows = [...byPath].flatMap(([path, diagnostics]) => {
		if (!indexed.has(path)) {
			ignored += diagnostics.length;
			return [];
		}
		files += 1;
		return diagnostics.map(({ line, rule, message }) => ({ path, line, rule, message }));
	});
	const lock = takeWriteLock(folder.path, 2_000);
	try {
		writeLint(index.file, format, rows);
	} finally {
		lock.release();
	}
	return { source: format, imported: rows.length, files, ignored };
}
