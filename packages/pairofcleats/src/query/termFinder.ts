import { stemWord } from "../tokens/wordForms.ts";
import { isLoneLetter, splitIdentifier, splitIntoWords } from "../tokens/words.ts";

/** Classes of ASCII characters: 0 outside words, then letters ignoring case, digits, and joining characters. */
const CLASS = new Uint8Array(128);
for (const [index, letter] of [..."abcdefghijklmnopqrstuvwxyz0123456789"].entries()) {
	CLASS[letter.charCodeAt(0)] = index + 1;
	CLASS[letter.toUpperCase().charCodeAt(0)] = index + 1;
}
const JOINT = 37;
for (const joint of "_$") CLASS[joint.charCodeAt(0)] = JOINT;
const FIRST_DIGIT = 27;

/**
 * Counts the query's terms in lines. Few words contain a term, and checking three letters rules out most words before
 * they are extracted and split.
 */
export class TermFinder {
	readonly #numbers: ReadonlyMap<string, number>;
	readonly #known = new Map<string, readonly number[]>();
	/** For each term, the last line that contained it. */
	readonly #seen: Uint32Array;
	/** Terms that are a single letter of a script without spaces; they also count inside words. */
	readonly #letters: readonly string[];
	/** Marks the first three letters of every term; a stem begins with the same letters as its word. */
	readonly #marks = new Uint8Array(1 << 12);
	/** Whether a word of one or two letters can be a term. */
	readonly #short: boolean;
	#line = 0;

	constructor(terms: readonly string[]) {
		this.#numbers = new Map(terms.map((term, number) => [term, number]));
		this.#seen = new Uint32Array(terms.length);
		this.#letters = terms.filter(isLoneLetter);
		this.#short = terms.some(({ length }) => length < 3);
		for (const term of terms) this.#mark(term);
	}

	/** The number of distinct terms between two offsets of a text. */
	countIn(text: string, from: number, to: number): number {
		if (this.#seen.length === 0) return 0;
		this.#line += 1;
		let count = 0;
		for (let at = from; at < to; ) {
			const code = text.charCodeAt(at);
			if (code > 127) return count + this.#countWords(splitIntoWords(text.slice(at, to)));
			const first = CLASS[code] ?? 0;
			if (first === 0) {
				at += 1;
				continue;
			}
			const start = at;
			const isNumber = first >= FIRST_DIGIT && first < JOINT;
			let three = 0;
			let letters = 0;
			let likely = false;
			for (; at < to; at++) {
				const next = text.charCodeAt(at);
				// Non-ASCII: fall back to the word pattern for the rest of the line, from the start of this word.
				if (next > 127) return count + this.#countWords(splitIntoWords(text.slice(start, to)));
				const kind = CLASS[next] ?? 0;
				if (kind === 0 || (isNumber && (kind < FIRST_DIGIT || kind === JOINT))) break;
				if (kind === JOINT) continue;
				three = ((three << 6) | kind) & 0x3ffff;
				letters += 1;
				if (letters > 2 && this.#marks[slot(three)] === 1) likely = true;
			}
			if (likely || (letters < 3 && this.#short)) count += this.#count(text.slice(start, at));
		}
		return count;
	}

	#countWords(words: readonly string[]): number {
		let count = 0;
		for (const word of words) count += this.#count(word);
		return count;
	}

	/** The number of the word's terms that are new on this line. */
	#count(word: string): number {
		let count = 0;
		for (const number of this.#known.get(word) ?? this.#split(word)) {
			if (this.#seen[number] === this.#line) continue;
			this.#seen[number] = this.#line;
			count += 1;
		}
		return count;
	}

	#split(word: string): readonly number[] {
		const parts = splitIdentifier(word);
		const found: number[] = [];
		const look = (term: string): void => {
			const number = this.#numbers.get(term);
			if (number !== undefined) found.push(number);
		};
		for (const part of parts) look(stemWord(part));
		if (parts.length > 1) look(parts.join(""));
		for (const letter of this.#letters) if (word.includes(letter)) look(letter);
		this.#known.set(word, found);
		return found;
	}

	/** A two-letter term can have any letter before or after it; a single letter can be anywhere. */
	#mark(term: string): void {
		const a = CLASS[term.charCodeAt(0)] ?? 0;
		const b = CLASS[term.charCodeAt(1)] ?? 0;
		const c = CLASS[term.charCodeAt(2)] ?? 0;
		if (term.length < 2) this.#marks.fill(1);
		else if (term.length > 2) this.#marks[slot((a << 12) | (b << 6) | c)] = 1;
		else {
			for (let any = 1; any < JOINT; any++) {
				this.#marks[slot((a << 12) | (b << 6) | any)] = 1;
				this.#marks[slot((any << 12) | (a << 6) | b)] = 1;
			}
		}
	}
}

function slot(three: number): number {
	return Math.imul(three, 0x9e3779b1) >>> 20;
}
