import { rmSync } from "node:fs";
import { CleatsError } from "../contract/errors.ts";
import { type Discovery, type FoundFile, findFiles } from "../discover/discoverFiles.ts";
import { compactSegments } from "../store/compaction.ts";
import { isIndexDamage } from "../store/indexDamage.ts";
import { DAMAGED_FILE, type HeldFile, type HeldFolder } from "../store/indexFolder.ts";
import { findDeadFiles, hasLineAuthors, listLiveFiles } from "../store/liveFiles.ts";
import { createIndex, openWriter } from "../store/sqliteWriter.ts";
import type { Change, FileStat, IndexReader, IndexWriter } from "../store/store.ts";
import { EDIT_MS } from "../store/writeLock.ts";
import type { BuildReport, IndexerOptions, KnownIndex, OnProgress } from "./build.ts";
import {
	describeHistoryFault,
	findOtherAuthors,
	type GitMeta,
	haveHeadsMoved,
	indexBesideHistory,
	readGitHeads,
} from "./gitMeta.ts";
import { hasChanged, listFilesWithoutVectors, makeReaderCheck } from "./hasChanged.ts";
import { indexChanged } from "./indexChanged.ts";
import type { Outcome } from "./indexFiles.ts";
import { keepLastListing } from "./lastListed.ts";
import { readGivenRules } from "./parseSource.ts";
import { addRecords, isRecordPath } from "./recordFiles.ts";
import { carryLint, readUserData } from "./userData.ts";

/** Builds a new index next to the old one, which stays in use until the new one is complete. */
export async function buildIndex(options: IndexerOptions): Promise<BuildReport> {
	const given = await readGivenRules(options.build?.riskRules);
	return options.folder.hold((held) => build(held, given, options), options.lockWaitMs ?? EDIT_MS);
}

/** Updates the current index to match the files on disk. */
export async function updateIndex(options: IndexerOptions): Promise<BuildReport> {
	const given = await readGivenRules(options.build?.riskRules);
	return options.folder.hold((held) => updateHeld(held, given, options), options.lockWaitMs ?? EDIT_MS);
}

/** Builds the index anew in place of a damaged file, or updates it if another process has replaced that file. */
export async function repairIndex(options: IndexerOptions, damaged: string): Promise<BuildReport> {
	return options.folder.hold(
		(held) =>
			held.current() === damaged ? build(held, undefined, options, true) : updateHeld(held, undefined, options),
		options.lockWaitMs ?? EDIT_MS,
	);
}

async function updateHeld(held: HeldFolder, given: string | undefined, options: IndexerOptions): Promise<BuildReport> {
	const report = await update(held, given, options);
	if (report === "missing" || report === "damaged") return build(held, given, options, report === "damaged");
	held.forgetBegun();
	return report;
}

/** What users gave the old index stays, unless the caller says otherwise. */
async function build(
	held: HeldFolder,
	given: string | undefined,
	options: IndexerOptions,
	isOldDamaged = false,
): Promise<BuildReport> {
	const old = held.current();
	const user = readUserData(old);
	const rules = given ?? user.riskRules;
	const kept = { ...options, build: { ...options.build, blame: options.build?.blame ?? user.blame } };
	const file = held.next();
	prepareBuild(file, await buildKey(kept, rules));
	const report = await withWriter(openWriter(file), (writer) => run("build", writer, rules, noting(held, kept)));
	carryLint(user, old, file);
	const damaged = isOldDamaged || !user.whole ? old : undefined;
	held.use(file, damaged);
	const told = [...(damaged === undefined ? [] : [REBUILT]), ...(user.whole ? [] : [LOST])];
	return { ...report, warnings: [...report.warnings, ...told] };
}

const REBUILT = `the index was damaged and has been built again; the damaged file is kept beside it as ${DAMAGED_FILE}`;
const LOST =
	"the old index is damaged: if it had risk rules, line authors (--blame) or lint findings, give them to the new one again";

/** `missing` if there is no index, or it is of another version, or was built with other options. */
async function update(
	held: HeldFolder,
	given: string | undefined,
	options: IndexerOptions,
): Promise<BuildReport | "missing" | "damaged"> {
	const file = held.current();
	if (file === undefined) return "missing";
	const { known, ...rest } = options;
	const same = known?.file === file ? known : undefined;
	try {
		return await withWriter(openWriter(file, same?.segmentCache), async (writer) => {
			const rules = writer.reader.meta("riskRules") ?? "";
			const blame = hasLineAuthors(writer.reader);
			const model = writer.reader.meta("model") ?? "";
			const asBuilt =
				(given ?? rules) === rules &&
				(options.build?.blame ?? blame) === blame &&
				(options.embedder?.id ?? model) === model;
			if (!asBuilt) return "missing";
			return run("update", writer, rules, { ...noting(held, rest), build: { blame }, ...(same && { known: same }) });
		});
	} catch (error) {
		if (isIndexDamage(error) && options.mayRebuild !== false) return "damaged";
		if (error instanceof CleatsError && error.code === "NO_INDEX") return "missing";
		throw error;
	}
}

/** Records the build's progress in the lock, for other processes. */
function noting(held: HeldFolder, options: IndexerOptions): IndexerOptions {
	const onProgress: OnProgress = (progress) => {
		if (progress.phase === "index") held.note(progress);
		options.onProgress?.(progress);
	};
	return { ...options, onProgress };
}

/** Resumes an interrupted build only if this version began it with the same options. */
function prepareBuild(file: HeldFile, wanted: string): void {
	if (optionsOf(file) === wanted) return;
	for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
	createIndex(file, { options: wanted });
}

/** `undefined` if there is no index, or it is unreadable or of another version. */
function optionsOf(file: HeldFile): string | undefined {
	try {
		const writer = openWriter(file);
		const options = writer.reader.meta("options");
		writer.close();
		return options;
	} catch {
		return undefined;
	}
}

/** With blame the commit is part of it, because the authors of a file change without its text. */
async function buildKey({ root, build, embedder, signal }: IndexerOptions, rules: string): Promise<string> {
	const blame = build?.blame ?? false;
	const heads = blame ? await readGitHeads(root, signal) : undefined;
	return JSON.stringify({ blame, model: embedder?.id ?? "", rules, ...(heads && { heads }) });
}

async function withWriter<Value>(writer: IndexWriter, body: (writer: IndexWriter) => Promise<Value>): Promise<Value> {
	try {
		return await body(writer);
	} finally {
		writer.close();
	}
}

/** A change of more files than this checkpoints the write-ahead log. */
const SMALL_CHANGE = 50;

async function run(
	kind: BuildReport["kind"],
	writer: IndexWriter,
	rules: string,
	options: IndexerOptions,
): Promise<BuildReport> {
	const started = performance.now();
	const cpuBefore = process.cpuUsage();
	const known =
		kind === "update" && options.known?.generation === writer.reader.generation() ? options.known : undefined;
	const stats = known?.stats ?? new Map([...writer.reader.stats()].map((stat) => [stat.path, stat]));
	const source = writer.reader.meta("source");
	const found = await findAll(options, source, stats);
	const live = listLiveFiles(writer.reader.segments());
	const resumable = listLiveFiles(writer.pending());
	const heads = await readGitHeads(options.root, options.signal);
	const moved = haveHeadsMoved(heads, writer.reader);
	const reread = new Set(options.embedder && listFilesWithoutVectors(writer.reader, options.embedder.id));
	if (moved && options.build?.blame === true) {
		for (const path of await findOtherAuthors(options.root, heads, writer.reader, options.signal)) reread.add(path);
	}
	const isReadable = makeReaderCheck();
	let leftOut = 0;
	const suspects = found.files.filter((file) => {
		const stat = stats.get(file.path);
		const isAsked = reread.has(file.path) || (kind === "build" && !live.has(file.path));
		const isSuspect = isAsked || hasChanged(file, stat) || isReadable(stat);
		if (!isSuspect && stat !== undefined && stat.state !== "indexed") leftOut += 1;
		return isSuspect;
	});
	const gone = [...stats.keys()].filter((path) => !found.paths.has(path));
	const [outcome, git] = await indexBesideHistory(heads, writer.reader, options, (signal) =>
		indexChanged(suspects, writer, { live, resumable, reread }, rules, { ...options, signal }),
	);
	const dead = findDeadFiles(writer, live, [...gone, ...outcome.replaced], outcome.resumed);
	const nothing =
		outcome.stats.length === 0 &&
		gone.length === 0 &&
		kind === "update" &&
		!moved &&
		found.source === source &&
		git.branch === (writer.reader.meta("branch") ?? "");
	if (!nothing) {
		publish(writer, {
			publish: [...outcome.segments, ...new Set(outcome.resumed.map(({ segment }) => segment))],
			...dead,
			stats: outcome.stats,
			forget: gone,
			edited: outcome.edited,
			meta: { ...metaOf(kind, writer.reader, rules, git, options), source: found.source },
		});
		compactSegments(writer);
		if (kind === "build" || outcome.indexed > SMALL_CHANGE) writer.settle();
		if (known) bringForward(known, gone, outcome.stats, writer.reader.generation());
	}
	return {
		kind,
		files: fileCounts(found, outcome, { removed: gone.length, leftOut }),
		warnings: [...found.warnings, ...describeHistoryFault(git.historyFault)],
		chunks: outcome.chunks,
		bytes: outcome.bytes,
		resumedFiles: outcome.resumed.length,
		...costSince(started, cpuBefore),
	};
}

type Findings = Pick<Discovery, "source" | "skipped" | "warnings"> & {
	files: readonly FoundFile[];
	paths: Set<string>;
};

async function findAll(
	options: IndexerOptions,
	lastSource: string | undefined,
	indexed: ReadonlyMap<string, FileStat>,
): Promise<Findings> {
	const limits = {
		...(options.maxFileBytes !== undefined && { maxFileBytes: options.maxFileBytes }),
		...(options.signal && { signal: options.signal }),
	};
	const found = await (options.find?.(limits) ?? findFiles(options.root, limits));
	const discovery = await keepLastListing(found, lastSource, indexed.keys(), limits);
	const { files, unreadable } = addRecords(discovery.files, options.recordsDir);
	const standing = unreadable === undefined ? [] : [...indexed.keys()].filter(isRecordPath);
	const { source, skipped } = discovery;
	const warnings = unreadable === undefined ? discovery.warnings : [...discovery.warnings, unreadable];
	return { files, paths: new Set([...files.map(({ path }) => path), ...standing]), source, skipped, warnings };
}

function metaOf(
	kind: BuildReport["kind"],
	reader: IndexReader,
	riskRules: string,
	{ branch, head, submodules, historyMark, historyFault, files }: GitMeta,
	{ embedder }: IndexerOptions,
): Change["meta"] {
	const now = new Date().toISOString();
	return {
		...(kind === "build" && { builtAt: now, riskRules, model: embedder?.id ?? "" }),
		updatedAt: now,
		branch,
		head,
		submodules,
		historyMark,
		historyFault,
		...(files !== reader.meta("git") && { git: files }),
	};
}

/** Also discards the segments of an interrupted build that were not reused. */
function publish(writer: IndexWriter, change: Change): void {
	writer.publish(change);
	writer.discard(writer.pending().map(({ id }) => id));
}

/** Brings the caller's cached view up to the generation that was published. */
function bringForward(
	known: KnownIndex,
	gone: readonly string[],
	stats: readonly FileStat[],
	generation: number,
): void {
	for (const path of gone) known.stats.delete(path);
	for (const stat of stats) known.stats.set(stat.path, stat);
	known.generation = generation;
}

/** `leftOut` counts the files that were skipped before and have not changed since. */
function fileCounts(
	{ files, skipped }: Findings,
	outcome: Outcome,
	{ removed, leftOut }: { readonly removed: number; readonly leftOut: number },
): BuildReport["files"] {
	return {
		indexed: outcome.indexed,
		unchanged: files.length - outcome.indexed - outcome.skipped - leftOut,
		removed,
		skipped: outcome.skipped + leftOut + Object.values(skipped).reduce((sum, count) => sum + count, 0),
		unreadable: outcome.unreadable + skipped.unreadable,
	};
}

function costSince(
	started: number,
	cpuBefore: NodeJS.CpuUsage,
): Pick<BuildReport, "durationMs" | "cpuMs" | "peakRssBytes"> {
	const { user, system } = process.cpuUsage(cpuBefore);
	return {
		durationMs: Math.round(performance.now() - started),
		cpuMs: Math.round((user + system) / 1000),
		peakRssBytes: process.resourceUsage().maxRSS * 1024,
	};
}
