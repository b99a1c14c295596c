import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "./jsonValue.ts";

/** How many containers lie one inside the other at most. */
export function depthOf(value: JsonValue): number {
	let depth = 0;
	for (let level = containersOf([value]); level.length > 0; level = level.flatMap(containersOf)) depth += 1;
	return depth;
}

function containersOf(parent: JsonArray | JsonObject): (JsonArray | JsonObject)[] {
	return Object.values(parent).filter((value) => isJsonArray(value) || isJsonObject(value));
}
