import { isObject, type JsonObject } from "../contract/json.ts";

export type Parted = { readonly value: unknown; readonly media: readonly JsonObject[] };

/** A value for somebody who reads it: pictures, sounds and files stand beside it as they are, and in it by their size. */
export function parted(value: unknown): Parted {
	const media: JsonObject[] = [];
	return { value: withoutBytes(value, media, 0), media };
}

/** Deeper values are nobody's content. */
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

/** A block of content with the size of what is encoded in it instead of that; undefined where nothing is. */
function sizedBlock(block: JsonObject): JsonObject | undefined {
	// Other data may have a type by that name, too.
	if (block.type === "image" || block.type === "audio")
		return typeof block.mimeType === "string" ? sized(block, "data") : undefined;
	if (block.type !== "resource" || !isObject(block.resource)) return undefined;
	const resource = sized(block.resource, "blob");
	return resource === undefined ? undefined : { ...block, resource };
}

function sized(holder: JsonObject, member: "data" | "blob"): JsonObject | undefined {
	const { [member]: encoded, ...rest } = holder;
	return typeof encoded === "string" ? { ...rest, bytes: Buffer.byteLength(encoded, "base64") } : undefined;
}

/** What a tool gave besides text: clients know what to do with it. */
export function mediaOf(content: readonly JsonObject[]): readonly JsonObject[] {
	return content.filter(({ type }) => BESIDE.has(String(type)));
}

const BESIDE = new Set(["image", "audio", "resource", "resource_link"]);

/** Whether a block is text that a budget of characters should count. */
export function isReadable({ resource }: JsonObject): boolean {
	return isObject(resource) && typeof resource.text === "string";
}

/** Content as lines: its texts, and a word in the place of each block that stands beside them. */
export function contentText(content: readonly JsonObject[]): string {
	return content.map((block) => (typeof block.text === "string" ? block.text : `[${blockName(block)}]`)).join("\n");
}

function blockName(block: JsonObject): string {
	const about = isObject(block.resource) ? block.resource : block;
	const text = typeof about.text === "string" ? `${about.text.length} characters` : undefined;
	const size = typeof about.bytes === "number" ? `${about.bytes} bytes` : text;
	const parts = [about.name, about.uri, about.mimeType, size].filter((part) => typeof part === "string");
	const named = [String(block.type), ...parts].join(" ");
	return typeof block.read === "string" ? `${named}; ${block.read}` : named;
}
