import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from "../json/jsonValue.ts";
import { pointerStep } from "../json/pointer.ts";
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
	const isNamed = [document, ...others].some((one) => refersByName(one, document, validator));
	const root = isNamed ? embed(document, validator) : rewrite(document, document.root, validator);
	const own = isJsonObject(root.$defs) ? root.$defs : {};
	const embedded = others.map((other): [string, JsonValue] => [freeName(other.label, own), embed(other, validator)]);
	const bundle = embedded.length === 0 ? root : { ...root, $defs: { ...own, ...Object.fromEntries(embedded) } };
	assertComplete(bundle, document);
	return bundle;
}

// Embedded schemas are found by their `$id`, so any name does that the schema itself does not use.
function freeName(label: string, taken: JsonObject): string {
	let name = label;
	while (Object.hasOwn(taken, name)) name += "~";
	return name;
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

/**
 * The document that a reference leads to; undefined if it leads to an embedded schema, which has an `$id` of its own.
 */
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
	// A schema that is just `true` or `false` cannot carry an `$id`.
	return { $id: label, ...(isJsonObject(root) ? rewrite(document, root, validator) : { allOf: [root] }) };
}

/** Copies the document. References that resolve by file path but not by `$id` are rewritten to their target's `$id`. */
function rewrite(document: SchemaDocument, root: JsonObject, validator: Validator): JsonObject {
	const refs = new Map<string, string>();
	for (const { schema, pointer } of walkSchema(root)) {
		const ref = member(schema, "$ref");
		const target = typeof ref === "string" ? fileOf(referenceOf(schema, document, validator)) : undefined;
		if (typeof ref !== "string" || target === undefined || ref.startsWith("#") || isStandard(target)) continue;
		const id = member(target.root, "$id");
		const base = member(root, "$id");
		const natural = typeof base === "string" ? URL.parse(ref, base)?.href.replace(/#.*$/, "") : undefined;
		if (typeof id === "string" && natural !== id)
			refs.set(`${pointer}${pointerStep("$ref")}`, id + (/#.*$/.exec(ref)?.[0] ?? ""));
	}
	const written = isJsonObject(document.spelt) ? document.spelt : root;
	return refs.size === 0 ? written : (replaceAt(refs, written, "") as JsonObject);
}

function replaceAt(values: ReadonlyMap<string, JsonValue>, value: JsonValue, pointer: string): JsonValue {
	const inside = (inner: JsonValue, key: string | number): JsonValue =>
		replaceAt(values, inner, pointer + pointerStep(key));
	if (isJsonArray(value)) return value.map(inside);
	if (!isJsonObject(value)) return values.get(pointer) ?? value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item, key)]));
}

// Check that the bundle can be used on its own.
function assertComplete(root: JsonObject, { label }: SchemaDocument): void {
	const alone = { uri: "file:///bundle.json", label, root };
	new Validator([alone]).assertUsable(alone);
}
