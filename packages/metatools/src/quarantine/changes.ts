import { isDeepStrictEqual } from "node:util";
import { countText } from "libmcp";
import { toPlainLine } from "../catalog/text.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Quarantined } from "./quarantine.ts";

/** A member of a definition that differs from the approved one; `was` or `now` is undefined if it is missing there. */
export type Change = { readonly field: string; readonly was: unknown; readonly now: unknown };

/** Compares a tool that waits for approval with its approved definition; empty if that was not stored. */
export function listChanges({ approved, now }: Pick<Quarantined, "approved" | "now">): readonly Change[] {
	if (approved === undefined) return [];
	// Through JSON, as the stored definition was, so that undefined members do not count as changes.
	const [before, after] = [JSON.parse(JSON.stringify(approved)), JSON.parse(JSON.stringify(now))];
	return [...new Set([...Object.keys(before), ...Object.keys(after)])]
		.filter((field) => !isDeepStrictEqual(before[field], after[field]))
		.map((field) => ({ field, was: before[field], now: after[field] }));
}

/** How much of what both texts have in common is shown beside a difference. */
const LEAD = 40;
const MOST_CHARS = 4_000;

/** Shows a change as two lines with all that differs, which may be far into a long text, and little of what does not. */
export function renderChange({ field, was, now }: Change): readonly [string, string] {
	const [before, after] = [valueText(was), valueText(now)];
	const shorter = Math.min(before.length, after.length);
	let head = 0;
	while (head < shorter && before[head] === after[head]) head++;
	let tail = 0;
	while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
	const [from, left] = [Math.max(0, head - LEAD), Math.max(0, tail - LEAD)];
	const excerpt = (text: string): string =>
		`${from > 0 ? "…" : ""}${lineOf(text.slice(from, text.length - left))}${left > 0 ? "…" : ""}`;
	return [`- ${field}: ${excerpt(before)}`, `+ ${field}: ${excerpt(after)}`];
}

/** Shows a whole definition, one line for each member. */
export function renderDefinition(definition: JsonObject): readonly string[] {
	return Object.entries(definition).flatMap(([field, value]) =>
		value === undefined ? [] : [`+ ${field}: ${lineOf(valueText(value))}`],
	);
}

function lineOf(text: string): string {
	const line = toPlainLine(text, MOST_CHARS);
	const more = text.length - MOST_CHARS;
	return more > 0 ? `${line} (${countText(more, "more character")}; --json has all)` : line;
}

function valueText(value: unknown): string {
	if (value === undefined) return "none";
	return typeof value === "string" ? value : JSON.stringify(value);
}
