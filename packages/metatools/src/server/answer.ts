import { cut } from "../catalog/text.ts";
import { isDeeper } from "../contract/depth.ts";
import { type ErrorObject, TOO_DEEP, ToolError } from "../contract/errors.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import type { Viewer } from "../run/access.ts";
import { pageOf, type ResultStore } from "../run/resultStore.ts";
import { shortError } from "../run/shortError.ts";
import { acceptableBlock } from "./acceptableBlock.ts";
import { isReadable, parted } from "./media.ts";
import type { Bulk, Output } from "./metatool.ts";
import { errorLine } from "./porcelain.ts";

export type Presentation = {
	readonly render: "porcelain" | "json";
	readonly maxChars: number;
	/** Whether the data is sent beside the text and counts against the limit. */
	readonly withData: boolean;
};

// Room for the notice about the cut and the fields around the preview.
const NOTICE_CHARS = 160;
/** Clients of the official SDK end the session at a message of more than 10 MiB; a character may take six bytes, twice. */
export const MOST_CHARS = 600_000;
const MOST_BYTES = 9_000_000;
const MOST_DEPTH = 1_000;

/** The tools/call result of an output, cut to the caller's budget with a handle for the rest. */
export function answer(output: Output, how: Presentation, results: ResultStore, viewer: Viewer): JsonObject {
	const { bulk, text } = output;
	const { render, maxChars, withData } = how;
	// Skips the JSON of an answer that is cut anyway.
	if (bulk === undefined || render === "json" || text.length <= maxChars) {
		// In JSON each quote and line break takes two characters, which is no reason to cut a text that fits.
		const most = render === "json" ? maxChars : withData ? 2 * maxChars : Infinity;
		if (output.extra !== undefined)
			return answer(withExtra(output, output.extra, most, results, viewer), how, results, viewer);
		const json = JSON.stringify(output.data);
		if (bulk === undefined || json.length <= most) return wholeAnswer(output, json, how, results, viewer);
	}
	return cutAnswer(output, bulk, how, results, viewer);
}

/** The output with its extra members; if they make it too long, with a handle to them in their place. */
function withExtra(
	{ extra: _, ...output }: Output,
	extra: JsonObject,
	most: number,
	results: ResultStore,
	viewer: Viewer,
): Output {
	const data = { ...output.data, ...extra };
	if (JSON.stringify(data).length <= most) return { ...output, data };
	const full = JSON.stringify(parted(extra).value);
	const handle = results.keep(full, viewer);
	const truncated = { handle, totalChars: full.length, nextOffset: 0 };
	const text = `${output.text}\n${Object.keys(extra).join(", ")} ${notice(handle, 0, full.length)}`;
	return { ...output, data: { ...output.data, truncated }, text };
}

/** An answer with all of the data; its text is cut if it is longer. */
function wholeAnswer(
	{ data, isError, media, ...output }: Output,
	json: string,
	{ render, maxChars }: Presentation,
	results: ResultStore,
	viewer: Viewer,
): JsonObject {
	if (json.length > 2 * MOST_DEPTH && isDeeper(json, MOST_DEPTH))
		throw new ToolError("execution_failed", TOO_DEEP, { retryable: false });
	const text = render === "json" ? json : output.text;
	const room = maxChars - NOTICE_CHARS;
	const shown =
		text.length <= maxChars ? text : `${cut(text, room)}\n${notice(results.keep(text, viewer), room, text.length)}`;
	return { content: contentOf(shown, json, media), structuredContent: data, ...(isError === true && { isError }) };
}

/** An answer with a preview of its large part. */
function cutAnswer(
	{ isError, ...output }: Output,
	bulk: Bulk,
	{ render, maxChars }: Presentation,
	results: ResultStore,
	viewer: Viewer,
): JsonObject {
	const { full, previewAs } = bulk;
	const ending = bulk.ending === undefined ? "" : `\n${cut(bulk.ending, Math.floor(maxChars / 2))}`;
	const room = Math.max(1, maxChars - NOTICE_CHARS - ending.length);
	const handle = results.keep(full, viewer);
	const { text: preview, nextOffset = full.length } = pageOf(full, 0, room);
	const data = {
		...bulk.shrink(),
		...(previewAs !== undefined && { [previewAs]: preview }),
		truncated: { handle, totalChars: full.length, nextOffset: previewAs === undefined ? 0 : nextOffset },
	};
	const short = JSON.stringify(data);
	const rest = nextOffset === full.length ? "" : `\n${notice(handle, nextOffset, full.length)}${ending}`;
	const text = render === "json" ? short : `${preview}${rest}`;
	// The text of a resource is part of the value that was cut, so it must not be sent in full beside it.
	const media = output.media?.filter((block) => !isReadable(block));
	return { content: contentOf(text, short, media), structuredContent: data, ...(isError === true && { isError }) };
}

/** The tools/call result of a failure, cut as well, since a server's error text may be as long as any result. */
export function errorAnswer(
	{ object }: ToolError,
	{ render, maxChars }: Presentation,
	results: ResultStore,
	viewer: Viewer,
): JsonObject {
	const { error, media } = withoutMedia(object);
	const whole = JSON.stringify({ error });
	const fits = whole.length <= maxChars;
	const truncated = fits ? undefined : { handle: results.keep(whole, viewer), totalChars: whole.length, nextOffset: 0 };
	const data = truncated === undefined ? { error } : { error: shortError(error), truncated };
	const rest = truncated === undefined ? "" : `\n${notice(truncated.handle, 0, whole.length)}`;
	const json = JSON.stringify(data);
	const text = render === "json" ? json : `${errorLine(data.error)}${rest}`;
	return { content: contentOf(text, json, media), structuredContent: data, isError: true };
}

/** Takes what a failing tool shows, such as a screenshot, out of its error, where it would be encoded text. */
function withoutMedia(object: ErrorObject): { readonly error: ErrorObject; readonly media: readonly JsonObject[] } {
	const { value, media } = parted(object.details);
	return { error: media.length > 0 && isObject(value) ? { ...object, details: value } : object, media };
}

/** The text, plus the tool's images and audio as far as they fit into a message. */
function contentOf(text: string, json: string, media: Output["media"] = []): readonly JsonObject[] {
	let room = MOST_BYTES - 2 * Buffer.byteLength(text) - Buffer.byteLength(json);
	return [
		{ type: "text", text },
		...media.map((given) => {
			const block = acceptableBlock(given);
			if (typeof block === "string") return leftOut(`${String(given.type)}, since ${block}`);
			const size = Buffer.byteLength(JSON.stringify(block));
			if (size > room) return leftOut(`${String(block.type)} of ${size} bytes, more than a client can take`);
			room -= size;
			return block;
		}),
	];
}

function leftOut(what: string): JsonObject {
	return { type: "text", text: `… left out: ${what}` };
}

function notice(handle: string, offset: number, total: number): string {
	return `… cut: ${total - offset} of ${total} characters more; read_result {"handle":"${handle}","offset":${offset}}`;
}
