import { readFileSync } from "node:fs";
import { parseJson } from "../json/parseJson.ts";
import { DRAFT_2020_12, type SchemaDocument } from "./schemaRegistry.ts";

const FOLDER = new URL("../../assets/metaschema/", import.meta.url);
const BASE = "https://json-schema.org/draft/2020-12/";
const VOCABULARIES = ["core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content"];

/** Draft 2020-12's own schema and the vocabularies it is made of, as published. */
export function metaschemaDocuments(): SchemaDocument[] {
	return ["schema", ...VOCABULARIES.map((name) => `meta/${name}`)].map((name) => ({
		uri: name === "schema" ? DRAFT_2020_12 : `${BASE}${name}`,
		label: `draft 2020-12 ${name}`,
		root: parseJson(readFileSync(new URL(`${name}.json`, FOLDER), "utf8")),
	}));
}
