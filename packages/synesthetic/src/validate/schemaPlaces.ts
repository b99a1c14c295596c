import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../json/jsonValue.ts";
import { writePointerStep } from "../json/pointer.ts";

type Shape = "one" | "list" | "map";

const SUBSCHEMAS: Readonly<Record<string, Shape>> = {
	additionalProperties: "one",
	contains: "one",
	contentSchema: "one",
	else: "one",
	if: "one",
	items: "one",
	not: "one",
	propertyNames: "one",
	// biome-ignore lint/suspicious/noThenProperty: the keyword's name
	then: "one",
	unevaluatedItems: "one",
	unevaluatedProperties: "one",
	allOf: "list",
	anyOf: "list",
	oneOf: "list",
	prefixItems: "list",
	$defs: "map",
	definitions: "map",
	dependentSchemas: "map",
	patternProperties: "map",
	properties: "map",
};

/** How a keyword holds subschemas. Values of other keywords (an `$id` in an enum, say) are plain data. */
export function findShape(keyword: string): Shape | undefined {
	return Object.hasOwn(SUBSCHEMAS, keyword) ? SUBSCHEMAS[keyword] : undefined;
}

export type SchemaPlace = { readonly value: JsonValue; readonly pointer: string; readonly keyword: string };

/** The subschemas directly under a schema, with their pointers relative to it. */
export function listSubschemas(schema: JsonObject): SchemaPlace[] {
	const places: SchemaPlace[] = [];
	for (const [keyword, value] of Object.entries(schema)) {
		const shape = findShape(keyword);
		const at = writePointerStep(keyword);
		if (shape === "one") places.push({ value, pointer: at, keyword });
		else if (shape === "list" && isJsonArray(value)) {
			for (const [i, item] of value.entries()) places.push({ value: item, pointer: at + writePointerStep(i), keyword });
		} else if (shape === "map" && isJsonObject(value)) {
			for (const [key, item] of Object.entries(value))
				places.push({ value: item, pointer: at + writePointerStep(key), keyword });
		}
	}
	return places;
}
