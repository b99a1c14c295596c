import { accept, type Normalized, refuse } from "../normalize/values.ts";
import { renderCount } from "./lines.ts";
import { toPlainText, truncateText } from "./terminalText.ts";

/** Limits the size of a rendering, whatever the data. */
export type PorcelainBound = {
	readonly maxLines?: number;
	/** Limit on the whole text, in UTF-16 units. */
	readonly maxChars?: number;
	readonly maxLineChars?: number;
};

const DEFAULT_BOUND: Required<PorcelainBound> = { maxLines: 200, maxChars: 20_000, maxLineChars: 400 };

/**
 * Joins a summary line and the lines under it into one bounded text. The summary always stays; when lines must be
 * dropped, the last line says how many.
 */
export function renderPorcelain(summary: string, lines: Iterable<string> = [], bound: PorcelainBound = {}): string {
	const { maxLines, maxChars, maxLineChars } = { ...DEFAULT_BOUND, ...bound };
	if (maxLines < 1) return "";
	const first = truncateText(toPlainText(summary), Math.min(maxLineChars, maxChars));
	const rest = Array.from(lines, (line) => truncateText(toPlainText(line), maxLineChars));
	const whole = [first, ...rest];
	if (whole.length <= maxLines && textLength(whole) <= maxChars) return whole.join("\n");

	const kept = [first];
	let used = first.length;
	for (const [index, line] of rest.entries()) {
		const omission = omissionLine(rest.length - index);
		if (kept.length + 2 > maxLines || used + 1 + line.length + 1 + omission.length > maxChars) break;
		kept.push(line);
		used += 1 + line.length;
	}
	const note = omissionLine(rest.length - kept.length + 1);
	if (kept.length < maxLines && used + 1 + note.length <= maxChars) kept.push(note);
	return kept.join("\n");
}

function omissionLine(count: number): string {
	return `… ${count} more ${count === 1 ? "line" : "lines"}`;
}

function textLength(lines: readonly string[]): number {
	return lines.reduce((sum, line) => sum + line.length + 1, -1);
}

/** Any JSON value as porcelain: a summary line, then one line per member or item, members sorted by name. */
export function renderJsonPorcelain(
	value: unknown,
	bound: PorcelainBound & { readonly summary?: string } = {},
): string {
	const { summary, ...limits } = bound;
	const scalar = !isContainer(value);
	return renderPorcelain(
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
	return Array.isArray(value) ? renderCount(value.length, "item") : renderCount(Object.keys(value).length, "field");
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
		return Array.isArray(value) ? `[${renderCount(value.length, "item")}]` : `{${summarize(value)}}`;
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

/** `porcelain`: short lines for people and models. `json`: the value itself. */
export const RENDER_MODES = ["porcelain", "json"] as const;
export type RenderMode = (typeof RENDER_MODES)[number];

/** The mode a call asked for, or the tool's default when it asked for none. */
export function selectRenderMode(argument: unknown, fallback: RenderMode = "porcelain"): Normalized<RenderMode> {
	if (argument === undefined) return accept(fallback);
	const mode = RENDER_MODES.find((each) => each === argument);
	return mode === undefined ? refuse("unknown", "render", `one of ${RENDER_MODES.join(", ")}`, argument) : accept(mode);
}

/** The property that a tool adds to its input schema; its own detail argument stays separate. */
export function createRenderModeSchema(fallback: RenderMode = "porcelain"): Readonly<Record<string, unknown>> {
	return {
		type: "string",
		enum: [...RENDER_MODES],
		default: fallback,
		description: "porcelain: short text made for reading; json: the same data in full.",
	};
}
