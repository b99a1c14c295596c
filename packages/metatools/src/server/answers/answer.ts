import { isDeepStrictEqual } from "node:util";
import { countText } from "libmcp";
import { cutText, toPlainBlock } from "../../catalog/text.ts";
import { type ErrorObject, TOO_DEEP, ToolError } from "../../contract/errors.ts";
import { isDeeper, isObject, type JsonObject } from "../../contract/json.ts";
import type { Viewer } from "../../run/access.ts";
import { pageOf, type ResultStore } from "../../run/resultStore.ts";
import { shortenError } from "../../run/toolResult.ts";
import type { Bulk, Output } from "../metatool.ts";
import { makeBlockAcceptable } from "./acceptableBlock.ts";
import { readText, renderContent, splitBlocks } from "./blocks.ts";
import { renderErrorLine } from "./porcelain.ts";

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
export function composeAnswer(
	{ extra, dataWithExtra, ...output }: Output,
	how: Presentation,
	results: ResultStore,
	viewer: Viewer,
): JsonObject {
	const keep: Keep = (text) => results.keep(text, viewer);
	if (extra === undefined) return resultOf(fitted(output, how, keep), how, keep);
	const all = { ...output, data: dataWithExtra ?? { ...output.data, ...extra } };
	const json = jsonThatFits(all, how);
	const shown =
		json === undefined ? withHandle(fitted(output, how, keep), extra, how, keep) : whole(all, json, how, keep);
	return resultOf(shown, how, keep);
}

/** Keeps a text for read_result, and returns its handle. */
type Keep = (text: string) => string;

/** What is shown of an output. */
type Shown = Pick<Output, "data" | "isError"> & {
	readonly media?: Output["media"] | undefined;
	readonly text: string;
	/** Said after all else, in a block of its own. */
	readonly note?: string;
	/** The data once more. */
	readonly json: string;
};

function resultOf({ data, isError, media = [], text, json, note }: Shown, how: Presentation, keep: Keep): JsonObject {
	const content: JsonObject[] = [{ type: "text", text }, ...blocksBeside(text, json, media, how, keep)];
	if (note !== undefined) content.push({ type: "text", text: note });
	return { content, structuredContent: data, ...(isError === true && { isError }) };
}

function fitted(output: Output, how: Presentation, keep: Keep): Shown {
	const { bulk, data } = output;
	if (bulk === undefined) return whole(output, JSON.stringify(data), how, keep);
	const json = jsonThatFits(output, how);
	return json === undefined ? preview(output, bulk, how, keep) : whole(output, json, how, keep);
}

/** The data as JSON, if all of the output fits into the budget. */
function jsonThatFits({ text, data }: Output, { render, maxChars, withData }: Presentation): string | undefined {
	// Skips the JSON of an answer that is cut anyway.
	if (render !== "json" && text.length > maxChars) return undefined;
	const json = JSON.stringify(data);
	// In JSON each quote and line break takes two characters, which is no reason to cut a text that fits.
	const most = render === "json" ? maxChars : withData ? 2 * maxChars : Infinity;
	return json.length <= most ? json : undefined;
}

/** Adds a handle to the extra members, which did not fit; that the rest was measured without it costs a line at most. */
function withHandle(shown: Shown, extra: JsonObject, { render }: Presentation, keep: Keep): Shown {
	const full = JSON.stringify(splitBlocks(extra).value);
	const members = Object.keys(extra).join(", ");
	const kept = { handle: keep(full), totalChars: full.length, nextOffset: 0 };
	const { truncated } = shown.data;
	const notes = shown.note === undefined ? [] : [shown.note];
	const data = { ...shown.data, truncated: isObject(truncated) ? { ...truncated, [members]: kept } : kept };
	const json = JSON.stringify(data);
	return render === "json"
		? { ...shown, data, json, text: json }
		: { ...shown, data, json, note: [...notes, `${members} ${notice(kept.handle, 0, full.length)}`].join("\n") };
}

/** All of the data; its text is cut if it is longer. */
function whole(output: Output, json: string, { render, maxChars }: Presentation, keep: Keep): Shown {
	if (json.length > 2 * MOST_DEPTH && isDeeper(json, MOST_DEPTH))
		throw new ToolError("execution_failed", TOO_DEEP, { retryable: false });
	const text = render === "json" ? json : output.text;
	if (text.length <= maxChars) return { ...output, json, text };
	const { text: beginning, nextOffset = text.length } = pageOf(text, 0, maxChars - NOTICE_CHARS);
	return { ...output, json, text: `${beginning}\n${notice(keep(text), nextOffset, text.length)}` };
}

/** The beginning of what is kept for read_result, and the rest of the data. */
function preview(output: Output, bulk: Bulk, how: Presentation, keep: Keep): Shown {
	const { render, maxChars } = how;
	const { full, part, text } = keptOf(output, bulk, how);
	const ending = bulk.ending === undefined ? "" : `\n${cutText(bulk.ending, Math.floor(maxChars / 2))}`;
	const beside = bulk.beside === undefined ? "" : `\n${wholeLines(bulk.beside, Math.floor(maxChars / 4))}`;
	const room = Math.max(1, maxChars - NOTICE_CHARS - ending.length - beside.length);
	const handle = keep(full);
	const { previewAs } = bulk;
	const field = previewAs === undefined ? undefined : fieldOf(full, part, room, render === "json" ? room : 2 * room);
	const data = {
		...bulk.shrink(),
		...(previewAs !== undefined && { [previewAs]: field?.text }),
		truncated: { handle, totalChars: full.length, nextOffset: field?.nextOffset ?? 0 },
	};
	const json = JSON.stringify(data);
	if (render === "json") return { ...output, data, json, text: json };
	const { text: beginning, nextOffset = full.length } = pageOf(full, 0, room);
	const more = notice(handle, nextOffset, full.length);
	if (text !== undefined) return { ...output, data, json, text, note: `${previewAs} ${more}` };
	const rest = nextOffset === full.length ? "" : `\n${more}${ending}`;
	return { ...output, data, json, text: `${beginning}${rest}${beside}` };
}

/** What is kept of an output: its text, or its value alone where the text tells that in other words, and fits. */
function keptOf(output: Output, bulk: Bulk, { render, maxChars }: Presentation): Kept {
	const text = output.text.length <= maxChars ? output.text : undefined;
	const value = text === undefined && render !== "json" ? undefined : bulk.value?.();
	return value === undefined
		? { full: bulk.full, part: bulk.part ?? bulk.full, text: undefined }
		: { full: value, part: value, text };
}

/** The part of `full` that is a field of the data, and the text, where that is shown whole. */
type Kept = { readonly full: string; readonly part: string; readonly text: string | undefined };

/** The first lines of a text; a line that is cut could end within a handle. */
function wholeLines(text: string, maxChars: number): string {
	return text.length <= maxChars ? text : `${text.slice(0, text.lastIndexOf("\n", maxChars) + 1)}…`;
}

type Field = { readonly text: string; readonly nextOffset: number };

/** The beginning of the last such part of a text, and where in the text the rest of that part is. */
function fieldOf(full: string, part: string, room: number, mostAsJson: number): Field {
	const { text, nextOffset = part.length } = pageOf(part, 0, room);
	const { length } = JSON.stringify(text);
	// Escaped once more, the beginning of a value could be longer than all of it.
	if (length - 2 > mostAsJson && room > 1)
		return fieldOf(full, part, Math.max(1, Math.floor((room * mostAsJson) / length)), mostAsJson);
	return { text, nextOffset: full.lastIndexOf(part) + nextOffset };
}

/** The tools/call result of a failure, cut as well, since a server's error text may be as long as any result. */
export function composeErrorAnswer(
	{ object }: ToolError,
	how: Presentation,
	results: ResultStore,
	viewer: Viewer,
): JsonObject {
	const { render, maxChars, withData } = how;
	const keep: Keep = (text) => results.keep(text, viewer);
	const { error, media } = withoutMedia(object);
	const whole = JSON.stringify({ error });
	const fits = whole.length <= maxChars;
	const truncated = fits ? undefined : { handle: keep(whole), totalChars: whole.length, nextOffset: 0 };
	const data = truncated === undefined ? { error } : { error: shortenError(error), truncated };
	const rest = truncated === undefined ? "" : `\n${notice(truncated.handle, 0, whole.length)}`;
	const json = JSON.stringify(data);
	const text =
		render === "json" ? json : `${renderErrorLine(data.error)}${withData ? "" : serverData(data.error)}${rest}`;
	return resultOf({ data, json, text, isError: true, media }, how, keep);
}

/** What a server said of its failure beside the message, as a line, unless the message is the same as JSON. */
function serverData({ message, details }: ErrorObject): string {
	const upstream = isObject(details?.upstream) ? details.upstream : {};
	// A tool that fails gives structured content, a server that refuses a call gives data.
	const said = upstream.structuredContent ?? upstream.data;
	return said === undefined || isDeepStrictEqual(parsed(message), said)
		? ""
		: `\n${toPlainBlock(JSON.stringify(said))}`;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// What is no JSON has no value.
		return undefined;
	}
}

/** Takes what a failing tool shows, such as a screenshot, out of its error, where it would be encoded text. */
function withoutMedia(object: ErrorObject): { readonly error: ErrorObject; readonly media: readonly JsonObject[] } {
	const { value, media } = splitBlocks(object.details);
	return { error: media.length > 0 && isObject(value) ? { ...object, details: value } : object, media };
}

/** The tool's images, audio and files as far as they fit into a message; their texts as far as the budget allows. */
function blocksBeside(
	text: string,
	json: string,
	media: readonly JsonObject[],
	{ maxChars }: Presentation,
	keep: Keep,
): readonly JsonObject[] {
	let room = MOST_BYTES - 2 * Buffer.byteLength(text) - Buffer.byteLength(json);
	let charsLeft = maxChars - text.length;
	const unread: string[] = [];
	const blocks = media.flatMap((given): readonly JsonObject[] | JsonObject => {
		const block = makeBlockAcceptable(given);
		if (typeof block === "string") return leftOut(`${String(given.type)}, since ${block}`);
		const words = readText(block);
		if (words.length > charsLeft) {
			unread.push(renderContent([block]), words);
			return [];
		}
		const size = Buffer.byteLength(JSON.stringify(block));
		if (size > room) return leftOut(`${String(block.type)} of ${size} bytes, more than a client can take`);
		room -= size;
		charsLeft -= words.length;
		return block;
	});
	if (unread.length === 0) return blocks;
	// All under one handle, as each takes the place of a kept result.
	const rest = unread.join("\n");
	const told = `${countText(unread.length / 2, "resource")} ${notice(keep(rest), 0, rest.length)}`;
	return [...blocks, { type: "text", text: told }];
}

function leftOut(what: string): JsonObject {
	return { type: "text", text: `… left out: ${what}` };
}

function notice(handle: string, offset: number, total: number): string {
	return `… cut: ${total - offset} of ${total} characters more; read_result {"handle":"${handle}","offset":${offset}}`;
}
