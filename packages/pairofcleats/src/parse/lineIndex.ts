/** Maps offsets of a text to 1-based lines and back. A line ends after its `\n`. */
export class LineIndex {
	readonly text: string;
	readonly #starts: Int32Array;
	readonly count: number;

	constructor(text: string) {
		this.text = text;
		const starts: number[] = [0];
		for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
		this.#starts = Int32Array.from(starts);
		this.count = text.endsWith("\n") ? starts.length - 1 : starts.length;
	}

	lineAt(offset: number): number {
		let low = 0;
		let high = this.#starts.length - 1;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if ((this.#starts[middle] ?? 0) <= offset) low = middle;
			else high = middle - 1;
		}
		return low + 1;
	}

	startOf(line: number): number {
		return this.#starts[line - 1] ?? this.text.length;
	}

	/** Offset just past the line, its newline included. */
	endOf(line: number): number {
		return this.#starts[line] ?? this.text.length;
	}

	lineText(line: number): string {
		return this.text.slice(this.startOf(line), this.endOf(line));
	}

	/** How many blank characters the line begins with; infinite for a blank line. */
	indentOf(line: number): number {
		const at = this.lineText(line).search(/\S/);
		return at < 0 ? Number.POSITIVE_INFINITY : at;
	}
}
