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

/** Memory for a file's text, and for another text loaded next to it. */
const text = new Block(1 << 17, false);
const aside = new Block(1 << 13, false);
/** Larger memory is released when the next text is smaller. */
const MOST_KEPT: u32 = 1 << 21;

/** Makes room for a text of this many UTF-16 units and returns its address. */
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

/** Where the host writes a term of the word it was asked to split. */
const TERM: u32 = <u32>memory.data(1 << 10);

export function termPutAt(): u32 {
	return TERM;
}

/** Adds the term written there to the current word. */
export function addTermOfWord(length: u32): void {
	words.addTermOfWord(findTerm(TERM, length));
}

export function bodyLength(): u32 {
	return document.length;
}

export function twinLow(): u32 {
	return <u32>words.twin;
}

/** As many bits as a number of JavaScript has above 32. */
export function twinHigh(): u32 {
	return <u32>(words.twin >> 43);
}

/** Where the host writes the steps of counts. */
export function stepsAt(): u32 {
	return document.STEPS;
}

/** Where the host writes the classes of characters. */
export function classesAt(): u32 {
	return trigrams.CLASSES;
}

/** Reserves memory up front: untouched memory costs nothing, while growing step by step leaves holes in the heap. */
export function expect(postings: u32, keys: u32): void {
	expectPostings(postings);
	trigrams.expectTrigrams(keys);
}

/** Resets for the next segment. */
export function clear(): void {
	words.clearWords();
	clearTerms();
	clearPostings();
	trigrams.clearTrigrams();
}
