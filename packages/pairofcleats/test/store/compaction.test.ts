import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { FileBlocks } from "../../src/segment/fileBlocks.ts";
import type { FileEntry } from "../../src/segment/indexedFile.ts";
import { SegmentBuilder } from "../../src/segment/segmentBuilder.ts";
import { StringLog } from "../../src/segment/stringTable.ts";
import { compactSegments } from "../../src/store/compaction.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { makeFileKey } from "../../src/store/schema.ts";
import { createIndex, openWriter } from "../../src/store/sqliteWriter.ts";
import type { IndexWriter, StoredSegment } from "../../src/store/store.ts";

const NOTHING = { publish: [], dead: new Map(), drop: [], stats: [], forget: [], meta: {} } as const;

async function withWriter(body: (writer: IndexWriter) => void): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "compaction-"));
	await openIndexFolder(folder, folder).hold((held) => {
		const file = held.next();
		createIndex(file);
		const writer = openWriter(file);
		try {
			body(writer);
		} finally {
			writer.close();
		}
	});
	rmSync(folder, { recursive: true, force: true });
}

const pathsOf = (segments: readonly StoredSegment[]): string[] =>
	segments.flatMap(({ files, dead }) => files.filter((_, at) => !dead.includes(at)).map(({ path }) => path)).sort();

/** A segment of small files, each with a chunk of one unique word. */
function addSegment(writer: IndexWriter, words: readonly string[], bytes = 1): number {
	const builder = new SegmentBuilder(undefined);
	for (const word of words) {
		const place = { startLine: 1, endLine: 1, start: 0, end: word.length };
		const chunk = { ...place, kind: "block", name: "", qualifiedName: "" } as const;
		const parsed = { language: "text", imports: [], exports: [], chunks: [chunk], prose: [], parseErrors: [] };
		const text = { text: word, utf8: Buffer.from(word), hash: word };
		const file = { path: `${word}.txt`, mode: "prose", role: "source", ...text } as const;
		builder.add({ ...file, bytes, parsed: { ...parsed, method: "lines" } });
	}
	return builder.write(writer.segment());
}

test("small segments are joined into as few as the limits allow, and nothing is lost", async () => {
	for (const limits of [
		{ files: 5, docs: 1_000 },
		{ files: 1_000, docs: 5 },
	]) {
		await withWriter((writer) => {
			const words = Array.from({ length: 24 }, (_, at) => `w${String.fromCharCode(97 + at)}x`);
			const segments = Array.from({ length: 12 }, (_, at) => addSegment(writer, words.slice(at * 2, at * 2 + 2)));
			writer.publish({ ...NOTHING, publish: segments });
			compactSegments(writer, limits);
			const joined = writer.reader.segments();
			assert.deepEqual(
				joined.map(({ files }) => files.length),
				[4, 4, 4, 4, 4, 4],
			);
			assert.deepEqual(pathsOf(joined), words.map((word) => `${word}.txt`).sort());
			for (const { id, files } of joined) {
				for (const [ordinal, { path }] of files.entries()) {
					const word = path.slice(0, -4);
					assert.equal(writer.reader.text(id, ordinal), word);
					assert.equal(writer.reader.postings(id, word)?.count, 1);
				}
			}
			const before = joined.map(({ id }) => id);
			compactSegments(writer, { files: 5, docs: 5 });
			assert.deepEqual(
				writer.reader.segments().map(({ id }) => id),
				before,
				"what cannot be joined stays as it is",
			);
		});
	}
});

test("segments with much text are not merged, however many there are", async () => {
	await withWriter((writer) => {
		const segments = Array.from({ length: 10 }, (_, at) => addSegment(writer, [`w${at}x`], 4_000_000));
		writer.publish({ ...NOTHING, publish: segments });
		compactSegments(writer);
		assert.deepEqual(
			writer.reader.segments().map(({ id }) => id),
			segments,
		);
	});
});

test("a mostly dead segment is rewritten alone if no other fits with it", async () => {
	await withWriter((writer) => {
		const full = addSegment(writer, ["worda", "wordb", "wordc"]);
		const sparse = addSegment(writer, ["wordd", "worde", "wordf"]);
		writer.publish({ ...NOTHING, publish: [full, sparse], dead: new Map([[sparse, [0, 2]]]) });
		compactSegments(writer, { files: 3, docs: 100 });
		const segments = writer.reader.segments();
		assert.deepEqual(pathsOf(segments), ["worda.txt", "wordb.txt", "wordc.txt", "worde.txt"]);
		assert.deepEqual(
			segments.map(({ files, dead }) => [files.length, dead.length]),
			[
				[3, 0],
				[1, 0],
			],
		);
	});
});

test("merging never creates a segment with more files than row keys allow", async () => {
	await withWriter((writer) => {
		const none = new StringLog().packed();
		const entry = { language: "text", mode: "prose", role: "source", hash: "", bytes: 0 } as const;
		const addFiles = (prefix: string, count: number): number => {
			const segment = writer.segment();
			const files = Array.from(
				{ length: count },
				(_, at): FileEntry => ({
					...entry,
					path: `${prefix}${at}`,
					method: "lines",
					parseErrors: 0,
					firstDoc: 0,
					docs: 0,
				}),
			);
			const strings = { names: none, qualifiedNames: none, signatures: none };
			segment.begin({ docs: 0, columns: new Uint8Array(0), ...strings, files });
			const blocks = new FileBlocks();
			for (let ordinal = 0; ordinal < count; ordinal += 1) blocks.add(new Uint8Array(0));
			for (const row of blocks.finish()) {
				segment.texts(row);
				segment.details(row);
			}
			return segment.end();
		};
		const sizes = [40_000, 25_536, 1, 2, 3, 4, 5, 6, 7];
		writer.publish({ ...NOTHING, publish: sizes.map((size, at) => addFiles(`s${at}/`, size)) });
		compactSegments(writer);
		assert.deepEqual(
			writer.reader.segments().map(({ files }) => files.length),
			[65_536, 28],
		);
		assert.throws(() => makeFileKey(1, 65_536), { message: "a segment holds 65536 files, not 65537" });
	});
});
