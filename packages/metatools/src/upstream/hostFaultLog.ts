import type { Host } from "libmcp";
import type { LastWords } from "./lastWords.ts";

const SAME_AGAIN_MS = 300_000;

export type HostFaultLog = {
	readonly log: (line: string) => void;
	/** Called with what a process that served said before its end. */
	readonly onEnd: (said: string) => void;
};

/** A text without what differs at each attempt and says nothing new: times, sizes, counts, ports and ids. */
export function withoutChance(text: string): string {
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
		const same = withoutChance(text);
		for (const [before, at] of told) if (performance.now() - at >= SAME_AGAIN_MS) told.delete(before);
		if (told.has(same)) return;
		told.set(same, performance.now());
		log(text);
	});
}
