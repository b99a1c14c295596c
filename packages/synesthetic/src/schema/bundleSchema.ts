import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from "../json/jsonValue.ts";
import { SchemaProblem } from "../validate/schemaProblem.ts";
import { DRAFT_2020_12, type Located, type SchemaDocument } from "../validate/schemaRegistry.ts";
import { Validator } from "../validate/validator.ts";
import type { SchemaSubject } from "./schemaArgument.ts";
import { walkSchema } from "./walkSchema.ts";

/**
 * One self-contained document: everything the schema refers to, directly or indirectly, is embedded under `$defs` with its
 * own `$id`, as the draft describes bundling. References keep their text where it still resolves.
 */
export function bundleSchema({ document, validator }: SchemaSubject): JsonObject {
	if (!isJsonObject(document.root)) throw new SchemaProblem(`${document.label} has nothing to bundle`);
	const others = reachable(document, validator);
	const embedded = others.map((other): [string, JsonValue] => [other.label, embed(other, validator)]);
	const isNamed = [document, ...others].some((one) => refersByName(one, document, validator));
	const root = isNamed ? embed(document, validator) : rewrite(document.root, document, validator);
	const own = isJsonObject(root.$defs) ? root.$defs : {};
	const bundle = embedded.length === 0 ? root : { ...root, $defs: { ...own, ...Object.fromEntries(embedded) } };
	assertComplete(bundle, document);
	return bundle;
}

function reachable(start: SchemaDocument, validator: Validator): SchemaDocument[] {
	const found = new Set<SchemaDocument>([start]);
	for (const document of found) {
		for (const { schema } of walkSchema(document.root)) {
			const target = referenceOf(schema, document, validator)?.resource.document;
			if (target !== undefined && !isStandard(target)) found.add(target);
		}
	}
	found.delete(start);
	return [...found];
}

// The bundle may be stored anywhere, so file names no longer resolve.
function refersByName(from: SchemaDocument, to: SchemaDocument, validator: Validator): boolean {
	for (const { schema } of walkSchema(from.root))
		if (!String(member(schema, "$ref")).startsWith("#") && fileOf(referenceOf(schema, from, validator)) === to)
			return true;
	return false;
}

/** The document that a reference leads to, unless it leads to a schema embedded there, which has an `$id` of its own. */
function fileOf(target: Located | undefined): SchemaDocument | undefined {
	return target?.resource.root === target?.resource.document.root ? target?.resource.document : undefined;
}

function referenceOf(schema: JsonObject, document: SchemaDocument, validator: Validator): Located | undefined {
	const ref = member(schema, "$ref") ?? member(schema, "$dynamicRef");
	if (typeof ref !== "string") return undefined;
	const located = validator.find(document, ref, schema);
	if (located === undefined)
		throw new SchemaProblem(
			`$ref ${JSON.stringify(ref)} in ${document.label} points at nothing among the schema files`,
			"reference",
		);
	return located;
}

function isStandard(document: SchemaDocument): boolean {
	return document.uri.startsWith(DRAFT_2020_12.slice(0, DRAFT_2020_12.lastIndexOf("/") + 1));
}

function embed(document: SchemaDocument, validator: Validator): JsonObject {
	const { root, label } = document;
	// A schema that is only true or false has no room for a name.
	return { $id: label, ...(isJsonObject(root) ? rewrite(root, document, validator) : { allOf: [root] }) };
}

// A reference that was found by file path, against the `$id`s, is made to name its target's `$id`.
function rewrite(root: JsonObject, document: SchemaDocument, validator: Validator): JsonObject {
	const ids = new Map<JsonObject, string>();
	for (const { schema } of walkSchema(root)) {
		const ref = member(schema, "$ref");
		const target = typeof ref === "string" ? fileOf(referenceOf(schema, document, validator)) : undefined;
		if (typeof ref !== "string" || target === undefined || ref.startsWith("#") || isStandard(target)) continue;
		const id = member(target.root, "$id");
		const base = member(root, "$id");
		const natural = typeof base === "string" ? URL.parse(ref, base)?.href.replace(/#.*$/, "") : undefined;
		if (typeof id === "string" && natural !== id) ids.set(schema, id + (/#.*$/.exec(ref)?.[0] ?? ""));
	}
	return ids.size === 0 ? root : (replaceRefs(root, ids) as JsonObject);
}

function replaceRefs(value: JsonValue, ids: ReadonlyMap<JsonObject, string>): JsonValue {
	if (isJsonArray(value)) return value.map((item) => replaceRefs(item, ids));
	if (!isJsonObject(value)) return value;
	const id = ids.get(value);
	return Object.fromEntries(
		Object.entries(value).map(([key, item]) => [key, key === "$ref" && id !== undefined ? id : replaceRefs(item, ids)]),
	);
}

// Check that the bundle can be used on its own.
function assertComplete(root: JsonObject, { label }: SchemaDocument): void {
	const alone = { uri: "file:///bundle.json", label, root };
	new Validator([alone]).assertUsable(alone);
}
