/** Keeps the first `limit` UTF-16 units of what is appended and says once that the rest was dropped. */
export class CappedText {
	readonly #limit: number;
	readonly #parts: string[] = [];
	#length = 0;
	#truncated: boolean = false;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Returns the part that was kept. */
	append(text: string): string {
		const room = this.#limit - this.#length;
		const kept = text.length <= room ? text : wholeCharacters(text, room);
		if (kept.length < text.length) {
			this.#truncated = true;
			this.#length = this.#limit;
		} else this.#length += kept.length;
		if (kept !== "") this.#parts.push(kept);
		return kept;
	}

	get full(): boolean {
		return this.#length >= this.#limit;
	}

	toString(): string {
		const text = this.#parts.join("");
		return this.#truncated ? `${text}\n[output truncated at ${this.#limit} characters]` : text;
	}
}

/** Never leaves half of a surrogate pair at the cut. */
function wholeCharacters(text: string, length: number): string {
	const last = text.charCodeAt(length - 1);
	return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
