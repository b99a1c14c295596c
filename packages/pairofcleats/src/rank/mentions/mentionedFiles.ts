import { CHUNK_KINDS, type ChunkKind } from "../../parse/chunk.ts";
import type { Snapshot, SnapshotFile } from "../../store/snapshot.ts";
import type { Scores } from "../score/scores.ts";
import { dropExtension, type Mention, type Mentions, makeNameKey, type Place, SAME_END } from "./mentions.ts";

/** The files and lines of an index that a query names. */
export type Mentioned = {
	readonly files: ReadonlyMap<number, NamedFile>;
	/** The chunks at the named lines of these files. */
	readonly docs: ReadonlyMap<number, Pointed>;
};

/**
 * Certainty that the query names the file, and a line of it. Both are at most 1, and fall with the distance from the
 * failing frame.
 */
export type NamedFile = { readonly named: number; readonly placed: number };

export type Pointed = {
	readonly nearness: number;
	/** The named line. It may lie outside the chunk if the chunk was found by the function's name. */
	readonly line: number;
};

/** Each frame away from the failing one lowers the weight, down to a minimum. */
const PER_FRAME = 0.15;
const FURTHEST = 0.4;
const NOTHING: Mentioned = { files: new Map(), docs: new Map() };

/**
 * Finds the files that a query names. Frames of other packages are skipped, so the first frame in this repository
 * counts as the failing one.
 */
export function findMentionedFiles(snapshot: Snapshot, mentions: Mentions | undefined, allowed: Uint8Array): Mentioned {
	if (mentions === undefined) return NOTHING;
	const found = findMentions(snapshot, mentions);
	const nearness = nearnessOf([...found.values()]);
	const surestOf = surestPlaces([...found.values()]);
	const files = new Map<number, NamedFile>();
	const docs = new Map<number, Pointed>();
	for (const [number, { sureness, frame, places }] of found) {
		const file = snapshot.files[number];
		if (!file) continue;
		let surest = sureness;
		let placed = 0;
		for (const { place, sureness: sure } of places) {
			// `core/src/lib.rs:3` does not name a line of every other `src/lib.rs`.
			if (sure < (surestOf.get(place) ?? 0)) continue;
			const target = chunkAt(file, place, allowed);
			if (target === undefined || (place.byMethod && !target.sure)) continue;
			// Having the named function or line makes a file a surer match than its name alone.
			if (target.sure) surest = Math.max(surest, SAME_END);
			const near = nearness(place.frame);
			placed = Math.max(placed, near);
			if (near > (docs.get(target.doc)?.nearness ?? 0)) docs.set(target.doc, { nearness: near, line: place.line });
		}
		if (surest > 0) files.set(number, { named: surest * nearness(frame), placed: surest < SAME_END ? 0 : placed });
	}
	return { files, docs };
}

/** How the query names each file that it may name. */
function findMentions(snapshot: Snapshot, mentions: Mentions): ReadonlyMap<number, Mention> {
	const byName = filesByName(snapshot);
	const found = new Map<number, Mention>();
	for (const number of mentions.names.flatMap((name) => byName.get(name) ?? [])) {
		const mention = mentions.of(snapshot.files[number]?.path ?? "");
		if (mention) found.set(number, mention);
	}
	return found;
}

/** A text with more names, or a name that more files have, asks for none of them in particular. */
const MOST_SHOWN = 5;

/** Files that the query names are found even if they have none of its words. */
export function addMentioned(
	{ files, docs }: Mentioned,
	snapshot: Snapshot,
	allowed: Uint8Array,
	scores: Scores,
): void {
	if (files.size > MOST_SHOWN) return;
	for (const number of files.keys()) {
		const { first = 0, docs: count = 0 } = snapshot.files[number] ?? {};
		const range = Array.from({ length: count }, (_, place) => first + place).filter((doc) => allowed[doc] === 1);
		if (range.some((doc) => scores.docs[doc] !== 0 || docs.has(doc))) continue;
		for (const doc of range.slice(0, 1)) scores.add(doc, number, NAMED_ALONE);
	}
}

/** Below every score that words give. */
const NAMED_ALONE = 1e-6;

/**
 * The documents to search for a query that says no mode: also those of records that it names, as in `what is in
 * notes.jsonl`, which such a search would leave out.
 */
export function addNamedRecords(counted: Uint8Array, snapshot: Snapshot, mentions: Mentions | undefined): Uint8Array {
	const { files } = findMentionedFiles(snapshot, mentions, snapshot.alive);
	if (files.size === 0 || files.size > MOST_SHOWN) return counted;
	const wider = counted.slice();
	for (const number of files.keys()) {
		const file = snapshot.files[number];
		if (file?.alive && file.mode === "records") wider.fill(1, file.first, file.first + file.docs);
	}
	return wider;
}

/** For each place, the highest certainty that any file has for it. */
function surestPlaces(mentions: readonly Mention[]): ReadonlyMap<Place, number> {
	const surest = new Map<Place, number>();
	for (const { places } of mentions)
		for (const { place, sureness } of places) surest.set(place, Math.max(surest.get(place) ?? 0, sureness));
	return surest;
}

/** Safe to cache: a snapshot never changes. */
const NAMES = new WeakMap<Snapshot, ReadonlyMap<string, readonly number[]>>();

/** Files by name, with and without extension. */
function filesByName(snapshot: Snapshot): ReadonlyMap<string, readonly number[]> {
	const known = NAMES.get(snapshot);
	if (known) return known;
	const byName = new Map<string, number[]>();
	for (const [number, { path, alive }] of snapshot.files.entries()) {
		if (!alive) continue;
		const fileName = path.slice(path.lastIndexOf("/") + 1);
		for (const name of new Set([makeNameKey(fileName), dropExtension(fileName)])) {
			const files = byName.get(name);
			if (files) files.push(number);
			else byName.set(name, [number]);
		}
	}
	NAMES.set(snapshot, byName);
	return byName;
}

/** Weights a frame by its position among the frames that name a file of this repository. */
function nearnessOf(mentions: readonly Mention[]): (frame: number) => number {
	const own = new Set<number>();
	for (const { sureness, frame, places } of mentions) {
		const isOwn = sureness >= SAME_END || places.some(({ place }) => place.byMethod);
		if (isOwn) for (const one of [frame, ...places.map(({ place }) => place.frame)]) own.add(one);
	}
	const order = [...own].sort((a, b) => a - b);
	return (frame) => {
		const before = order.findIndex((one) => one >= frame);
		return Math.max(FURTHEST, 1 - PER_FRAME * (before < 0 ? order.length : before));
	};
}

/** The kinds that a frame runs in. A class is not one: the frame is in its method. */
const RUNS: ReadonlySet<ChunkKind> = new Set(["function", "method", "constructor", "macro", "test"]);

/**
 * The chunk at a line, or the nearest one if the line is between chunks. If that is not the function that the frame
 * names but another chunk is, the nearest chunk of that name: the trace then comes from another version of the file.
 */
function chunkAt(
	file: SnapshotFile,
	{ line, names }: Place,
	allowed: Uint8Array,
): { doc: number; sure: boolean } | undefined {
	const { startLine, endLine, kind } = file.segment.columns;
	const table = file.segment.names();
	let holding: { doc: number; lines: number } | undefined;
	let nearest: { doc: number; away: number } | undefined;
	let named: { doc: number; away: number } | undefined;
	for (let doc = file.first; doc < file.first + file.docs; doc++) {
		if (allowed[doc] !== 1) continue;
		const local = doc - file.segment.base;
		const [start, end] = [startLine[local] ?? 0, endLine[local] ?? 0];
		const away = Math.max(0, start - line, line - end);
		const isNamed = RUNS.has(CHUNK_KINDS[kind[local] ?? 0] ?? "block") && names.has(table.at(local));
		if (isNamed && away < (named?.away ?? Number.POSITIVE_INFINITY)) named = { doc, away };
		if (away > 0 && away < (nearest?.away ?? Number.POSITIVE_INFINITY)) nearest = { doc, away };
		if (away > 0 || end - start >= (holding?.lines ?? Number.POSITIVE_INFINITY)) continue;
		holding = { doc, lines: end - start };
	}
	if (named && named.away > 0) return { doc: named.doc, sure: true };
	if (holding) return { doc: holding.doc, sure: named !== undefined || names.size === 0 };
	return nearest && { doc: nearest.doc, sure: false };
}
