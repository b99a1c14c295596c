import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "./jsonValue.ts";

/** How many levels of containers a value has; 0 for a scalar. */
export function depthOf(value: JsonValue): number {
	let depth = 0;
	for (let level = containersOf([value]); level.length > 0; level = level.flatMap(containersOf)) depth += 1;
	return depth;
}

function containersOf(parent: JsonArray | JsonObject): (JsonArray | JsonObject)[] {
	return Object.values(parent).filter((value) => isJsonArray(value) || isJsonObject(value));
}

/** Like `depthOf`, for JSON text. */
export function depthOfText(json: string): number {
	let depth = 0;
	let deepest = 0;
	for (let at = 0; at < json.length; at += 1) {
		switch (json.charCodeAt(at)) {
			case QUOTE:
				at = endOfString(json, at);
				break;
			case OPEN_BRACE:
			case OPEN_BRACKET:
				depth += 1;
				if (depth > deepest) deepest = depth;
				break;
			case CLOSE_BRACE:
			case CLOSE_BRACKET:
				depth -= 1;
		}
	}
	return deepest;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_BRACE, CLOSE_BRACE] = [0x7b, 0x7d];
const [OPEN_BRACKET, CLOSE_BRACKET] = [0x5b, 0x5d];

function endOfString(json: string, quote: number): number {
	for (let at = quote + 1; at < json.length; at += 1) {
		const code = json.charCodeAt(at);
		if (code === QUOTE) return at;
		if (code === BACKSLASH) at += 1;
	}
	return json.length;
}
