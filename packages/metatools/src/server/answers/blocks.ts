import { cutText } from "../../catalog/text.ts";
import { isObject, type JsonObject } from "../../contract/json.ts";
import type { RunResult } from "../../run/runner.ts";

type Parted = { readonly value: unknown; readonly media: readonly JsonObject[] };

/** Separates images, audio and files from a value; in the value only their size remains. */
export function splitBlocks(value: unknown): Parted {
	const media: JsonObject[] = [];
	return { value: withoutBytes(value, media, 0), media };
}

/** Media is not looked for below this depth. */
const MAX_DEPTH = 32;

function withoutBytes(value: unknown, media: JsonObject[], depth: number): unknown {
	if (depth > MAX_DEPTH) return value;
	if (Array.isArray(value)) return value.map((item) => withoutBytes(item, media, depth + 1));
	if (!isObject(value)) return value;
	const short = sizedBlock(value);
	if (short !== undefined) {
		media.push(value);
		return short;
	}
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBytes(inner, media, depth + 1)]));
}

/** A content block with the size of its encoded data in place of the data; undefined if it has none. */
function sizedBlock(block: JsonObject): JsonObject | undefined {
	// Data that is not a content block may have such a `type` too.
	if (block.type === "image" || block.type === "audio")
		return typeof block.mimeType === "string" ? sized(block, "data") : undefined;
	if (block.type !== "resource" || !isObject(block.resource)) return undefined;
	const resource = sized(block.resource, "blob");
	return resource === undefined ? undefined : { ...block, resource };
}

/** The encoded data of an image, of audio or of a file. */
function findEncoded({ data, resource }: JsonObject): string | undefined {
	const encoded = isObject(resource) ? resource.blob : data;
	return typeof encoded === "string" ? encoded : undefined;
}

/** The block as it is named in a text. */
export function addSize(block: JsonObject): JsonObject {
	return sizedBlock(block) ?? block;
}

function sized(holder: JsonObject, member: "data" | "blob"): JsonObject | undefined {
	const { [member]: encoded, ...rest } = holder;
	return typeof encoded === "string" ? { ...rest, bytes: Buffer.byteLength(encoded, "base64") } : undefined;
}

/** The blocks other than text, which clients display themselves. */
export function selectMedia(content: readonly JsonObject[]): readonly JsonObject[] {
	return content.filter(({ type }) => BESIDE.has(String(type)));
}

const BESIDE = new Set(["image", "audio", "resource", "resource_link"]);

/** The text of an embedded resource, which a budget of characters should count. */
export function readText({ resource }: JsonObject): string {
	return isObject(resource) && typeof resource.text === "string" ? resource.text : "";
}

/** Content as lines: its texts, and a placeholder for every other block of a known type. */
export function renderContent(content: readonly JsonObject[]): string {
	return content.map(blockText).join("\n");
}

function blockText(block: JsonObject): string {
	if (typeof block.text === "string") return block.text;
	return BESIDE.has(String(block.type)) ? `[${blockName(block)}]` : oddText(block);
}

const MAX_ODD = 2_000;
const MAX_ODD_MEMBER = 500;

/** A block that is nothing MCP has as what it holds, since only its server knows what it is. */
function oddText(block: JsonObject): string {
	const members = Object.entries(block).map(([name, value]) => [
		name,
		typeof value === "string" ? cutText(value, MAX_ODD_MEMBER) : value,
	]);
	return cutText(JSON.stringify(Object.fromEntries(members)), MAX_ODD);
}

function blockName(block: JsonObject): string {
	const about = isObject(block.resource) ? block.resource : block;
	const text = typeof about.text === "string" ? `${about.text.length} characters` : undefined;
	const size = typeof about.bytes === "number" ? `${about.bytes} bytes` : text;
	const parts = [about.name, about.uri, about.mimeType, size].filter((part) => typeof part === "string");
	const named = [String(block.type), ...parts].join(" ");
	return typeof block.read === "string" ? `${named}; ${block.read}` : named;
}

/** A block, and the same as a text names it: by its size, or with how to read it. */
type NamedBlock = { readonly block: JsonObject; readonly named: JsonObject };

/** The images, audio, files and links of a tool's content. */
export function nameBlocks({ mcpResult, links = [] }: RunResult): readonly NamedBlock[] {
	const readable = links.values();
	return selectMedia(Array.isArray(mcpResult?.content) ? mcpResult.content.filter(isObject) : []).map((block) => {
		const isReadable = block.type === "resource_link" && typeof block.uri === "string";
		return { block, named: isReadable ? (readable.next().value ?? block) : addSize(block) };
	});
}

/** Those that are beside a structured value: none where the content is the value, and none that the value repeats. */
export function selectBeside(result: RunResult): readonly NamedBlock[] {
	const blocks = result.mcpResult?.structuredContent === undefined ? [] : nameBlocks(result);
	if (blocks.length === 0) return [];
	const repeated = new Set(splitBlocks(result.structured).media.map(findEncoded));
	return blocks.filter(({ block }) => {
		const encoded = findEncoded(block);
		return encoded === undefined || !repeated.has(encoded);
	});
}
