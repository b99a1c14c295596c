import { Block } from "./block";
import * as document from "./document";
import { clearPostings, expectPostings } from "./postings";
import { clearTerms, findTerm } from "./terms";
import * as trigrams from "./trigrams";
import * as words from "./words";

export { countBody, mark, markText, writeDocument } from "./document";
export { setSeed } from "./hashSlots";
export { orderedTerm, sortTerms } from "./order";
export { addPosting, countOf, encode, encodedAt, endRun, postingCount, sortPostings } from "./postings";
export { newTerm, termAt, termLength } from "./terms";
export {
	endFile,
	noteTrigrams,
	sortTrigrams,
	trigramCount,
	trigramEnd,
	trigramFilesAt,
	trigramStartsAt,
	trigramsAt,
} from "./trigrams";
export { foundAt, readWords, termsOfWord, wordAt, wordLength } from "./words";

/** Of a file's text, and of one that is read beside it. */
const text = new Block(1 << 17, false);
const aside = new Block(1 << 13, false);
/** Bytes; what a larger text took is let go with it. */
const MOST_KEPT: u32 = 1 << 21;

/** Where a text of so many units is put. */
export function textAt(units: u32): u32 {
	return roomFor(text, units << 1);
}

export function asideAt(units: u32): u32 {
	return roomFor(aside, units << 1);
}

function roomFor(block: Block, bytes: u32): u32 {
	if (block.size > MOST_KEPT && bytes <= MOST_KEPT) {
		heap.free(block.at);
		block.take(MOST_KEPT);
	}
	return block.room(bytes);
}

/** Where the host puts a term of the word it was asked to split. */
const TERM: u32 = <u32>memory.data(1 << 10);

export function termPutAt(): u32 {
	return TERM;
}

/** The word at hand is found by the term that was put there. */
export function addTermOfWord(length: u32): void {
	words.addTermOfWord(findTerm(TERM, length));
}

export function bodyLength(): u32 {
	return document.length;
}

export function twin(): u32 {
	return words.twin;
}

/** Where the host puts the steps of counts. */
export function stepsAt(): u32 {
	return document.STEPS;
}

/** Where the host puts the classes of characters. */
export function classesAt(): u32 {
	return trigrams.CLASSES;
}

/** Takes room for so many at once: what is never written to takes no memory, but what is outgrown leaves holes. */
export function expect(postings: u32, keys: u32): void {
	expectPostings(postings);
	trigrams.expectTrigrams(keys);
}

/** Forgets the segment. */
export function clear(): void {
	words.clearWords();
	clearTerms();
	clearPostings();
	trigrams.clearTrigrams();
}
