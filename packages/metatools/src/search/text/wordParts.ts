const MIN_PART = 4;
// The part must be a large share of the word, or matches are accidental, like "late" in "chocolate".
const HEAD_SHARE = 0.5;
const TAIL_SHARE = 0.6;

/** Finds words that contain one another ("subfolder" and "folder", "reboot" and "boot") by lookup, without a scan. */
export class WordParts {
	/** Whole words, not their stems: parts of words show only there. */
	readonly #known = new Set<string>();
	#forwards: readonly string[] | undefined;
	#backwards: readonly string[] | undefined;

	add(word: string): void {
		if (word.length >= MIN_PART) this.#known.add(word);
	}

	get known(): ReadonlySet<string> {
		return this.#known;
	}

	/** The known words that hold this one or are held in it. */
	of(word: string): readonly string[] {
		if (word.length < MIN_PART) return [];
		const found = new Set<string>();
		for (let length = Math.max(MIN_PART, Math.ceil(word.length * HEAD_SHARE)); length <= word.length; length++)
			if (this.#known.has(word.slice(0, length))) found.add(word.slice(0, length));
		for (let length = Math.max(MIN_PART, Math.ceil(word.length * TAIL_SHARE)); length <= word.length; length++)
			if (this.#known.has(word.slice(-length))) found.add(word.slice(-length));
		this.#forwards ??= [...this.#known].sort();
		for (const longer of startingWith(this.#forwards, word, word.length / HEAD_SHARE)) found.add(longer);
		this.#backwards ??= [...this.#known].map(reversed).sort();
		for (const longer of startingWith(this.#backwards, reversed(word), word.length / TAIL_SHARE))
			found.add(reversed(longer));
		return [...found];
	}
}

function* startingWith(sorted: readonly string[], start: string, maxLength: number): Generator<string> {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((sorted[middle] ?? "") < start) low = middle + 1;
		else high = middle;
	}
	for (let at = low; sorted[at]?.startsWith(start); at++) {
		const word = sorted[at] ?? "";
		if (word.length <= maxLength) yield word;
	}
}

function reversed(word: string): string {
	return word.split("").reverse().join("");
}
