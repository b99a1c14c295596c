const MOST_TOLD = 3;
const MOST_KEPT = 200;
const LONGEST = 300;
const LAST_MS = 5_000;
const TELLING = /^\S.*(?:error|exception|fatal|panic|cannot|can't|could not|not found|no such|denied|refused|usage)/i;
/** Stack frames, rulers and farewells say nothing of the cause. */
const NOISE = /^\s*(?:at |[\s\p{P}\p{S}]*$|Node\.js v)|complete log of this run/u;

/** What a server printed lately, and what of it tells why it ended: dumps are long, and the cause stands before them. */
export class LastWords {
	#lines: { readonly at: number; readonly line: string }[] = [];

	add(line: string): void {
		if (NOISE.test(line)) return;
		this.#lines.push({ at: performance.now(), line: line.slice(0, LONGEST) });
		if (this.#lines.length > MOST_KEPT) this.#lines.shift();
	}

	/** What it said while it could not be connected; empty where that was nothing. */
	take(): string {
		const lines = this.#lines.map(({ line }) => line);
		this.#lines = [];
		const telling = lines.filter((line) => TELLING.test(line));
		return saying(telling.length > 0 ? telling : lines);
	}

	/** What it said as it ended: of what a server prints while it runs, most says nothing of its end. */
	takeOfEnd(): string {
		const end = performance.now() - LAST_MS;
		const lines = this.#lines.filter(({ at, line }) => at >= end && TELLING.test(line)).map(({ line }) => line);
		this.#lines = [];
		return saying(lines);
	}
}

function saying(lines: readonly string[]): string {
	// Each worker that was tried says the same.
	const told = [...new Set(lines.map((line) => line.trim()))].slice(-MOST_TOLD);
	return told.length > 0 ? `; it said: ${told.join(" / ")}` : "";
}
