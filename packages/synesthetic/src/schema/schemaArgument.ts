import { pathToFileURL } from "node:url";
import type { Assets } from "../assets.ts";
import { isJsonObject, type JsonValue } from "../json/jsonValue.ts";
import { describe } from "../validate/describe.ts";
import type { SchemaDocument } from "../validate/schemaRegistry.ts";
import { Validator } from "../validate/validator.ts";

/** A schema given by name or written out, with the validator that knows it. */
export type SchemaSubject = { readonly document: SchemaDocument; readonly validator: Validator };

/** Reads a schema argument: a name of the catalog, or a schema itself, whose references may reach the catalog. */
export function schemaArgument(value: JsonValue | undefined, name: string, assets: Assets): SchemaSubject | string {
	if (typeof value === "string") {
		const document = assets.findSchema(value);
		if (document === undefined) return `${name}: there is no schema named ${describe(value)}`;
		return { document, validator: assets.validator };
	}
	if (!isJsonObject(value) && typeof value !== "boolean")
		return `${name}: expected a schema or the name of one, got ${value === undefined ? "nothing" : describe(value)}`;
	const document = { uri: pathToFileURL(`/${name}.json`).href, label: name, root: value };
	return { document, validator: new Validator([document, ...assets.catalog.documents]) };
}
