import { stripVTControlCharacters } from "node:util";
import { type Host, isNoise, isTelling } from "libmcp";
import { toPlainLine } from "../../catalog/text.ts";

const MOST_TOLD = 3;
const MOST_KEPT = 200;
const LONGEST = 300;
const LAST_MS = 5_000;

/** The last lines a server printed, reduced to those likely to explain its end: the cause comes before long dumps. */
export class LastWords {
	#lines: { readonly at: number; readonly line: string }[] = [];

	add(printed: string): void {
		const line = removeCodes(printed);
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

const LONGEST_STRAY = 120;
/** Matches lines with words, and not the frames and rulers around a banner. */
const TELLING = /[\p{L}\p{N}]/u;

/** Collects output on stdout that is not a message: the program is not an MCP server, or prints its logs there. */
export class StrayOutput {
	#line: string | undefined;

	/** Adds a line; returns whether it is the one to report, the first with words. */
	add(printed: string): boolean {
		if (this.#line !== undefined) return false;
		const line = toPlainLine(removeCodes(printed), LONGEST_STRAY);
		if (!TELLING.test(line)) return false;
		this.#line = line;
		return true;
	}

	/** The text for the person who configured the server; undefined if it printed nothing. */
	get told(): string | undefined {
		return this.#line === undefined ? undefined : `what it prints on stdout is not MCP: "${this.#line}"`;
	}
}

/** Enough for any line that is shown, codes included. The limit is needed because stripping takes quadratic time. */
const MOST_READ = 4_000;

/** The beginning of a printed line, without terminal control codes. */
function removeCodes(printed: string): string {
	return stripVTControlCharacters(printed.slice(0, MOST_READ));
}

const SAME_AGAIN_MS = 300_000;

type HostFaultLog = {
	readonly log: (line: string) => void;
	/** Called with what a process that served said before its end. */
	readonly onEnd: (said: string) => void;
};

/** A text without what differs at each attempt and says nothing new: times, sizes, counts, ports and ids. */
export function removeChance(text: string): string {
	return text.replaceAll(CHANCE, "n");
}

/** Ids in hexadecimal with a digit, names of days and months in a date, and numbers. */
const CHANCE =
	/\b(?=[a-f-]*\d)[\da-f]{6,}(?:-[\da-f]{2,})*\b|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\b(?=[ ,.-]{1,2}(?:\d|[A-Z][a-z]{2} ))|\d+/g;

/** Logs the faults of a host, repeated ones only once. */
export function logHostFaults(host: Host, words: LastWords, { log, onEnd }: HostFaultLog): void {
	const told = new Map<string, number>();
	host.events.on("fault", (fault) => {
		const isOfServing = fault.class === "process";
		// Codes that begin so are about a new release, which the serving worker outlives.
		const isEnd = isOfServing || fault.code.startsWith("green_");
		const said = isEnd ? words.takeOfEnd() : "";
		if (isOfServing) onEnd(said);
		const text = `${fault.class}.${fault.code}: ${fault.detail}${said}`;
		const same = removeChance(text);
		for (const [before, at] of told) if (performance.now() - at >= SAME_AGAIN_MS) told.delete(before);
		if (told.has(same)) return;
		told.set(same, performance.now());
		log(text);
	});
}
