import { compareUtf8 } from "../segment/bytes.ts";
import { ColumnLog, unpackColumns } from "../segment/columns.ts";
import { FileBlocks, type FileRow } from "../segment/fileBlocks.ts";
import type { FileEntry, SegmentWriter } from "../segment/indexedFile.ts";
import { decodePostings, PostingEncoder } from "../segment/postings.ts";
import { StringLog } from "../segment/stringTable.ts";
import type { SegmentVectors } from "../vectors/vectorLog.ts";
import { MOST_SEGMENT_FILES } from "./schema.ts";
import type { IndexReader, IndexWriter, StoredSegment } from "./store.ts";

/** More small segments than this are merged. A segment with much text does not count as small. */
const MOST_SMALL = 8;
const SMALL_DOCS = 20_000;
const SMALL_BYTES = 4_000_000;
/** A segment with fewer live files than this share is rewritten without the dead ones. */
const LEAST_LIVE = 0.5;

/** Limits of one segment: row keys limit its files, and the memory of a merge limits its chunks. */
const MOST_IN_ONE = { files: MOST_SEGMENT_FILES, docs: 200_000 } as const;
export type SegmentLimits = { readonly files: number; readonly docs: number };

/** Merges small segments and drops dead files. Each merge is one published change. */
export function compactSegments(writer: IndexWriter, limits: SegmentLimits = MOST_IN_ONE): void {
	const segments = writer.reader.segments();
	const small = segments.filter((segment) => segment.docs < SMALL_DOCS && bytesOf(segment) < SMALL_BYTES);
	const sparse = new Set(segments.filter((segment) => countLive(segment) < segment.files.length * LEAST_LIVE));
	const chosen = small.length > MOST_SMALL ? [...new Set([...small, ...sparse])] : [...sparse];
	// Joined with a segment that has none, or those of another model, vectors would be lost.
	const alike = Map.groupBy(chosen, ({ id }) => writer.reader.vectorModel(id));
	for (const batch of [...alike.values()].flatMap((group) => batchesOf(group, limits))) {
		if (batch.length === 1 && batch.every((segment) => !sparse.has(segment))) continue;
		const joined = joinSegments(writer, batch);
		const drop = batch.map(({ id }) => id);
		writer.publish({ publish: [joined], dead: new Map(), drop, stats: [], forget: [], meta: {} });
	}
}

function bytesOf({ files }: StoredSegment): number {
	return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function countLive({ files, dead }: StoredSegment): number {
	return files.length - dead.length;
}

/** Batches in the order of writing, each within the limits of one segment. */
function batchesOf(segments: readonly StoredSegment[], limits: SegmentLimits): StoredSegment[][] {
	const batches: StoredSegment[][] = [];
	let files = Number.POSITIVE_INFINITY;
	let docs = 0;
	for (const segment of [...segments].sort((a, b) => a.id - b.id)) {
		files += countLive(segment);
		docs += segment.docs;
		if (files > limits.files || docs > limits.docs) {
			batches.push([]);
			files = countLive(segment);
			docs = segment.docs;
		}
		batches.at(-1)?.push(segment);
	}
	return batches;
}

type Strings = Readonly<Record<"names" | "qualifiedNames" | "signatures", StringLog>>;

/** Maps old document and file numbers to new ones; -1 for those left out. */
type Part = { readonly segment: StoredSegment; readonly docs: Int32Array; readonly files: Int32Array };

function joinSegments(writer: IndexWriter, segments: readonly StoredSegment[]): number {
	const rows = new ColumnLog();
	const strings: Strings = { names: new StringLog(), qualifiedNames: new StringLog(), signatures: new StringLog() };
	const files: FileEntry[] = [];
	const parts = segments.map((segment) => takePart(segment, rows, strings, files));
	const target = writer.segment();
	const vectors = joinVectors(writer, parts);
	target.begin({
		docs: rows.length,
		columns: rows.packed(),
		names: strings.names.packed(),
		qualifiedNames: strings.qualifiedNames.packed(),
		signatures: strings.signatures.packed(),
		files,
		...(vectors && { vectors }),
	});
	for (const row of joinFiles(parts, writer.reader.textBytes)) target.texts(row);
	for (const row of joinFiles(parts, writer.reader.detailsBytes)) target.details(row);
	joinTerms(writer, parts, target);
	joinTrigrams(writer, parts, target);
	return target.end();
}

function takePart(segment: StoredSegment, rows: ColumnLog, strings: Strings, files: FileEntry[]): Part {
	const columns = unpackColumns(segment.columns(), segment.docs);
	const names = segment.names();
	const qualifiedNames = segment.qualifiedNames();
	const signatures = segment.signatures();
	const dead = new Set(segment.dead);
	const docs = new Int32Array(segment.docs).fill(-1);
	const ordinals = new Int32Array(segment.files.length).fill(-1);
	for (const [ordinal, entry] of segment.files.entries()) {
		if (dead.has(ordinal)) continue;
		const firstDoc = rows.length;
		for (let doc = entry.firstDoc; doc < entry.firstDoc + entry.docs; doc++) {
			docs[doc] = rows.length;
			rows.copy(columns, doc, files.length);
			strings.names.add(names.at(doc));
			strings.qualifiedNames.add(qualifiedNames.at(doc));
			strings.signatures.add(signatures.at(doc));
		}
		ordinals[ordinal] = files.length;
		files.push({ ...entry, firstDoc });
	}
	return { segment, docs, files: ordinals };
}

/** Joins texts or details. Parts are in order, so files are renumbered as they come. */
function joinFiles(parts: readonly Part[], read: IndexReader["textBytes"]): readonly FileRow[] {
	const blocks = new FileBlocks();
	for (const { segment, files } of parts) {
		for (const [ordinal, to] of files.entries()) {
			if (to < 0) continue;
			const file = read(segment.id, ordinal);
			if (file === undefined) throw new RangeError("a file of the index is missing");
			blocks.add(file);
		}
	}
	return blocks.finish();
}

/** Joins the vectors of segments that have them of one model, or have none. */
function joinVectors(writer: IndexWriter, parts: readonly Part[]): SegmentVectors | undefined {
	const all = parts.map(({ segment }) => writer.reader.vectors(segment.id));
	const first = all[0];
	if (!first) return undefined;
	const { model, dims } = first;
	const docs: number[] = [];
	const kept: Int8Array[] = [];
	for (const [index, part] of parts.entries()) {
		const vectors = all[index];
		for (const [place, doc] of vectors?.docs.entries() ?? []) {
			const to = part.docs[doc] ?? -1;
			if (!vectors || to < 0) continue;
			docs.push(to);
			kept.push(vectors.data.subarray(place * dims, (place + 1) * dims));
		}
	}
	const data = new Int8Array(docs.length * dims);
	for (const [place, vector] of kept.entries()) data.set(vector, place * dims);
	return { model, dims, docs: Uint32Array.from(docs), data };
}

/** Merges the sorted terms of all parts. Parts are in order, so new document numbers stay ascending. */
function joinTerms(writer: IndexWriter, parts: readonly Part[], target: SegmentWriter): void {
	const encoder = new PostingEncoder();
	const cursors = parts.map((part) => {
		const walk = writer.reader.terms(part.segment.id, "", "\u{10ffff}")[Symbol.iterator]();
		return { part, walk, now: take(walk) };
	});
	for (;;) {
		let least: string | undefined;
		for (const { now } of cursors)
			if (now && (least === undefined || compareUtf8(now.term, least) < 0)) least = now.term;
		if (least === undefined) return;
		encoder.start();
		let count = 0;
		for (const cursor of cursors) {
			if (cursor.now?.term !== least) continue;
			const { docs, values } = decodePostings(cursor.now.bytes, cursor.now.count, cursor.part.segment.docs);
			for (const [index, doc] of docs.entries()) {
				const to = cursor.part.docs[doc] ?? -1;
				if (to < 0) continue;
				encoder.add(to, values[index] ?? 0);
				count += 1;
			}
			cursor.now = take(cursor.walk);
		}
		if (count > 0) target.term(least, count, encoder.finish());
	}
}

function take<Value>(walk: Iterator<Value>): Value | undefined {
	const { done, value } = walk.next();
	return done ? undefined : value;
}

/** Merges the trigram lists of all parts, like `joinTerms`. */
function joinTrigrams(writer: IndexWriter, parts: readonly Part[], target: SegmentWriter): void {
	const cursors = parts.map((part) => {
		const walk = writer.reader.trigrams(part.segment.id)[Symbol.iterator]();
		return { part, walk, now: take(walk) };
	});
	for (;;) {
		const least = Math.min(...cursors.map(({ now }) => now?.trigram ?? Number.POSITIVE_INFINITY));
		if (least === Number.POSITIVE_INFINITY) return;
		const files: number[] = [];
		for (const cursor of cursors) {
			if (cursor.now?.trigram !== least) continue;
			for (const file of cursor.now.files) {
				const to = cursor.part.files[file] ?? -1;
				if (to >= 0) files.push(to);
			}
			cursor.now = take(cursor.walk);
		}
		if (files.length > 0) target.trigram(least, files);
	}
}
