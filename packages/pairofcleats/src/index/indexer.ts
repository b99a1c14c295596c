import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CleatsError } from "../contract/errors.ts";
import { DEFAULT_MAX_FILE_BYTES, type Discovery, discoverFiles, type FoundFile } from "../discover/discoverFiles.ts";
import { readSource, type SourceText } from "../discover/readSource.ts";
import type { ParsedFile } from "../parse/chunk.ts";
import { documentFormat } from "../parse/extractDocument.ts";
import type { BuildOptions, BuildReport, OnProgress } from "../repo/repository.ts";
import type { RiskRules } from "../risk/rules.ts";
import type { Embedder } from "../vectors/embedder.ts";
import { compactSegments } from "./compaction.ts";
import { gitMeta } from "./gitMeta.ts";
import type { IndexFolder } from "./indexFolder.ts";
import { givenRules, rulesInUse, rulesOf } from "./indexRules.ts";
import { deadFiles, type LiveFile, liveFiles } from "./liveFiles.ts";
import { parseSource } from "./parseSource.ts";
import { readDocument } from "./readDocument.ts";
import { isRecordPath, listRecords, RECORDS_PREFIX } from "./recordFiles.ts";
import { SegmentBuilder } from "./segmentBuilder.ts";
import type { SegmentCache } from "./segmentCache.ts";
import { openWriter } from "./sqliteWriter.ts";
import type { Change, FileStat, IndexWriter } from "./store.ts";
import { takeWriteLock } from "./writeLock.ts";

export type IndexerOptions = {
	readonly root: string;
	readonly folder: IndexFolder;
	readonly embedder?: Embedder;
	readonly recordsDir?: string;
	readonly maxFileBytes?: number;
	readonly build?: BuildOptions;
	/** The files as they were just found, to spare finding them again. */
	readonly found?: Pick<Discovery, "files" | "skipped">;
	/** What the caller has read of the index; brought up to date with it. */
	readonly known?: KnownIndex;
	readonly onProgress?: OnProgress;
	readonly signal?: AbortSignal;
};

/** One generation's stats, and the segments read so far: an edit of one file need not read those of all others. */
export type KnownIndex = {
	readonly file: string;
	generation: number;
	readonly stats: Map<string, FileStat>;
	readonly segmentCache: SegmentCache;
};

/** A whole new index beside the old one, which stays in use until the new one is complete. */
export async function buildIndex(options: IndexerOptions): Promise<BuildReport> {
	const rules = (await givenRules(options.build?.riskRules)) ?? rulesInUse(options.folder);
	const lock = takeWriteLock(options.folder.path);
	try {
		const file = options.folder.next();
		prepareBuild(file, buildKey(options, rules));
		const report = await withWriter(openWriter(file), (writer) => run("build", writer, rules, options));
		options.folder.use(file);
		return report;
	} finally {
		lock.release();
	}
}

/** Brings the index in use up to the files on disk. */
export async function updateIndex(options: IndexerOptions): Promise<BuildReport> {
	const file = options.folder.current();
	if (file === undefined) return buildIndex(options);
	const given = await givenRules(options.build?.riskRules);
	const lock = takeWriteLock(options.folder.path, 2_000);
	try {
		const known = options.known?.file === file ? options.known : undefined;
		const report = await withWriter(openWriter(file, known?.segmentCache), async (writer) => {
			const rules = writer.reader.meta("riskRules") ?? "";
			return given === undefined || given === rules ? run("update", writer, rules, options) : undefined;
		});
		if (report !== undefined) return report;
	} catch (error) {
		if (!(error instanceof CleatsError && error.code === "NO_INDEX")) throw error;
	} finally {
		lock.release();
	}
	// Of another version, damaged, or made by other rules: there is nothing to update.
	return buildIndex(options);
}

/** An interrupted build is continued only if it was begun by this version with the same options. */
function prepareBuild(file: string, wanted: string): void {
	try {
		const writer = openWriter(file);
		const begun = writer.reader.meta("options");
		if (begun === undefined) writer.publish({ ...NO_CHANGE, meta: { options: wanted } });
		writer.close();
		if (begun === undefined || begun === wanted) return;
	} catch {
		// Unreadable or of another version: begin afresh.
	}
	for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
	const writer = openWriter(file);
	writer.publish({ ...NO_CHANGE, meta: { options: wanted } });
	writer.close();
}

function buildKey(options: IndexerOptions, rules: string): string {
	return JSON.stringify({ blame: options.build?.blame ?? false, model: options.embedder?.id ?? "", rules });
}

async function withWriter<Value>(writer: IndexWriter, body: (writer: IndexWriter) => Promise<Value>): Promise<Value> {
	try {
		return await body(writer);
	} finally {
		writer.close();
	}
}

/** Files; a larger change leaves no log behind. */
const SMALL_CHANGE = 50;

/** A serving process that takes in a change gives its event loop a turn this often. */
const TURN_MS = 10;

const NO_CHANGE: Change = { publish: [], dead: new Map(), drop: [], stats: [], forget: [], meta: {} };

async function run(
	kind: "build" | "update",
	writer: IndexWriter,
	rules: string,
	options: IndexerOptions,
): Promise<BuildReport> {
	const started = performance.now();
	const before = process.cpuUsage();
	const found = await findFiles(options);
	const known =
		kind === "update" && options.known?.generation === writer.reader.generation() ? options.known : undefined;
	const stats = known?.stats ?? new Map([...writer.reader.stats()].map((stat) => [stat.path, stat]));
	const live = liveFiles(writer.reader.segments());
	const resumable = liveFiles(writer.pending());
	const suspects = found.files.filter(
		(file) => differs(file, stats.get(file.path)) || (kind === "build" && !live.has(file.path)),
	);
	const gone = [...stats.keys()].filter((path) => !found.paths.has(path));
	const parsing = { ...options, riskRules: rulesOf(rules) };
	const outcome = await indexChanged(suspects, writer, live, resumable, parsing);
	const git = await gitMeta(options.root, writer.reader, options.signal);
	const dead = deadFiles(writer, live, [...gone, ...outcome.replaced], outcome.resumed);
	const now = new Date().toISOString();
	const nothing =
		outcome.stats.length === 0 &&
		gone.length === 0 &&
		kind === "update" &&
		git.head === (writer.reader.meta("head") ?? "") &&
		git.branch === (writer.reader.meta("branch") ?? "");
	if (!nothing) {
		publish(writer, {
			publish: [...outcome.segments, ...new Set(outcome.resumed.map(({ segment }) => segment))],
			...dead,
			stats: outcome.stats,
			forget: gone,
			meta: {
				...(kind === "build" && { builtAt: now, riskRules: rules }),
				updatedAt: now,
				skipped: JSON.stringify(found.skipped),
				branch: git.branch,
				head: git.head,
				...(git.files !== writer.reader.meta("git") && { git: git.files }),
				model: options.embedder?.id ?? "",
			},
		});
		compactSegments(writer);
		if (kind === "build" || outcome.indexed > SMALL_CHANGE) writer.settle();
		if (known) {
			for (const path of gone) known.stats.delete(path);
			for (const stat of outcome.stats) known.stats.set(stat.path, stat);
			known.generation = writer.reader.generation();
		}
	}
	const spent = process.cpuUsage(before);
	return {
		kind,
		files: {
			indexed: outcome.indexed,
			unchanged: found.files.length - outcome.indexed - outcome.skipped,
			removed: gone.length,
			skipped: outcome.skipped + Object.values(found.skipped).reduce((sum, count) => sum + count, 0),
		},
		chunks: outcome.chunks,
		bytes: outcome.bytes,
		resumedFiles: outcome.resumed.length,
		durationMs: Math.round(performance.now() - started),
		cpuMs: Math.round((spent.user + spent.system) / 1000),
		peakRssBytes: process.resourceUsage().maxRSS * 1024,
	};
}

type Findings = { files: FoundFile[]; paths: Set<string>; skipped: Record<string, number> };

async function findFiles(options: IndexerOptions): Promise<Findings> {
	const limits = {
		...(options.maxFileBytes !== undefined && { maxFileBytes: options.maxFileBytes }),
		...(options.signal && { signal: options.signal }),
	};
	const discovery = options.found ?? (await discoverFiles(options.root, limits));
	const files = [...discovery.files, ...listRecords(options.recordsDir)];
	return { files, paths: new Set(files.map(({ path }) => path)), skipped: discovery.skipped };
}

function differs(file: FoundFile, stat: FileStat | undefined): boolean {
	return stat === undefined || stat.bytes !== file.bytes || stat.mtimeMs !== file.mtimeMs || stat.inode !== file.inode;
}

type Outcome = {
	readonly segments: number[];
	/** Files that an interrupted build had finished, taken over where they lie. */
	readonly resumed: LiveFile[];
	readonly stats: FileStat[];
	/** Paths whose indexed version no longer counts. */
	readonly replaced: string[];
	indexed: number;
	skipped: number;
	chunks: number;
	bytes: number;
};

type ParsingOptions = IndexerOptions & { readonly riskRules: RiskRules | undefined };

async function indexChanged(
	suspects: readonly FoundFile[],
	writer: IndexWriter,
	live: ReadonlyMap<string, LiveFile>,
	resumable: Map<string, LiveFile>,
	options: ParsingOptions,
): Promise<Outcome> {
	const outcome: Outcome = {
		segments: [],
		resumed: [],
		stats: [],
		replaced: [],
		indexed: 0,
		skipped: 0,
		chunks: 0,
		bytes: 0,
	};
	const builder = new SegmentBuilder(options.embedder);
	const bytesTotal = suspects.reduce((sum, { bytes }) => sum + bytes, 0);
	let bytesDone = 0;
	let yielded = performance.now();
	for (const [index, file] of suspects.entries()) {
		if (performance.now() - yielded > TURN_MS) {
			await nextTurn();
			yielded = performance.now();
		}
		options.signal?.throwIfAborted();
		await indexOne(file, builder, live, resumable, outcome, options);
		if (builder.full) outcome.segments.push(writeSegment(builder, writer));
		bytesDone += file.bytes;
		options.onProgress?.({
			phase: "index",
			done: index + 1,
			total: suspects.length,
			bytesDone,
			bytesTotal,
			message: file.path,
		});
	}
	if (builder.fileCount > 0) outcome.segments.push(writeSegment(builder, writer));
	return outcome;
}

function writeSegment(builder: SegmentBuilder, writer: IndexWriter): number {
	const segment = writer.segment();
	let id = 0;
	builder.write({
		...segment,
		end: () => {
			id = segment.end();
			return id;
		},
	});
	return id;
}

async function indexOne(
	file: FoundFile,
	builder: SegmentBuilder,
	live: ReadonlyMap<string, LiveFile>,
	resumable: Map<string, LiveFile>,
	outcome: Outcome,
	options: ParsingOptions,
): Promise<void> {
	const { source, document } = await readOne(file, options);
	const stat = { path: file.path, bytes: file.bytes, mtimeMs: file.mtimeMs, inode: file.inode };
	if (source.kind !== "text") {
		outcome.skipped += 1;
		outcome.stats.push({ ...stat, state: source.kind });
		outcome.replaced.push(file.path);
		return;
	}
	outcome.stats.push({ ...stat, state: "indexed" });
	const hash = createHash("sha256").update(source.text).digest("base64url");
	if (live.get(file.path)?.hash === hash) return;
	outcome.replaced.push(file.path);
	outcome.bytes += source.bytes;
	const left = resumable.get(file.path);
	if (left?.hash === hash) {
		outcome.resumed.push(left);
		outcome.indexed += 1;
		return;
	}
	const indexed = await parseSource(file, source, hash, document, options);
	outcome.indexed += 1;
	outcome.chunks += indexed.parsed.chunks.length;
	builder.add(indexed);
}

async function readOne(
	file: FoundFile,
	options: IndexerOptions,
): Promise<{ source: SourceText | { kind: "readerMissing" }; document?: ParsedFile }> {
	const { folder, name } = placeOf(file.path, options);
	const limit = options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES;
	const format = documentFormat(name);
	if (format === undefined) return { source: await readSource(folder, name, limit) };
	const read = await readDocument(folder, name, format, limit);
	return read.kind === "document" ? { source: read.source, document: read.parsed } : { source: { kind: read.kind } };
}

/** Where a path of the index lies on disk: in the repository, or among the records. */
function placeOf(path: string, { root, recordsDir }: IndexerOptions): { folder: string; name: string } {
	if (recordsDir === undefined || !isRecordPath(path)) return { folder: root, name: path };
	return { folder: recordsDir, name: path.slice(RECORDS_PREFIX.length) };
}

/** What an interrupted build left and this one did not take over is thrown away. */
function publish(writer: IndexWriter, change: Change): void {
	writer.publish(change);
	writer.discard(writer.pending().map(({ id }) => id));
}
