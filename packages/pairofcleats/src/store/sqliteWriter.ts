import { DatabaseSync } from "node:sqlite";
import { damagedIndex } from "../contract/errors.ts";
import { compress, compressJson, sealBlock } from "../segment/compression.ts";
import type { SegmentHead, SegmentWriter } from "../segment/indexedFile.ts";
import { TermBlocks } from "../segment/termBlocks.ts";
import { TRIGRAM_COUNT, TrigramBlocks } from "../segment/trigrams.ts";
import type { HeldFile } from "./indexFolder.ts";
import { INDEX_VERSION, MOST_SEGMENT_FILES, makeFileKey, makeTrigramKey, SCHEMA } from "./schema.ts";
import type { SegmentCache } from "./segmentCache.ts";
import { makeReader, readSegments, runTransaction } from "./sqliteReader.ts";
import type { Change, IndexWriter, LintRow, MetaKey } from "./store.ts";
import { nameExistingFile } from "./writeLock.ts";

/** How long to wait for another process's transaction. */
const BUSY_MS = 5_000;

/** Creates an empty index. */
export function createIndex(file: HeldFile, meta: Readonly<Partial<Record<MetaKey, string>>> = {}): void {
	const database = tuned(new DatabaseSync(file));
	try {
		runTransaction(database, "BEGIN IMMEDIATE", () => {
			database.exec(SCHEMA);
			const insert = database.prepare("INSERT INTO meta (key, value) VALUES (?, ?)");
			const first = { version: String(INDEX_VERSION), generation: "0", ...meta };
			for (const [key, value] of Object.entries(first)) insert.run(key, value);
		});
	} finally {
		database.close();
	}
}

/**
 * Opens an index for writing. Each segment and each change is one transaction, so the write-ahead log makes it safe to
 * kill the process at any time.
 */
export function openWriter(file: HeldFile, segmentCache?: SegmentCache, busyMs: number = BUSY_MS): IndexWriter {
	const database = openDatabase(file, busyMs);
	const reader = makeReader(database, segmentCache);
	return {
		reader,
		file,
		segment: () => segmentWriter(database),
		pending: () => readSegments(database, "pending", reader.segmentCache),
		publish: (change) => publish(database, change),
		discard: (segments) => {
			for (const segment of segments) deleteSegment(database, segment);
		},
		// Whatever a reader still needs is left to a later checkpoint: waiting would block a thread that may be serving.
		settle: () =>
			database.exec(`PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = ${busyMs}`),
		close: () => database.close(),
	};
}

/** Replaces all diagnostics of the given sources. */
export function writeLint(file: HeldFile, sources: readonly string[], rows: readonly LintRow[]): void {
	const database = openDatabase(file);
	try {
		runTransaction(database, "BEGIN IMMEDIATE", () => {
			const remove = database.prepare("DELETE FROM lint WHERE source = ?");
			for (const source of sources) remove.run(source);
			const insert = database.prepare("INSERT INTO lint (path, line, rule, message, source) VALUES (?, ?, ?, ?, ?)");
			for (const { path, line, rule, message, source } of rows) insert.run(path, line, rule, message, source);
			bumpGeneration(database);
		});
	} finally {
		database.close();
	}
}

function openDatabase(file: HeldFile, busyMs = BUSY_MS): DatabaseSync {
	const database = tuned(new DatabaseSync(nameExistingFile(file)), busyMs);
	const known = database.prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'meta'").get();
	if (known?.tables === 1) return database;
	database.close();
	throw damagedIndex(new Error("the index has no tables"));
}

function tuned(database: DatabaseSync, busyMs = BUSY_MS): DatabaseSync {
	database.exec(
		`PRAGMA busy_timeout = ${busyMs}; PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000; PRAGMA journal_size_limit = 8000000`,
	);
	return database;
}

function segmentWriter(database: DatabaseSync): SegmentWriter {
	const insertTexts = database.prepare("INSERT INTO texts (id, block) VALUES (?, ?)");
	const insertDetails = database.prepare("INSERT INTO details (id, block) VALUES (?, ?)");
	const insertTerms = database.prepare("INSERT INTO terms (segment, first, block) VALUES (?, ?, ?)");
	const insertTrigrams = database.prepare("INSERT INTO trigrams (id, block) VALUES (?, ?)");
	let segment = 0;
	const terms = new TermBlocks(({ first, block }) => insertTerms.run(segment, first, sealBlock(block, first)));
	const trigrams = new TrigramBlocks(({ first, block }) =>
		insertTrigrams.run(makeTrigramKey(segment, first), sealBlock(block, first)),
	);
	return {
		begin: (head) => {
			database.exec("BEGIN IMMEDIATE");
			segment = insertSegment(database, head);
		},
		texts: ({ first, block }) => insertTexts.run(makeFileKey(segment, first), block),
		details: ({ first, block }) => insertDetails.run(makeFileKey(segment, first), block),
		term: (term, count, postings) => terms.add(term, count, postings),
		trigram: (trigram, files) => trigrams.add(trigram, files),
		end: () => {
			terms.flush();
			trigrams.flush();
			database.exec("COMMIT");
			return segment;
		},
	};
}

function insertSegment(database: DatabaseSync, head: SegmentHead): number {
	const result = database
		.prepare(
			"INSERT INTO segments (state, docs, dead, columns, names, qualifiedNames, signatures, files) VALUES ('pending', ?, x'5b5d', ?, ?, ?, ?, ?)",
		)
		.run(
			head.docs,
			compress(head.columns),
			compress(head.names),
			compress(head.qualifiedNames),
			compress(head.signatures),
			compressJson(head.files),
		);
	const segment = Number(result.lastInsertRowid);
	if (head.vectors) {
		const { model, dims, docs, data } = head.vectors;
		database
			.prepare("INSERT INTO vectors (segment, model, dims, docs, data) VALUES (?, ?, ?, ?, ?)")
			.run(segment, model, dims, compress(bytesOf(docs)), sealBlock(bytesOf(data), dims));
	}
	return segment;
}

function bytesOf(values: Uint32Array | Int8Array): Uint8Array {
	return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function publish(database: DatabaseSync, change: Change): void {
	runTransaction(database, "BEGIN IMMEDIATE", () => {
		const live = database.prepare("UPDATE segments SET state = 'live' WHERE id = ?");
		for (const segment of change.publish) live.run(segment);
		const dead = database.prepare("UPDATE segments SET dead = ? WHERE id = ?");
		for (const [segment, files] of change.dead) dead.run(Buffer.from(JSON.stringify(files)), segment);
		const retire = database.prepare("UPDATE segments SET state = 'retired' WHERE id = ?");
		for (const segment of change.drop) retire.run(segment);
		const stat = database.prepare(
			"INSERT INTO stats (path, bytes, mtime, ctime, inode, state) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET bytes = excluded.bytes, mtime = excluded.mtime, ctime = excluded.ctime, inode = excluded.inode, state = excluded.state",
		);
		for (const { path, bytes, mtimeMs, ctimeMs, inode, state } of change.stats)
			stat.run(path, bytes, mtimeMs, ctimeMs, inode, state);
		const forget = database.prepare("DELETE FROM stats WHERE path = ?");
		for (const path of change.forget) forget.run(path);
		// Findings refer to lines of the old text, so they no longer apply.
		const unsay = database.prepare("DELETE FROM lint WHERE path = ?");
		for (const path of [...change.forget, ...(change.edited ?? [])]) unsay.run(path);
		const meta = database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
		for (const [key, value] of Object.entries(change.meta)) meta.run(key, value);
		bumpGeneration(database);
	});
	for (const row of database.prepare("SELECT id FROM segments WHERE state = 'retired'").all()) {
		deleteSegment(database, Number(row.id));
	}
}

function bumpGeneration(database: DatabaseSync): void {
	database.exec("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'");
}

/**
 * Deletes a segment's rows in slices, so that no statement locks the file for long. The segment's own row is deleted
 * last.
 */
function deleteSegment(database: DatabaseSync, segment: number): void {
	const slices = [
		"DELETE FROM terms WHERE segment = ?1 AND first IN (SELECT first FROM terms WHERE segment = ?1 LIMIT 1000)",
		`DELETE FROM trigrams WHERE id IN (SELECT id FROM trigrams WHERE id >= ?1 * ${TRIGRAM_COUNT} AND id < (?1 + 1) * ${TRIGRAM_COUNT} LIMIT 1000)`,
		`DELETE FROM texts WHERE id IN (SELECT id FROM texts WHERE id >= ?1 * ${MOST_SEGMENT_FILES} AND id < (?1 + 1) * ${MOST_SEGMENT_FILES} LIMIT 500)`,
		`DELETE FROM details WHERE id IN (SELECT id FROM details WHERE id >= ?1 * ${MOST_SEGMENT_FILES} AND id < (?1 + 1) * ${MOST_SEGMENT_FILES} LIMIT 500)`,
		"DELETE FROM vectors WHERE segment = ?1",
	];
	for (const sql of slices) {
		const remove = database.prepare(sql);
		while (remove.run(segment).changes > 0);
	}
	database.prepare("DELETE FROM segments WHERE id = ?").run(segment);
}
