import { isJsonObject, type JsonObject, type JsonValue } from "../json/jsonValue.ts";
import { subschemas } from "../validate/schemaPlaces.ts";

export type SchemaVisit = { readonly schema: JsonObject; readonly pointer: string; readonly keyword: string };

/** Every subschema of a document, the root first, except those that are just `true` or `false`. */
export function* walkSchema(root: JsonValue): Generator<SchemaVisit> {
	const pending: { value: JsonValue; pointer: string; keyword: string }[] = [{ value: root, pointer: "", keyword: "" }];
	for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
		const { value, pointer, keyword } = place;
		if (!isJsonObject(value)) continue;
		yield { schema: value, pointer, keyword };
		for (const below of subschemas(value))
			pending.push({ value: below.value, pointer: pointer + below.pointer, keyword: below.keyword });
	}
}
