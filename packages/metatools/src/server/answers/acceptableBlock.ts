import { isObject, type JsonObject } from "../../contract/json.ts";

/**
 * Returns a content block without optional members of the wrong type, which some servers set to null. If the block is still
 * invalid, returns the reason as text: clients of the official SDK drop the whole answer for one bad block.
 */
export function makeBlockAcceptable(block: JsonObject): JsonObject | string {
	const kept = withoutFaults(block);
	switch (block.type) {
		case "image":
		case "audio":
			if (typeof kept.mimeType !== "string") return "it has no mimeType";
			return isBase64(kept.data) ? kept : "its data is not base64";
		case "resource_link":
			return typeof kept.uri === "string" && typeof kept.name === "string" ? kept : "it has no uri or no name";
		case "resource": {
			if (!isObject(kept.resource) || typeof kept.resource.uri !== "string") return "it has no uri";
			const resource = withoutFaults(kept.resource);
			if (typeof resource.text === "string" || isBase64(resource.blob)) return { ...kept, resource };
			return resource.blob === undefined ? "it has no text and no blob" : "its blob is not base64";
		}
		default:
			return "clients do not know its type";
	}
}

const isText = (value: unknown): boolean => typeof value === "string";

const OPTIONAL: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
	["mimeType", isText],
	["title", isText],
	["description", isText],
	["size", (value) => typeof value === "number"],
	["icons", (value) => Array.isArray(value) && value.every(isIcon)],
	["annotations", isAnnotations],
	["_meta", isObject],
]);

function withoutFaults(holder: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(holder).filter(([name, value]) => OPTIONAL.get(name)?.(value) ?? true));
}

function isIcon(icon: unknown): boolean {
	if (!isObject(icon) || !isText(icon.src)) return false;
	const { mimeType = "", sizes = [], theme = "light" } = icon;
	return isText(mimeType) && Array.isArray(sizes) && sizes.every(isText) && (theme === "light" || theme === "dark");
}

function isAnnotations(value: unknown): boolean {
	if (!isObject(value)) return false;
	const { audience = [], priority = 0, lastModified } = value;
	return (
		Array.isArray(audience) &&
		audience.every((who) => who === "user" || who === "assistant") &&
		typeof priority === "number" &&
		priority >= 0 &&
		priority <= 1 &&
		(lastModified === undefined || (typeof lastModified === "string" && MOMENT.test(lastModified)))
	);
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Uses `atob`, as clients of the official SDK do. */
function isBase64(text: unknown): boolean {
	if (typeof text !== "string") return false;
	try {
		atob(text);
		return true;
	} catch {
		// It throws for whatever is no base64.
		return false;
	}
}
