import { isObject, type JsonObject } from "./json.ts";

/**
 * The fields that a caller must give. A field with a default may be left out even if it is listed as required: widely
 * used generators list it, because they describe the parsed value, and their servers accept both.
 */
export function neededNames({ required, properties }: JsonObject): readonly string[] {
	const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
	return isObject(properties) ? names.filter((name) => !hasDefault(properties, name)) : names;
}

function hasDefault(properties: JsonObject, name: string): boolean {
	const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
	return isObject(property) && Object.hasOwn(property, "default");
}
