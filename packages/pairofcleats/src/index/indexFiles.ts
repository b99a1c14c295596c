import { hash as hashOf } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DEFAULT_MAX_FILE_BYTES, type FoundFile } from "../discover/discoverFiles.ts";
import { readSource, type SourceText } from "../discover/readSource.ts";
import { type Blame, blameFiles } from "../git/blame.ts";
import type { ParsedFile } from "../parse/chunk.ts";
import { findDocumentFormat } from "../parse/documents/extractDocument.ts";
import type { RiskRules } from "../parse/risk/rules/rules.ts";
import { SegmentBuilder } from "../segment/segmentBuilder.ts";
import type { LiveFile } from "../store/liveFiles.ts";
import type { FileStat, IndexWriter } from "../store/store.ts";
import type { IndexerOptions } from "./build.ts";
import { parseSource, readDocument } from "./parseSource.ts";
import { RECORDS_PREFIX } from "./recordFiles.ts";

/** How often indexing in a serving process yields to the event loop. */
const TURN_MS = 10;

/** A file that looks changed, and what is known about it. */
export type Suspect = {
	readonly file: FoundFile;
	/** Hash of the indexed text. */
	readonly hash: string | undefined;
	/** Its position in the segments of an interrupted build. */
	readonly left: LiveFile | undefined;
	/** Whether to read it again although its text is unchanged. */
	readonly reread: boolean;
};

/** The result for the files that looked changed. */
export type Outcome = {
	readonly segments: number[];
	/** Files that an interrupted build had finished, reused in place. */
	readonly resumed: LiveFile[];
	readonly stats: FileStat[];
	/** Paths whose indexed version no longer counts. */
	readonly replaced: string[];
	/** Those of the replaced paths whose text changed. */
	readonly edited: string[];
	indexed: number;
	skipped: number;
	/** How many of the skipped files could not be opened or read. */
	unreadable: number;
	chunks: number;
	bytes: number;
};

export type ParsingOptions = Pick<
	IndexerOptions,
	"root" | "recordsDir" | "maxFileBytes" | "embedder" | "build" | "signal"
> & {
	readonly riskRules: RiskRules | undefined;
	/** Total size of the files to index, possibly overestimated. */
	readonly bytesTotal: number;
	/** Number of threads that index in parallel. */
	readonly threads: number;
	readonly onFile?: (file: FoundFile) => void;
};

/** Reads the files that look changed, parses those that did change, and writes them into unpublished segments. */
export async function indexFiles(
	suspects: Iterable<Suspect> | AsyncIterable<Suspect>,
	writer: IndexWriter,
	options: ParsingOptions,
): Promise<Outcome> {
	const outcome: Outcome = {
		segments: [],
		resumed: [],
		stats: [],
		replaced: [],
		edited: [],
		indexed: 0,
		skipped: 0,
		unreadable: 0,
		chunks: 0,
		bytes: 0,
	};
	const builder = new SegmentBuilder(options.embedder, options.bytesTotal, options.threads);
	const blame = options.build?.blame === true ? blameFiles(options.root, options.signal) : undefined;
	const parsing = { ...options, blame };
	let yielded = performance.now();
	for await (const suspect of suspects) {
		if (performance.now() - yielded > TURN_MS) {
			await nextTurn();
			yielded = performance.now();
		}
		options.signal?.throwIfAborted();
		await indexOne(suspect, builder, outcome, parsing);
		if (builder.full) outcome.segments.push(builder.write(writer.segment()));
		options.onFile?.(suspect.file);
	}
	if (builder.fileCount > 0) outcome.segments.push(builder.write(writer.segment()));
	builder.close();
	return outcome;
}

async function indexOne(
	{ file, hash: known, left, reread }: Suspect,
	builder: SegmentBuilder,
	outcome: Outcome,
	options: ParsingOptions & { readonly blame: Blame | undefined },
): Promise<void> {
	const { source, document } = await readOne(file, options);
	const { path, bytes, mtimeMs, ctimeMs, inode } = file;
	const stat = { path, bytes, mtimeMs, ctimeMs, inode };
	if (source.kind !== "text") {
		outcome.skipped += 1;
		if (source.kind === "unreadable" || source.kind === "failed") outcome.unreadable += 1;
		// Its stat is not recorded, so that the next update tries again; until then, the text that is indexed stays.
		if (source.kind === "failed") return;
		outcome.stats.push({ ...stat, state: source.kind });
		outcome.replaced.push(path);
		outcome.edited.push(path);
		return;
	}
	const hash = hashOf("sha256", source.utf8, "base64url");
	const isSame = known === hash;
	if (isSame && !reread) {
		outcome.stats.push({ ...stat, state: "indexed" });
		return;
	}
	outcome.replaced.push(path);
	if (!isSame) outcome.edited.push(path);
	outcome.bytes += source.bytes;
	if (left?.hash === hash) {
		outcome.stats.push({ ...stat, state: "indexed" });
		outcome.resumed.push(left);
		outcome.indexed += 1;
		return;
	}
	const indexed = await parseSource(file, source, hash, document, options);
	outcome.stats.push({ ...stat, state: "indexed" });
	outcome.indexed += 1;
	outcome.chunks += indexed.parsed.chunks.length;
	builder.add(indexed);
}

async function readOne(
	file: FoundFile,
	options: ParsingOptions,
): Promise<{ source: SourceText | { kind: "readerMissing" }; document?: ParsedFile }> {
	const { folder, name } = placeOf(file, options);
	const limit = options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES;
	const format = findDocumentFormat(name);
	if (format === undefined) return { source: await readSource(folder, name, limit) };
	const read = await readDocument(folder, name, format, limit);
	return read.kind === "document" ? { source: read.source, document: read.parsed } : { source: { kind: read.kind } };
}

/** Where a file is on disk: in the repository or among the records. */
function placeOf(
	{ path, isRecord = false }: FoundFile,
	{ root, recordsDir }: ParsingOptions,
): { folder: string; name: string } {
	if (recordsDir === undefined || !isRecord) return { folder: root, name: path };
	return { folder: recordsDir, name: path.slice(RECORDS_PREFIX.length) };
}
