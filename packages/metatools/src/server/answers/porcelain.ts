import { countText, porcelain, tableLines } from "libmcp";
import { toPlainBlock } from "../../catalog/text.ts";
import type { ErrorObject } from "../../contract/errors.ts";
import type { ToolSummary } from "../../contract/results.ts";

// No limits here: page size bounds the rows, the catalogue bounds the cells, the caller's budget bounds the answer.
export const UNBOUNDED = { maxLines: Infinity, maxChars: Infinity, maxLineChars: Infinity } as const;
export const MAX_CELL = 500;
/** Names the fault class under which the documentation explains what to do. */
const OUTCOME_UNKNOWN = " [ambiguous_outcome: check whether it took effect before repeating it]";

/** A heading, a table, and how to get more. */
export function renderTable(
	heading: string,
	columns: readonly string[],
	rows: readonly (readonly (string | number)[])[],
	nextCursor?: string,
): string {
	const body = rows.length === 0 ? [] : tableLines(columns, rows, MAX_CELL);
	return porcelain(
		heading,
		[...body, ...(nextCursor === undefined ? [] : [`more with cursor: ${nextCursor}`])],
		UNBOUNDED,
	);
}

export function renderToolTable(total: number, tools: readonly ToolSummary[], nextCursor?: string): string {
	if (total === 0) return "no tools found; list_namespaces shows what is connected";
	const heading = tools.length < total ? `${tools.length} of ${countText(total, "tool")}` : countText(total, "tool");
	return renderTable(
		heading,
		["tool", "description"],
		tools.map((tool) => [tool.id, tool.shortDescription ?? ""]),
		nextCursor,
	);
}

export function renderErrorLine({ code, message, tool_id, step_index, retryable, details }: ErrorObject): string {
	const numbered = (name: string, at: unknown) => (typeof at === "number" ? `${name} ${at}` : undefined);
	const where = [
		tool_id,
		numbered("step", step_index),
		numbered("item", details?.item_index),
		numbered("line", details?.line),
		numbered("column", details?.column),
	]
		.filter((part) => part !== undefined)
		.join(", ");
	const cutShort = Array.isArray(details?.items_cut_short)
		? `\n  items under way then, cut short, done or not: ${details.items_cut_short.join(", ")}`
		: "";
	const advice = retryable ? " [retryable]" : details?.outcome === "unknown" ? OUTCOME_UNKNOWN : "";
	const line = `error ${code}${where === "" ? "" : ` (${where})`}: ${message}${advice}`;
	return toPlainBlock(`${line}${cutShort}`);
}

/** A value as the body of an answer: text as it is, anything else as compact JSON. */
export function renderValue(value: unknown): string {
	return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** A longer last part is not worth the space in a cut answer. */
const LONGEST = 3_000;

/** The last of several parts, if it is short enough to be shown even in a cut answer. */
export function describeEnding(parts: readonly string[]): string | undefined {
	const last = parts.at(-1);
	return parts.length > 1 && last !== undefined && last.length <= LONGEST ? last : undefined;
}
