import { countText, jsonPorcelain, porcelain } from "libmcp";
import type { Envelope } from "../contract/envelope.ts";
import { ERROR_TABLE } from "../contract/errors.ts";
import { partNote } from "../query/declarationParts.ts";
import type { Hit } from "../repo/result.ts";

/** An envelope as text made for reading: hits with their lines, anything else member by member. */
export function renderEnvelope(envelope: Envelope): string {
	if (!envelope.ok) {
		const { code, message } = envelope.error;
		return porcelain(`${code}: ${message}`, [ERROR_TABLE[code].remedy]);
	}
	const { search } = envelope.result;
	const warnings = (envelope._meta.warnings ?? []).map(({ message }) => `warning: ${message}`);
	if (!isSearch(search)) return jsonPorcelain(envelope.result);
	const { hits, totals, hasMore } = search;
	const summary = `${countText(hits.length, "hit")} of ${totals.matches} in ${countText(totals.files, "file")}${hasMore ? "; more with offset" : ""}`;
	return porcelain(summary, [...warnings, ...hits.flatMap(hitLines)]);
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

function hitLines({ path, startLine, endLine, kind, qualifiedName, name, part, snippet }: Hit): string[] {
	const head = `${path}:${startLine}-${endLine} ${kind} ${qualifiedName || name}${partNote(part)}`.trimEnd();
	return [head, ...snippet.lines.map((line, index) => `  ${snippet.startLine + index}: ${line}`)];
}
