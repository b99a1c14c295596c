import { cut } from "../catalog/text.ts";
import type { ToolError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Viewer } from "../run/access.ts";
import type { ResultStore } from "../run/resultStore.ts";
import type { Output } from "./metatool.ts";
import { errorLine } from "./porcelain.ts";

export type Presentation = { readonly render: "porcelain" | "json"; readonly maxChars: number };

// What the notice of a cut and the fields around a preview may take.
const NOTICE_CHARS = 160;

/** The tools/call result of an output, cut to the caller's budget with a handle for the rest. */
export function answer(
	output: Output,
	{ render, maxChars }: Presentation,
	results: ResultStore,
	viewer: Viewer,
): JsonObject {
	const json = JSON.stringify(output.data);
	const { bulk } = output;
	const flags = { ...(output.isError === true && { isError: true }) };
	const media = output.media ?? [];
	if (json.length <= maxChars || bulk === undefined) {
		const text = render === "json" ? json : output.text;
		const fits = text.length <= maxChars;
		const shown = fits
			? text
			: `${cut(text, maxChars - NOTICE_CHARS)}\n${notice(results.keep(text, viewer), maxChars - NOTICE_CHARS, text.length)}`;
		return { content: [{ type: "text", text: shown }, ...media], structuredContent: output.data, ...flags };
	}
	const room = Math.max(1, maxChars - NOTICE_CHARS);
	const handle = results.keep(bulk.full, viewer);
	const { text: preview, nextOffset = bulk.full.length } = results.read(handle, 0, room, viewer);
	const truncated = { handle, totalChars: bulk.full.length, nextOffset };
	const data = { ...bulk.shrink(preview), truncated };
	const text = render === "json" ? JSON.stringify(data) : `${preview}\n${notice(handle, nextOffset, bulk.full.length)}`;
	return { content: [{ type: "text", text }, ...media], structuredContent: data, ...flags };
}

export function errorAnswer({ object }: ToolError, { render }: Presentation): JsonObject {
	const data = { error: object };
	const text = render === "json" ? JSON.stringify(data) : errorLine(object);
	return { content: [{ type: "text", text }], structuredContent: data, isError: true };
}

function notice(handle: string, offset: number, total: number): string {
	return `… cut: ${total - offset} of ${total} characters more; read_result {"handle":"${handle}","offset":${offset}}`;
}
