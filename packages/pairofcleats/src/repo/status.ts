import { CleatsError } from "../contract/errors.ts";
import { findFiles } from "../discover/discoverFiles.ts";
import { describeHistoryFault } from "../index/gitMeta.ts";
import { keepLastListing } from "../index/lastListed.ts";
import { isRecordPath } from "../index/recordFiles.ts";
import { MODES } from "../segment/columns.ts";
import type { IndexFolder } from "../store/indexFolder.ts";
import { readLockHolder } from "../store/writeLock.ts";
import type { LoadedEmbedder } from "../vectors/loadEmbedder.ts";
import type { OpenIndex } from "./openIndex.ts";
import { countFilesToEmbed } from "./refresh/reconciliation.ts";
import { findStaleness, readLimits, readStats, type SweepOptions } from "./refresh/staleness.ts";
import type { IndexStatus } from "./repository.ts";

/** Reports on an index after comparing it with the disk. */
export async function readStatus(
	open: () => OpenIndex,
	folder: IndexFolder,
	sweep: SweepOptions,
	loadModel: () => Promise<LoadedEmbedder>,
	ours: boolean,
): Promise<IndexStatus> {
	const writer = readLockHolder(folder.path);
	const now = { building: ours || writer !== undefined, ...(writer && { writer }) };
	const index = folder.current() === undefined ? undefined : openUnless(open, now.building);
	if (!index) return { ...EMPTY, ...now };
	return index.during(async () => ({ ...(await statusOf(index, folder, sweep, loadModel)), ...now }));
}

async function statusOf(
	index: OpenIndex,
	folder: IndexFolder,
	sweep: SweepOptions,
	loadModel: () => Promise<LoadedEmbedder>,
): Promise<IndexStatus> {
	const { snapshot, reader } = index;
	const checkedAt = new Date().toISOString();
	const stats = readStats(reader);
	const limits = readLimits(sweep);
	const listed = await findFiles(sweep.root, limits);
	const found = await keepLastListing(listed, reader.meta("source"), stats.keys(), limits);
	const { changed, added, removed, unreadable } = findStaleness(stats, found, sweep.recordsDir);
	const alive = snapshot.files.filter((file) => file.alive);
	const count = (key: (file: (typeof alive)[number]) => string): Record<string, number> => {
		const counts: Record<string, number> = {};
		for (const file of alive) counts[key(file)] = (counts[key(file)] ?? 0) + 1;
		return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
	};
	const skipped: Record<string, number> = { ...found.skipped };
	for (const { state } of stats.values()) if (state !== "indexed") skipped[state] = (skipped[state] ?? 0) + 1;
	const model = reader.meta("model") ?? "";
	const times = {
		builtAt: reader.meta("builtAt"),
		updatedAt: reader.meta("updatedAt"),
		branch: reader.meta("branch"),
		head: reader.meta("head"),
	};
	return {
		...EMPTY,
		indexed: true,
		...Object.fromEntries(Object.entries(times).filter(([, value]) => value !== undefined && value !== "")),
		checkedAt,
		stale: { changed: Math.max(changed, await countFilesToEmbed(index, loadModel)), added, removed },
		files: alive.filter(({ path }) => !isRecordPath(path)).length,
		chunks: {
			code: docsOf(index, "code"),
			prose: docsOf(index, "prose"),
			"extracted-prose": docsOf(index, "extracted-prose"),
			records: docsOf(index, "records"),
		},
		languages: count(({ language }) => language),
		skipped,
		parse: { ...EMPTY.parse, ...count(({ method }) => method) },
		parseErrors: alive.reduce((sum, { parseErrors }) => sum + parseErrors, 0),
		textBytes: alive.reduce((sum, { bytes }) => sum + bytes, 0),
		indexBytes: folder.bytes(),
		segments: snapshot.segments.length,
		warnings: [
			...found.warnings,
			...(unreadable === undefined ? [] : [unreadable]),
			...describeHistoryFault(reader.meta("historyFault")),
		],
		vectors: { model: model === "" ? null : model, chunks: vectorsOf(index, model) },
	};
}

/** An unreadable index counts as missing while a new one is being built. */
function openUnless(open: () => OpenIndex, building: boolean): OpenIndex | undefined {
	try {
		return open();
	} catch (error) {
		if (building && error instanceof CleatsError && error.code === "NO_INDEX") return undefined;
		throw error;
	}
}

function docsOf({ snapshot }: OpenIndex, mode: (typeof MODES)[number]): number {
	return snapshot.sums[MODES.indexOf(mode)]?.docs ?? 0;
}

/** How many vectors of a model the live files have. */
function vectorsOf({ snapshot, reader }: OpenIndex, model: string): number {
	let count = 0;
	for (const { id, base } of snapshot.segments) {
		if (reader.vectorModel(id) !== model) continue;
		for (const doc of reader.vectors(id)?.docs ?? []) count += snapshot.alive[base + doc] ?? 0;
	}
	return count;
}

const EMPTY: IndexStatus = {
	indexed: false,
	stale: { changed: 0, added: 0, removed: 0 },
	files: 0,
	chunks: { code: 0, prose: 0, "extracted-prose": 0, records: 0 },
	languages: {},
	skipped: {},
	parse: { grammar: 0, format: 0, lines: 0 },
	parseErrors: 0,
	textBytes: 0,
	indexBytes: 0,
	segments: 0,
	warnings: [],
	vectors: { model: null, chunks: 0 },
	building: false,
};

/** What is said of an index, as labels and values. */
export function makeStatusRows(found: IndexStatus): [string, string][] {
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
