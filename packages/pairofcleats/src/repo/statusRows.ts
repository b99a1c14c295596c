import type { IndexStatus } from "./repository.ts";

/** What is said of an index, as labels and values. */
export function statusRows(found: IndexStatus): [string, string][] {
	const writing: [string, string][] = found.building ? [["building", writerOf(found)]] : [];
	if (!found.indexed)
		return [["index", found.building ? "none yet" : "none; pairofcleats index build makes one"], ...writing];
	const { changed, added, removed } = found.stale;
	const fresh = changed + added + removed === 0;
	const list = (counts: Readonly<Record<string, number>>): string =>
		Object.entries(counts)
			.filter(([, count]) => count > 0)
			.sort(([, a], [, b]) => b - a)
			.map(([name, count]) => `${name === "readerMissing" ? "without pdfjs-dist or mammoth" : name} ${count}`)
			.join(", ") || "none";
	const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
	return [
		["fresh", fresh ? "yes" : `no: ${changed} changed, ${added} new, ${removed} gone`],
		["updated", `${found.updatedAt ?? "never"}${found.branch === undefined ? "" : ` on ${found.branch}`}`],
		["files", `${found.files} (${megabytes(found.textBytes)} of text, index ${megabytes(found.indexBytes)})`],
		["chunks", list(found.chunks)],
		["languages", list(found.languages)],
		["parsed", `${list(found.parse)}; ${parseErrors(found)}`],
		["skipped", list(found.skipped)],
		["vectors", found.vectors.model === null ? "none" : `${found.vectors.chunks} by ${found.vectors.model}`],
		...writing,
	];
}

function parseErrors({ parseErrors: count }: IndexStatus): string {
	return `${count} parse error${count === 1 ? "" : "s"}`;
}

function writerOf({ writer = {} }: IndexStatus): string {
	const { pid, since, done, total } = writer;
	const who = pid === undefined ? "by another process" : `by process ${pid} since ${since}`;
	return done === undefined ? who : `${who}, ${done} of ${total} files`;
}
