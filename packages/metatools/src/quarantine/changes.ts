import { isDeepStrictEqual } from "node:util";
import { plainLine } from "../catalog/text.ts";
import type { Quarantined } from "./quarantine.ts";

/** A member of a definition that differs from the approved one; `was` or `now` is undefined if it is missing there. */
export type Change = { readonly field: string; readonly was: unknown; readonly now: unknown };

/** Compares a tool that waits for approval with its approved definition; empty if that was not stored. */
export function changesOf({ approved, now }: Pick<Quarantined, "approved" | "now">): readonly Change[] {
	if (approved === undefined) return [];
	// Through JSON, as the stored definition was, so that undefined members do not count as changes.
	const [before, after] = [JSON.parse(JSON.stringify(approved)), JSON.parse(JSON.stringify(now))];
	return [...new Set([...Object.keys(before), ...Object.keys(after)])]
		.filter((field) => !isDeepStrictEqual(before[field], after[field]))
		.map((field) => ({ field, was: before[field], now: after[field] }));
}

const LEAD = 40;
const MOST_CHARS = 400;

/** Shows a change as two lines that begin shortly before the difference, which may be far into a long text. */
export function changeLines({ field, was, now }: Change): readonly [string, string] {
	const [before, after] = [valueText(was), valueText(now)];
	let same = 0;
	while (same < before.length && before[same] === after[same]) same++;
	const from = Math.max(0, same - LEAD);
	const excerpt = (text: string) => `${from > 0 ? "…" : ""}${plainLine(text.slice(from), MOST_CHARS)}`;
	return [`- ${field}: ${excerpt(before)}`, `+ ${field}: ${excerpt(after)}`];
}

function valueText(value: unknown): string {
	if (value === undefined) return "none";
	return typeof value === "string" ? value : JSON.stringify(value);
}
