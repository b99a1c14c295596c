import { readLintReport } from "../lint/readLintReport.ts";
import type { IndexFolder } from "../store/indexFolder.ts";
import { writeLint } from "../store/sqliteWriter.ts";
import type { LintRow } from "../store/store.ts";
import { takeWriteLock } from "../store/writeLock.ts";
import type { OpenIndex } from "./openIndex.ts";
import type { LintReport } from "./repository.ts";

/** Stores a report's diagnostics of indexed files with the index. */
export function importLint(index: OpenIndex, folder: IndexFolder, root: string, report: string): LintReport {
	const { tools, byPath, outside } = readLintReport(report, root);
	const indexed = new Set(index.snapshot.files.filter(({ alive }) => alive).map(({ path }) => path));
	let ignored = outside;
	let files = 0;
	const rows: LintRow[] = [];
	for (const [path, diagnostics] of byPath) {
		if (!indexed.has(path)) {
			ignored += diagnostics.length;
			continue;
		}
		files += 1;
		for (const { line, rule, message, tool } of diagnostics) rows.push({ path, line, rule, message, source: tool });
	}
	const lock = takeWriteLock(folder.path, 2_000);
	try {
		writeLint(index.file, tools, rows);
	} finally {
		lock.release();
	}
	return { source: tools.join(", "), imported: rows.length, files, ignored };
}
