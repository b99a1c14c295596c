import type { Ranked } from "../../rank/chooseFiles.ts";
import type { Ranking } from "../../rank/rankHits.ts";
import { locateDocument, type Snapshot } from "../../store/snapshot.ts";

export type Folded = Ranked & { readonly twins: readonly number[] };

/** A licence that every file has should not list all of them. */
const MOST_TWINS = 50;

/**
 * Returns the requested page of results. Copies of the same text, and pieces of one long line, fold into the first of
 * them.
 */
export function foldTwins(
	ranking: Ranking,
	snapshot: Snapshot,
	offset: number,
	top: number,
): { hits: Folded[]; hasMore: boolean } {
	const end = offset + top;
	const folded = firstFolded(ranking, snapshot, end + 1);
	return {
		hits: folded.slice(offset, end).map((hit) => ({ ...hit, twins: twinsOf(hit.doc, ranking, snapshot) })),
		hasMore: folded.length > end,
	};
}

/** The first `wanted` results that are not copies of an earlier one. */
function firstFolded(ranking: Ranking, snapshot: Snapshot, wanted: number): Ranked[] {
	for (let most = 2 * wanted; ; most *= 4) {
		const ranked = ranking.first(most);
		const seen = new Set<number>();
		const lines = new Set<string>();
		const folded: Ranked[] = [];
		for (const hit of ranked) {
			if (folded.length === wanted) break;
			const twin = readTwin(snapshot, hit.doc);
			if (twin !== undefined && seen.has(twin)) continue;
			const line = longLineOf(snapshot, hit.doc);
			if (line !== undefined && lines.has(line)) continue;
			if (twin !== undefined) seen.add(twin);
			if (line !== undefined) lines.add(line);
			folded.push(hit);
		}
		if (folded.length === wanted || ranked.length < most) return folded;
	}
}

/** A key for the pieces of a line that is too long for one chunk: all have the same place. */
function longLineOf(snapshot: Snapshot, doc: number): string | undefined {
	const { segment, local } = locateDocument(snapshot, doc);
	const { startLine, endLine, end, kind } = segment.columns;
	const line = startLine[local] ?? 0;
	// A comment beside code is a result of its own. It is stored without its place.
	const isPiece = endLine[local] === line && end[local] !== 0 && segment.names().at(local) === "";
	return isPiece ? `${snapshot.fileOf[doc]}:${line}:${kind[local]}` : undefined;
}

/** The other results with the same text, by path and line. */
function twinsOf(doc: number, ranking: Ranking, snapshot: Snapshot): number[] {
	const twin = readTwin(snapshot, doc);
	if (twin === undefined) return [];
	const pathOf = (copy: number): string => snapshot.files[snapshot.fileOf[copy] ?? 0]?.path ?? "";
	return listCopies(twin, snapshot)
		.filter((copy) => copy !== doc && ranking.has(copy))
		.sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : pathOf(a) > pathOf(b) ? 1 : a - b))
		.slice(0, MOST_TWINS);
}

/** Shorter chunks are equal by chance. */
const LEAST_WORDS = 12;

/** A hash that all copies of a chunk share; `undefined` for a chunk that is too short. */
function readTwin(snapshot: Snapshot, doc: number): number | undefined {
	const { segment, local } = locateDocument(snapshot, doc);
	const { length, twinLow, twinHigh } = segment.columns;
	return (length[local] ?? 0) >= LEAST_WORDS ? (twinHigh[local] ?? 0) * HIGH + (twinLow[local] ?? 0) : undefined;
}

const HIGH = 2 ** 32;

/**
 * All chunks with the same text, if there are at least two. Scans the columns, because a table of copies would have to
 * be rebuilt after every edit.
 */
function listCopies(twin: number, snapshot: Snapshot): number[] {
	const low = twin % HIGH;
	if (!mayRepeat(low, snapshot)) return [];
	const high = Math.floor(twin / HIGH);
	const copies: number[] = [];
	for (const { base, columns } of snapshot.segments) {
		const { length, twinLow, twinHigh } = columns;
		for (let local = twinLow.indexOf(low); local !== -1; local = twinLow.indexOf(low, local + 1)) {
			if (twinHigh[local] === high && (length[local] ?? 0) >= LEAST_WORDS) copies.push(base + local);
		}
	}
	return copies;
}

/** The bit table is built only after this many lookups; a single command never gets there. */
const LOOKS_BEFORE_BITS = 32;
/** Bits per chunk, so that few texts share a bit by chance. */
const BITS_A_CHUNK = 16;

type Repeated = { looks: number; bits: Uint8Array | undefined };
const known = new WeakMap<Snapshot, Repeated>();

/** Most texts have no copy, and one bit tells so without a scan. */
function mayRepeat(low: number, snapshot: Snapshot): boolean {
	const repeated = known.get(snapshot) ?? { looks: 0, bits: undefined };
	known.set(snapshot, repeated);
	repeated.looks += 1;
	if (repeated.looks > LOOKS_BEFORE_BITS) repeated.bits ??= repeatedBits(snapshot);
	const { bits } = repeated;
	return bits === undefined || ((bits[(low >>> 3) & (bits.length - 1)] ?? 0) & (1 << (low & 7))) !== 0;
}

function repeatedBits({ segments, docs }: Snapshot): Uint8Array {
	const once = new Uint8Array(2 ** Math.ceil(Math.log2(Math.max(1, (docs * BITS_A_CHUNK) / 8))));
	const twice = new Uint8Array(once.length);
	for (const { columns } of segments) {
		for (const low of columns.twinLow) {
			const at = (low >>> 3) & (once.length - 1);
			const bit = 1 << (low & 7);
			const before = once[at] ?? 0;
			once[at] = before | bit;
			twice[at] = (twice[at] ?? 0) | (before & bit);
		}
	}
	return twice;
}
