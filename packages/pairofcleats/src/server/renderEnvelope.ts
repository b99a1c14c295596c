import { countText, jsonPorcelain, porcelain } from "libmcp";
import type { Envelope } from "../contract/envelope.ts";
import { ERROR_TABLE } from "../contract/errors.ts";
import { hitNote } from "../query/hitNote.ts";
import type { Hit } from "../query/result.ts";
import type { ToolName } from "../registry/registry.ts";
import type { FileText } from "../repo/repository.ts";
import { renderResult } from "./renderResult.ts";

/** Renders an envelope as human-readable text: hits and files with their lines, anything else as columns or fields. */
export function renderEnvelope(envelope: Envelope, tool?: ToolName): string {
	if (!envelope.ok) {
		const { code, message } = envelope.error;
		return porcelain(`${code}: ${message}`, [ERROR_TABLE[code].remedy]);
	}
	const { search, file } = envelope.result;
	const warnings = (envelope._meta.warnings ?? []).map(({ message }) => `warning: ${message}`);
	if (isFile(file)) return renderFile(file, warnings);
	const [head, ...lines] = (tool && renderResult(tool, envelope.result)?.split("\n")) ?? [];
	if (head !== undefined) return porcelain(head, [...warnings, ...lines]);
	if (!isSearch(search)) return jsonPorcelain(envelope.result);
	const { hits, totals, hasMore } = search;
	const summary = `${countText(hits.length, "hit")} of ${totals.matches} in ${countText(totals.files, "file")}${hasMore ? "; more with offset" : ""}`;
	return porcelain(summary, [...warnings, ...hits.flatMap(hitLines)]);
}

/** Every line of the text, which the tool has cut already; of an extremely long line only the beginning. */
function renderFile({ path, startLine, endLine, totalLines, text }: FileText, warnings: readonly string[]): string {
	const bound = { maxLines: Number.POSITIVE_INFINITY, maxChars: Number.POSITIVE_INFINITY, maxLineChars: 2_000 };
	const lines = [...warnings, ...numbered(startLine, text.split("\n"))];
	return porcelain(`${path}:${startLine}-${endLine} of ${totalLines} lines`, lines, bound);
}

function isFile(value: unknown): value is FileText {
	return typeof value === "object" && value !== null && "text" in value && "totalLines" in value;
}

/** Tabs become spaces, since they would otherwise be escaped. */
function numbered(first: number, lines: readonly string[]): string[] {
	return lines.map((line, index) => `  ${first + index}: ${line.replace(/\r$/, "").replaceAll("\t", "  ")}`);
}

type Shown = {
	readonly hits: readonly Hit[];
	readonly totals: { readonly matches: number; readonly files: number };
	readonly hasMore: boolean;
};

function isSearch(value: unknown): value is Shown {
	return (
		typeof value === "object" && value !== null && "hits" in value && Array.isArray(value.hits) && "totals" in value
	);
}

function hitLines(hit: Hit): string[] {
	const { path, startLine, endLine, kind, qualifiedName, name, snippet } = hit;
	const head = `${path}:${startLine}-${endLine} ${kind} ${qualifiedName || name}${hitNote(hit)}`.trimEnd();
	return [head, ...numbered(snippet.startLine, snippet.lines)];
}
