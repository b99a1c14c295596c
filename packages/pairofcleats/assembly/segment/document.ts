import { Block } from "./block";
import { addPosting, endRun } from "./postings";
import { termCount } from "./terms";
import { foundAt, readWords, termsOfWord, wordCount } from "./words";

// Collects the terms of one document at a time.

/** Bits of a term's state: its count in the body, a bit that marks it as seen, and the fields that contain it. */
const COUNT: u32 = 0xffffff;
const MET: u32 = 1 << 24;
const FIELD_SHIFT: u32 = 24;
const FIELDS: u32 = 0xf0;

/** State by term; zero if the document does not contain it. */
const states = new Block(1 << 16, true);
const touched = new Block(1 << 14, false);
let touchedCount: u32 = 0;
/** Count by word, and the words seen: terms are processed once per distinct word. */
const wordCounts = new Block(1 << 16, true);
const metWords = new Block(1 << 14, false);

/** The step of each count, see `countToStep`; the last entry covers all greater counts. */
export const STEPS: u32 = <u32>memory.data(64);
const MOST_STEPPED: u32 = 63;

/** Counts the terms of a text range; returns the number of words. */
export function countBody(from: u32, to: u32): u32 {
	const read = readWords(from, to);
	const found = foundAt();
	const counts = wordCounts.room(wordCount() << 2);
	const met = metWords.room(read << 2);
	states.room(termCount() << 2);
	let metCount: u32 = 0;
	for (let index: u32 = 0; index < read; index++) {
		const word = load<u32>(found + (index << 2));
		const count = counts + (word << 2);
		const before = load<u32>(count);
		store<u32>(count, before + 1);
		if (before === 0) store<u32>(met + (metCount++ << 2), word);
	}
	length = 0;
	for (let index: u32 = 0; index < metCount; index++) {
		const word = load<u32>(met + (index << 2));
		const count = counts + (word << 2);
		const times = load<u32>(count);
		store<u32>(count, 0);
		const last = termsOfWord(word + 1);
		const first = termsOfWord(word);
		for (let at = first; at < last; at += 4) {
			const term = load<u32>(at);
			store<u32>(stateOf(term), meet(term) + times);
		}
		length += times * (<u32>(last - first) >> 2);
	}
	return read;
}

/** Number of terms in the body that was counted last. */
export let length: u32 = 0;

/** Marks the words of a text as present in a field of the document. */
export function markText(from: u32, to: u32, field: u32): void {
	const read = readWords(from, to);
	const found = foundAt();
	for (let index: u32 = 0; index < read; index++) {
		const word = load<u32>(found + (index << 2));
		const last = termsOfWord(word + 1);
		for (let at = termsOfWord(word); at < last; at += 4) mark(load<u32>(at), field);
	}
}

/** Marks a term as present in the document, and in the given fields. */
export function mark(term: u32, fields: u32): void {
	states.room(termCount() << 2);
	store<u32>(stateOf(term), meet(term) | (fields << FIELD_SHIFT));
}

/** Writes each term of the document once, and resets for the next document. */
export function writeDocument(document: u32): void {
	for (let index: u32 = 0; index < touchedCount; index++) {
		const term = load<u32>(touched.at + (index << 2));
		const state = load<u32>(stateOf(term));
		const step = load<u8>(STEPS + min(state & COUNT, MOST_STEPPED));
		addPosting(term, step | ((state >> FIELD_SHIFT) & FIELDS));
		store<u32>(stateOf(term), 0);
	}
	touchedCount = 0;
	endRun(document);
}

function stateOf(term: u32): u32 {
	return states.at + (term << 2);
}

/** The state of a term, which is marked as seen. */
function meet(term: u32): u32 {
	const state = load<u32>(stateOf(term));
	if (state !== 0) return state;
	store<u32>(touched.room((touchedCount + 1) << 2) + (touchedCount << 2), term);
	touchedCount += 1;
	return MET;
}
