import { isJsonNumber, type JsonValue, member } from "../json/jsonValue.ts";

/** A schema's version: `version`, else `x-schema-version`, else a SemVer segment of its `$id`. */
export function schemaVersion(schema: JsonValue): string {
	for (const name of ["version", "x-schema-version"]) {
		const value = member(schema, name);
		if (typeof value === "string" && value !== "") return value;
		if (isJsonNumber(value)) return typeof value === "number" ? String(value) : value.rawJSON;
	}
	const id = member(schema, "$id");
	return typeof id === "string" ? (/(?:^|[/:])v?(\d+\.\d+\.\d+(?:-[\w.]+)?)(?:[/:#]|$)/.exec(id)?.[1] ?? "") : "";
}
