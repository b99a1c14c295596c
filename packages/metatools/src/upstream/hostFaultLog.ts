import type { Host } from "libmcp";
import type { LastWords } from "./lastWords.ts";

const SAME_AGAIN_MS = 300_000;

export type HostFaultLog = {
	readonly log: (line: string) => void;
	/** Called with what a process that served said before its end. */
	readonly onEnd: (said: string) => void;
};

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
		// Ignore numbers: sizes and counts differ each time without saying anything new.
		const same = text.replaceAll(/\d+/g, "n");
		for (const [before, at] of told) if (performance.now() - at >= SAME_AGAIN_MS) told.delete(before);
		if (told.has(same)) return;
		told.set(same, performance.now());
		log(text);
	});
}
