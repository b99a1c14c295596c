import { isObject, type JsonObject } from "./json.ts";

/**
 * The fields that a caller must give: one that has a default may be left out, even where it is listed as required. Widely
 * used generators list it so, as they describe the value that comes out of parsing, and their servers take either.
 */
export function neededNames({ required, properties }: JsonObject): readonly string[] {
	const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
	return isObject(properties) ? names.filter((name) => !hasDefault(properties, name)) : names;
}

function hasDefault(properties: JsonObject, name: string): boolean {
	const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
	return isObject(property) && Object.hasOwn(property, "default");
}
