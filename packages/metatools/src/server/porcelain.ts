import { plainText } from "../catalog/text.ts";
import type { ErrorObject } from "../contract/errors.ts";
import type { ToolSummary } from "../contract/results.ts";

/** A heading, rows with aligned columns, and how to get more. */
export function lines(heading: string, rows: readonly (readonly string[])[], nextCursor?: string): string {
	const widths = (rows[0] ?? []).map((_, column) =>
		Math.min(44, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
	);
	const body = rows.map((row) =>
		row
			.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
			.join("  ")
			.trimEnd(),
	);
	const more = nextCursor === undefined ? [] : [`more with cursor: ${nextCursor}`];
	return plainText([heading, ...body, ...more].join("\n"));
}

export function toolLines(total: number, tools: readonly ToolSummary[], nextCursor?: string): string {
	if (total === 0) return "no tools found; list_namespaces shows what is connected";
	const heading = tools.length < total ? `${tools.length} of ${total} tools` : `${total} tools`;
	return lines(
		heading,
		tools.map((tool) => [tool.id, tool.shortDescription ?? ""]),
		nextCursor,
	);
}

export function errorLine({ code, message, tool_id, step_index, retryable }: ErrorObject): string {
	const where = [tool_id, step_index === undefined ? undefined : `step ${step_index}`]
		.filter((part) => part !== undefined)
		.join(", ");
	return plainText(`error ${code}${where === "" ? "" : ` (${where})`}: ${message}${retryable ? " [retryable]" : ""}`);
}

/** A value as the body of an answer: text as it is, anything else as compact JSON. */
export function valueText(value: unknown): string {
	return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
