import { isNoise, isTelling } from "libmcp";
import { withoutCodes } from "./withoutCodes.ts";

const MOST_TOLD = 3;
const MOST_KEPT = 200;
const LONGEST = 300;
const LAST_MS = 5_000;

/** The last lines a server printed, reduced to those likely to explain its end: the cause comes before long dumps. */
export class LastWords {
	#lines: { readonly at: number; readonly line: string }[] = [];

	add(printed: string): void {
		const line = withoutCodes(printed);
		if (isNoise(line)) return;
		this.#lines.push({ at: performance.now(), line: line.slice(0, LONGEST) });
		if (this.#lines.length > MOST_KEPT) this.#lines.shift();
	}

	/** Returns and clears the lines printed while connecting failed. */
	take(): string {
		const lines = this.#lines.map(({ line }) => line);
		this.#lines = [];
		const telling = lines.filter(isTelling);
		return saying(telling.length > 0 ? telling : lines);
	}

	/** Returns and clears the lines printed just before the end; older ones are unrelated. */
	takeOfEnd(): string {
		const end = performance.now() - LAST_MS;
		const lines = this.#lines.filter(({ at, line }) => at >= end && isTelling(line)).map(({ line }) => line);
		this.#lines = [];
		return saying(lines);
	}
}

function saying(lines: readonly string[]): string {
	// Every restarted worker prints the same lines.
	const told = [...new Set(lines.map((line) => line.trim()))].slice(-MOST_TOLD);
	return told.length > 0 ? `; it said: ${told.join(" / ")}` : "";
}
