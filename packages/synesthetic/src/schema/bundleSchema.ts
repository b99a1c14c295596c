import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, readMember } from "../json/jsonValue.ts";
import { writePointerStep } from "../json/pointer.ts";
import { DRAFT_2020_12, type Located, type SchemaDocument, SchemaProblem } from "../validate/schemaRegistry.ts";
import { Validator } from "../validate/validator.ts";
import { BundleUris, findSchemaId, UNKNOWN } from "./bundleUris.ts";
import { type SchemaSubject, walkSchema } from "./schemaArgument.ts";

/**
 * One self-contained document: everything the schema refers to, directly or indirectly, is embedded under `$defs` with
 * an `$id`, as the draft describes bundling. References keep their text where it still means the same.
 */
export function bundleSchema({ document, validator }: SchemaSubject): JsonObject {
	if (!isJsonObject(document.root)) throw new SchemaProblem(`${document.label} has nothing to bundle`);
	const others = reachable(document, validator);
	const embeddable = rewriteAll([document, ...others], validator);
	const root = embeddable.get(document) ?? document.root;
	const own = isJsonObject(root.$defs) ? root.$defs : {};
	const embedded = others.map((other) => [freeName(other.label, own), embeddable.get(other) ?? other.root]);
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
		for (const { target } of referencesIn(document, validator))
			if (!isStandard(target.resource.document)) found.add(target.resource.document);
	}
	found.delete(start);
	return [...found];
}

type Reference = {
	readonly ref: string;
	readonly from: JsonObject;
	readonly pointer: string;
	readonly target: Located;
};

function* referencesIn(document: SchemaDocument, validator: Validator): Generator<Reference> {
	for (const { schema: from, pointer } of walkSchema(document.root)) {
		for (const keyword of ["$ref", "$dynamicRef"]) {
			const ref = readMember(from, keyword);
			if (typeof ref !== "string") continue;
			const target = validator.find(document, ref, from);
			if (target === undefined)
				throw new SchemaProblem(
					`${keyword} ${JSON.stringify(ref)} in ${document.label} points at nothing among the schema files`,
					"reference",
				);
			yield { ref, from, pointer: pointer + writePointerStep(keyword), target };
		}
	}
}

function isStandard(document: SchemaDocument): boolean {
	return document.uri.startsWith(DRAFT_2020_12.slice(0, DRAFT_2020_12.lastIndexOf("/") + 1));
}

/** Copies of the documents that can be embedded. The first gets an `$id` only if something refers to it by its file. */
function rewriteAll(
	documents: readonly SchemaDocument[],
	validator: Validator,
	isNamed: boolean = false,
): Map<SchemaDocument, JsonObject> {
	const uris = new BundleUris(documents, isNamed);
	const copies = new Map<SchemaDocument, JsonObject>();
	for (const document of documents) {
		const refs = rewrittenReferences(document, validator, uris);
		if ([...refs.values()].some((ref) => ref.startsWith(UNKNOWN))) return rewriteAll(documents, validator, true);
		copies.set(document, withId(rewrite(document, refs), uris.ofFile(document)));
	}
	return copies;
}

/** The references that would lead elsewhere in the bundle, by their pointers. */
function rewrittenReferences(document: SchemaDocument, validator: Validator, uris: BundleUris): Map<string, string> {
	const refs = new Map<string, string>();
	for (const { ref, from, pointer, target } of referencesIn(document, validator)) {
		const uri = uris.ofTarget(target);
		if (uris.meaningOf(ref, from) !== uri) refs.set(pointer, uri + uris.fragmentIn(target, ref));
	}
	return refs;
}

function rewrite({ root, spelt }: SchemaDocument, refs: ReadonlyMap<string, string>): JsonObject {
	// A schema that is just `true` or `false` cannot carry an `$id`.
	if (!isJsonObject(root)) return { allOf: [root] };
	const written = isJsonObject(spelt) ? spelt : root;
	return refs.size === 0 ? written : (replaceAt(refs, written, "") as JsonObject);
}

function replaceAt(values: ReadonlyMap<string, JsonValue>, value: JsonValue, pointer: string): JsonValue {
	const inside = (inner: JsonValue, key: string | number): JsonValue =>
		replaceAt(values, inner, pointer + writePointerStep(key));
	if (isJsonArray(value)) return value.map(inside);
	if (!isJsonObject(value)) return values.get(pointer) ?? value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item, key)]));
}

function withId(schema: JsonObject, uri: string): JsonObject {
	if (uri.startsWith(UNKNOWN) || URL.canParse(findSchemaId(schema) ?? "")) return schema;
	const { $id: _, ...rest } = schema;
	return { $id: uri, ...rest };
}

// Check that the bundle can be used on its own.
function assertComplete(root: JsonObject, { label }: SchemaDocument): void {
	const alone = { uri: UNKNOWN, label, root };
	new Validator([alone]).assertUsable(alone);
}
