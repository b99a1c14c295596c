import { locate, type Snapshot } from "../store/snapshot.ts";

/** Shorter chunks are equal by chance. */
const LEAST_WORDS = 12;

/** A hash that all copies of a chunk share; `undefined` for a chunk that is too short. */
export function twinOf(snapshot: Snapshot, doc: number): number | undefined {
	const { segment, local } = locate(snapshot, doc);
	const { length, twinLow, twinHigh } = segment.columns;
	return (length[local] ?? 0) >= LEAST_WORDS ? (twinHigh[local] ?? 0) * HIGH + (twinLow[local] ?? 0) : undefined;
}

const HIGH = 2 ** 32;

/**
 * All chunks with the same text, if there are at least two. Scans the columns, because a table of copies would have to
 * be rebuilt after every edit.
 */
export function copiesOf(twin: number, snapshot: Snapshot): number[] {
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
