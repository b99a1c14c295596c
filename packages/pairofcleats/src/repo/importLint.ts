import { noIndex } from "../contract/errors.ts";
import { readLintReport } from "../lint/readLintReport.ts";
import type { IndexFolder } from "../store/indexFolder.ts";
import { listLiveFiles } from "../store/liveFiles.ts";
import { openReader } from "../store/sqliteReader.ts";
import { writeLint } from "../store/sqliteWriter.ts";
import type { LintRow } from "../store/store.ts";
import { EDIT_MS } from "../store/writeLock.ts";
import type { LintReport } from "./repository.ts";

/** Stores a report's diagnostics of indexed files with the index. */
export async function importLint(folder: IndexFolder, root: string, report: string): Promise<LintReport> {
	const { tools, byPath, outside } = readLintReport(report, root);
	return folder.hold((held) => {
		const file = held.current();
		if (file === undefined) throw noIndex();
		const indexed = indexedPaths(file);
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
		writeLint(file, tools, rows);
		return { source: tools.join(", "), imported: rows.length, files, ignored };
	}, EDIT_MS);
}

function indexedPaths(file: string): ReadonlyMap<string, unknown> {
	const reader = openReader(file);
	try {
		return listLiveFiles(reader.segments());
	} finally {
		reader.close();
	}
}
