import { countText } from "./patterns.ts";
import { type PorcelainBound, porcelain } from "./porcelain.ts";

/** Any JSON value as porcelain: a summary line, then one line per member or item, members sorted by name. */
export function jsonPorcelain(value: unknown, bound: PorcelainBound & { readonly summary?: string } = {}): string {
	const { summary, ...limits } = bound;
	const scalar = !isContainer(value);
	return porcelain(
		summary ?? (scalar ? preview(value, 0) : summarize(value)),
		scalar && summary === undefined ? [] : topLines(value),
		limits,
	);
}

function topLines(value: unknown): string[] {
	if (Array.isArray(value)) return value.map((item, index) => `[${index}] ${preview(item, 0)}`);
	if (isContainer(value)) return sortedEntries(value).map(([name, member]) => `${name}: ${preview(member, 0)}`);
	return [preview(value, 0)];
}

function summarize(value: object): string {
	return Array.isArray(value) ? countText(value.length, "item") : countText(Object.keys(value).length, "field");
}

// Beyond these limits, an inline value only says how much was left out.
const MAX_DEPTH = 4;
const MAX_ITEMS = 3;
const MAX_MEMBERS = 4;
const MAX_STRING = 160;

/** A value on one line: nested containers are shortened, and strings are quoted to show where they end. */
function preview(value: unknown, depth: number): string {
	if (typeof value === "string") {
		const head = value.length <= MAX_STRING ? value : value.slice(0, MAX_STRING).toWellFormed();
		return head === value ? JSON.stringify(value) : `${JSON.stringify(head)}+${value.length - head.length}`;
	}
	if (!isContainer(value)) return typeof value === "bigint" ? String(value) : String(JSON.stringify(value));
	if (depth >= MAX_DEPTH)
		return Array.isArray(value) ? `[${countText(value.length, "item")}]` : `{${summarize(value)}}`;
	if (Array.isArray(value)) {
		const items = value.slice(0, MAX_ITEMS).map((item) => preview(item, depth + 1));
		return `[${withMore(items, value.length)}]`;
	}
	const entries = sortedEntries(value);
	const members = entries.slice(0, MAX_MEMBERS).map(([name, member]) => `${name}: ${preview(member, depth + 1)}`);
	return `{${withMore(members, entries.length)}}`;
}

function withMore(shown: readonly string[], total: number): string {
	return [...shown, ...(total > shown.length ? [`+${total - shown.length} more`] : [])].join(", ");
}

function isContainer(value: unknown): value is object {
	return typeof value === "object" && value !== null;
}

function sortedEntries(value: object): [string, unknown][] {
	return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
