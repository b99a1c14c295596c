import { pathToFileURL } from "node:url";
import type { Assets } from "../assets.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/jsonValue.ts";
import { describeValue } from "../validate/describe.ts";
import { listSubschemas } from "../validate/schemaPlaces.ts";
import type { SchemaDocument } from "../validate/schemaRegistry.ts";
import { Validator } from "../validate/validator.ts";

/** A schema given by name or written out, with the validator that knows it. */
export type SchemaSubject = { readonly document: SchemaDocument; readonly validator: Validator };

/** Reads a schema argument: a name of the catalog, or a schema itself, whose references may reach the catalog. */
export function readSchemaArgument(value: JsonValue | undefined, name: string, assets: Assets): SchemaSubject | string {
	if (typeof value === "string") {
		const document = assets.findSchema(value);
		if (document === undefined) return `${name}: there is no schema named ${describeValue(value)}`;
		return { document, validator: assets.validator };
	}
	if (!isJsonObject(value) && typeof value !== "boolean")
		return `${name}: expected a schema or the name of one, got ${value === undefined ? "nothing" : describeValue(value)}`;
	const document = { uri: pathToFileURL(`/${name}.json`).href, label: name, root: value };
	return { document, validator: new Validator([document, ...assets.catalog.documents]) };
}

type SchemaVisit = { readonly schema: JsonObject; readonly pointer: string; readonly keyword: string };

/** Every subschema of a document, the root first, except those that are just `true` or `false`. */
export function* walkSchema(root: JsonValue): Generator<SchemaVisit> {
	const pending: { value: JsonValue; pointer: string; keyword: string }[] = [{ value: root, pointer: "", keyword: "" }];
	for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
		const { value, pointer, keyword } = place;
		if (!isJsonObject(value)) continue;
		yield { schema: value, pointer, keyword };
		for (const below of listSubschemas(value))
			pending.push({ value: below.value, pointer: pointer + below.pointer, keyword: below.keyword });
	}
}
