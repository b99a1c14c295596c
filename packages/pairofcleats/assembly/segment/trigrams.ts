import { Block, lists } from "./block";

/** Trigrams are numbers below this: three classes of six bits. */
const COUNT: u32 = 1 << 18;
const CLASS_BITS: u32 = 6;
/** The class of all non-ASCII characters. */
const BEYOND: u32 = 63;

/** The class of each ASCII character, see `classOf`. */
export const CLASSES: u32 = <u32>memory.data(128);

/** A bit for each trigram of the current file: small enough for the processor's cache. */
const SEEN: u32 = <u32>memory.data(1 << 15);
/** The trigrams of all files, concatenated. */
const keys = new Block(1 << 18, false);
let length: u32 = 0;
/** By file, the end of its trigrams. Skipped files have none. */
const ends = new Block(1 << 10, false);
let fileCount: u32 = 0;

/** Size of the table of starts, by trigram; the file lists follow it. */
const STARTS_BYTES: u32 = (COUNT + 2) << 2;

export function trigramCount(): u32 {
	return length;
}

export function trigramsAt(): u32 {
	return keys.at;
}

/** The end of a file's trigrams. */
export function trigramEnd(file: u32): u32 {
	return load<u32>(ends.at + (file << 2));
}

/** Files must come in ascending order. */
export function endFile(file: u32): void {
	const at = ends.room((file + 1) << 2);
	const before = fileCount === 0 ? 0 : load<u32>(at + ((fileCount - 1) << 2));
	for (; fileCount < file; fileCount++) store<u32>(at + (fileCount << 2), before);
	store<u32>(at + (fileCount++ << 2), length);
}

/** Records each distinct trigram of a file's text. */
export function noteTrigrams(from: u32, to: u32): void {
	memory.fill(SEEN, 0, COUNT >> 3);
	let key: u32 = to - from < 4 ? 0 : (classAt(from) << CLASS_BITS) | classAt(from + 2);
	for (let at = from + 4; at < to; at += 2) {
		key = ((key << CLASS_BITS) | classAt(at)) & (COUNT - 1);
		const place = SEEN + ((key >> 5) << 2);
		const some = load<u32>(place);
		const bit = (<u32>1) << (key & 31);
		if ((some & bit) !== 0) continue;
		store<u32>(place, some | bit);
		const index = length++;
		store<u32>(keys.room((index + 1) << 2) + (index << 2), key);
	}
}

function classAt(at: u32): u32 {
	const unit = <u32>load<u16>(at);
	return unit < 128 ? <u32>load<u8>(CLASSES + unit) : BEYOND;
}

/** Sorts files by trigram, with a counting sort. */
export function sortTrigrams(): void {
	const at = lists.room(STARTS_BYTES + (length << 1));
	memory.fill(at, 0, STARTS_BYTES);
	for (let index: u32 = 0; index < length; index++) {
		// Offset by two, because filling the lists moves each start forward by one.
		const slot = at + (load<u32>(keys.at + (index << 2)) << 2) + 8;
		store<u32>(slot, load<u32>(slot) + 1);
	}
	for (let slot = at + 8; slot < at + (COUNT << 2); slot += 4)
		store<u32>(slot, load<u32>(slot) + load<u32>(slot, 4), 4);
	const out = at + STARTS_BYTES;
	let index: u32 = 0;
	for (let file: u32 = 0; file < fileCount; file++) {
		for (const end = trigramEnd(file); index < end; index++) {
			const slot = at + (load<u32>(keys.at + (index << 2)) << 2) + 4;
			const place = load<u32>(slot);
			store<u32>(slot, <u32>place + 1);
			store<u16>(out + (place << 1), file);
		}
	}
}

export function trigramStartsAt(): u32 {
	return lists.at;
}

export function trigramFilesAt(): u32 {
	return lists.at + STARTS_BYTES;
}

export function expectTrigrams(count: u32): void {
	keys.room(count << 2);
}

export function clearTrigrams(): void {
	length = 0;
	fileCount = 0;
}
