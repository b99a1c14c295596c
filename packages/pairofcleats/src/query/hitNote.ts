import type { Hit } from "./result.ts";

/** What is printed after a hit's name: the state of a finding, and where the hit is in its declaration. */
export function hitNote({ part, whole, record }: Pick<Hit, "part" | "whole" | "record">): string {
	const notes = [
		record && `${record.severity}, ${record.settled ?? record.decision ?? "open"}`,
		part && `part ${part.index} of ${part.of}`,
		whole && `whole ${whole.startLine}-${whole.endLine}`,
	].filter((note) => note !== undefined);
	return notes.length === 0 ? "" : ` (${notes.join(", ")})`;
}
