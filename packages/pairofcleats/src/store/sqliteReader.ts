import { existsSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { CleatsError, damagedIndex, storageTrouble } from "../contract/errors.ts";
import { compareUtf8, DamagedBlock } from "../segment/bytes.ts";
import { decodeText, decompress, unsealBlock } from "../segment/compression.ts";
import { FileTable } from "../segment/fileBlocks.ts";
import type { FileDetails } from "../segment/indexedFile.ts";
import { eachTerm, findTerm, listTermsAround, type StoredTerm, type TermRow } from "../segment/termBlocks.ts";
import { eachList, findList, TRIGRAM_COUNT, type TrigramList, type TrigramRow } from "../segment/trigrams.ts";
import { parseStoredJson } from "./indexDamage.ts";
import { INDEX_VERSION, makeFileKey, makeTrigramKey } from "./schema.ts";
import { type SegmentBlocks, SegmentCache } from "./segmentCache.ts";
import type { FileStat, IndexReader, LintRow, MetaKey, StoredSegment } from "./store.ts";

/** How long a reader waits for a writer that is committing. */
const BUSY_MS = 5_000;
/** Enough for the upper B-tree pages; the other pages are in the system's page cache, where reading them is cheap. */
const CACHE_KIB = 2_000;

/** Opens an index file for reading. Throws if it is not an index of this version. */
export function openReader(path: string): IndexReader {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(path, { readOnly: true });
		database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA query_only = 1`);
		return makeReader(database);
	} catch (cause) {
		database?.close();
		if (cause instanceof CleatsError) throw cause;
		// A missing file cannot be opened either, but another build replaces it.
		throw existsSync(path) && storageTrouble(cause) !== undefined ? cause : damagedIndex(cause);
	}
}

export function makeReader(database: DatabaseSync, segmentCache = new SegmentCache()): IndexReader {
	const prepare = statements(database);
	const meta = (key: MetaKey | "generation"): string | undefined => text(prepare("meta").get(key)?.value);
	const version = meta("version");
	if (version !== undefined && Number(version) !== INDEX_VERSION) {
		throw new CleatsError("NO_INDEX", `the index has version ${version}, this program reads ${INDEX_VERSION}`, {
			reason: "version",
		});
	}
	const texts = fileReader(prepare("texts"));
	const details = fileReader(prepare("details"));
	/** Chunks of the same file are often asked about in a row. */
	let latest: { readonly key: string; readonly details: FileDetails } | undefined;
	return {
		generation: () => Number(meta("generation") ?? 0),
		meta,
		segments: () => {
			const segments = readSegments(database, "live", segmentCache);
			segmentCache.keep(new Set(segments.map(({ id }) => id)));
			return segments;
		},
		postings: (segment, term) => {
			const row = prepare("termBlock").get(segment, term);
			return row && findTerm(termRow(row), term);
		},
		// A new statement each time, because several iterations can run at once.
		terms: (segment, from, to) => readTerms(database.prepare(READS.terms).iterate(segment, from, to), from, to),
		termsAround: (segment, text, from) =>
			readTermsAround(database.prepare(READS.terms).iterate(segment, from, "\u{10ffff}"), text),
		trigram: (segment, trigram) => {
			const row = prepare("trigramBlock").get(makeTrigramKey(segment, trigram), makeTrigramKey(segment, 0));
			return row && findList(trigramRow(row), trigram);
		},
		trigrams: (segment) => {
			const range = [makeTrigramKey(segment, 0), makeTrigramKey(segment + 1, 0)];
			return readTrigrams(database.prepare(READS.trigrams).iterate(...range));
		},
		text: (segment, ordinal) => {
			const utf8 = texts(segment, ordinal);
			return utf8 && decodeText(utf8);
		},
		textBytes: texts,
		details: (segment, ordinal) => {
			const key = `${segment}/${ordinal}`;
			if (latest?.key === key) return latest.details;
			const json = details(segment, ordinal);
			if (!json) return undefined;
			latest = { key, details: JSON.parse(decodeText(json)) as FileDetails };
			return latest.details;
		},
		detailsBytes: details,
		vectors: (segment) => {
			const row = prepare("vectors").get(segment);
			if (!row) return undefined;
			const dims = Number(row.dims);
			const data = unsealBlock(bytes(row.data), dims);
			return {
				model: text(row.model) ?? "",
				dims,
				docs: new Uint32Array(Uint8Array.from(decompress(bytes(row.docs))).buffer),
				data: new Int8Array(data.buffer, data.byteOffset, data.length),
			};
		},
		vectorModel: (segment) => text(prepare("vectorModel").get(segment)?.model),
		stats: () => readStats(database),
		lint: (path) => [...readLint(prepare("lint").iterate(path))],
		lintPaths: () => [...prepare("lintPaths").iterate()].map((row) => text(row.path) ?? ""),
		segmentCache,
		read: (body) => runTransaction(database, "BEGIN", body),
		stay: () => database.exec("BEGIN"),
		close: () => database.close(),
	};
}

export const READS = {
	meta: "SELECT value FROM meta WHERE key = ?",
	segments: "SELECT id, docs, dead FROM segments WHERE state = ? ORDER BY id",
	segmentBlocks: "SELECT columns, names, qualifiedNames, signatures, files FROM segments WHERE id = ?",
	termBlock: "SELECT first, block FROM terms WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1",
	terms:
		"SELECT first, block FROM terms WHERE segment = ?1 AND first < ?3 AND first >= coalesce((SELECT max(first) FROM terms WHERE segment = ?1 AND first <= ?2), '') ORDER BY first",
	trigramBlock: "SELECT id, block FROM trigrams WHERE id <= ? AND id >= ? ORDER BY id DESC LIMIT 1",
	trigrams: "SELECT id, block FROM trigrams WHERE id >= ? AND id < ? ORDER BY id",
	texts: "SELECT id, block FROM texts WHERE id <= ? AND id >= ? ORDER BY id DESC LIMIT 1",
	details: "SELECT id, block FROM details WHERE id <= ? AND id >= ? ORDER BY id DESC LIMIT 1",
	vectors: "SELECT model, dims, docs, data FROM vectors WHERE segment = ?",
	vectorModel: "SELECT model FROM vectors WHERE segment = ?",
	stats: "SELECT path, bytes, mtime, ctime, inode, state FROM stats",
	lint: "SELECT path, line, rule, message, source FROM lint WHERE path = ? ORDER BY line, id",
	lintPaths: "SELECT DISTINCT path FROM lint ORDER BY path",
} as const;

function statements(database: DatabaseSync): (name: keyof typeof READS) => StatementSync {
	const prepared = new Map<string, StatementSync>();
	return (name) => {
		const known = prepared.get(name) ?? database.prepare(READS[name]);
		prepared.set(name, known);
		return known;
	};
}

/** Nested calls join the outer transaction. */
export function runTransaction<Value>(database: DatabaseSync, begin: string, body: () => Value): Value {
	if (database.isTransaction) return body();
	database.exec(begin);
	try {
		const value = body();
		database.exec("COMMIT");
		return value;
	} catch (error) {
		if (database.isTransaction) database.exec("ROLLBACK");
		throw error;
	}
}

type Rows = Iterable<Record<string, unknown>>;

export function readSegments(database: DatabaseSync, state: "live" | "pending", cache: SegmentCache): StoredSegment[] {
	return database
		.prepare(READS.segments)
		.all(state)
		.map((row) => ({
			...cache.take(Number(row.id), Number(row.docs), (id) => readBlocks(database, id)),
			dead: readDead(Buffer.from(bytes(row.dead)).toString("utf8")),
		}));
}

function readDead(text: string): readonly number[] {
	const dead = parseStoredJson(text);
	if (Array.isArray(dead) && dead.every((file) => Number.isInteger(file))) return dead;
	throw new DamagedBlock("a list of dead files is damaged");
}

function readBlocks(database: DatabaseSync, id: number): SegmentBlocks {
	const row = database.prepare(READS.segmentBlocks).get(id);
	return {
		columns: bytes(row?.columns),
		files: bytes(row?.files),
		names: bytes(row?.names),
		qualifiedNames: bytes(row?.qualifiedNames),
		signatures: bytes(row?.signatures),
	};
}

/** The first and the last row may have terms outside the range. */
function* readTerms(rows: Rows, from: string, to: string): Generator<StoredTerm> {
	for (const row of rows) {
		for (const term of eachTerm(termRow(row))) {
			if (compareUtf8(term.term, to) >= 0) return;
			if (compareUtf8(term.term, from) >= 0) yield term;
		}
	}
}

function* readTermsAround(rows: Rows, text: string): Generator<StoredTerm> {
	for (const row of rows) yield* listTermsAround(termRow(row), text);
}

function* readTrigrams(rows: Rows): Generator<TrigramList> {
	for (const row of rows) yield* eachList(trigramRow(row));
}

function termRow(row: Record<string, unknown>): TermRow {
	const first = text(row.first) ?? "";
	return { first, block: unsealBlock(bytes(row.block), first) };
}

function trigramRow(row: Record<string, unknown>): TrigramRow {
	const first = Number(row.id) % TRIGRAM_COUNT;
	return { first, block: unsealBlock(bytes(row.block), first) };
}

/** Caches the last row, because small files share a row and files of a folder are often read in turn. */
function fileReader(rows: StatementSync): (segment: number, ordinal: number) => Buffer | undefined {
	let last: { readonly first: number; readonly files: FileTable } | undefined;
	const holds = (key: number): boolean =>
		last !== undefined && key >= last.first && key < last.first + last.files.length;
	return (segment, ordinal) => {
		const key = makeFileKey(segment, ordinal);
		if (!holds(key)) {
			const row = rows.get(key, makeFileKey(segment, 0));
			last = row && { first: Number(row.id), files: new FileTable(bytes(row.block)) };
		}
		return last && holds(key) ? last.files.at(key - last.first) : undefined;
	};
}

/** Rows as arrays take half the time to read, which matters with one row per file. */
function readStats(database: DatabaseSync): FileStat[] {
	const statement = database.prepare(READS.stats);
	statement.setReturnArrays(true);
	return statement.all().map((row: unknown) => {
		const [path, bytes, mtimeMs, ctimeMs, inode, state] = Array.isArray(row) ? row : [];
		return {
			path: text(path) ?? "",
			bytes: Number(bytes),
			mtimeMs: Number(mtimeMs),
			ctimeMs: Number(ctimeMs),
			inode: Number(inode),
			state: text(state) ?? "",
		};
	});
}

export function* readLint(rows: Rows): Generator<LintRow> {
	for (const row of rows) {
		yield {
			path: text(row.path) ?? "",
			line: Number(row.line),
			rule: text(row.rule) ?? "",
			message: text(row.message) ?? "",
			source: text(row.source) ?? "",
		};
	}
}

function text(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}

function bytes(value: unknown): Uint8Array {
	if (value instanceof Uint8Array) return value;
	throw new CleatsError("NO_INDEX", "the index is damaged; build it again", { reason: "damaged" });
}
