import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Known words, whether or not the index has them. */
export type Dictionary = { has(word: string): boolean };

const WORD = /^[a-z]{2,32}$/;
const MOST_BYTES = 16 * 1024 * 1024;

/** The word lists installed in the cache. Each search checks for changes; a list is read when it is first needed. */
export class InstalledDictionary {
	readonly #folder: string;
	#state: { readonly changedMs: number; readonly dictionary: Dictionary } | undefined;

	constructor(cacheRoot: string) {
		this.#folder = join(cacheRoot, "dictionaries");
	}

	/** When a list was last added or removed. */
	installedMs(): number | undefined {
		return statSync(this.#folder, { throwIfNoEntry: false })?.mtimeMs;
	}

	/** `undefined` if none is installed. Lists installed later are picked up. */
	current(): Dictionary | undefined {
		const changedMs = this.installedMs();
		if (changedMs === undefined) return undefined;
		if (this.#state?.changedMs !== changedMs) this.#state = { changedMs, dictionary: lazily(() => this.#read()) };
		return this.#state.dictionary;
	}

	#read(): Dictionary {
		let left = MOST_BYTES;
		const words: string[] = [];
		for (const name of readdirSync(this.#folder).sort()) {
			const path = join(this.#folder, name);
			const size = name.endsWith(".txt") ? statSync(path, { throwIfNoEntry: false })?.size : undefined;
			if (size === undefined || size > left) continue;
			left -= size;
			for (const line of readFileSync(path, "utf8").split(/\s+/)) if (WORD.test(line)) words.push(line);
		}
		return sortedWords(words.sort());
	}
}

function lazily(read: () => Dictionary): Dictionary {
	let dictionary: Dictionary | undefined;
	return {
		has: (word) => {
			dictionary ??= read();
			return dictionary.has(word);
		},
	};
}

/** One string plus the offset of each word takes a tenth of the memory of a set of strings. */
function sortedWords(words: readonly string[]): Dictionary {
	const text = words.join("\n");
	const starts = new Uint32Array(words.length + 1);
	for (const [index, word] of words.entries()) starts[index + 1] = (starts[index] ?? 0) + word.length + 1;
	return {
		has: (word) => {
			let low = 0;
			let high = starts.length - 2;
			while (low <= high) {
				const middle = (low + high) >>> 1;
				const found = text.slice(starts[middle], (starts[middle + 1] ?? 0) - 1);
				if (found === word) return true;
				if (found < word) low = middle + 1;
				else high = middle - 1;
			}
			return false;
		},
	};
}
