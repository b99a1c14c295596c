import { isEqualJson } from "../json/jsonEqual.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, readMember } from "../json/jsonValue.ts";
import { writePointerStep } from "../json/pointer.ts";
import { listSubschemas } from "../validate/schemaPlaces.ts";
import { DRAFT_2020_12, type Located, type SchemaDocument, SchemaProblem } from "../validate/schemaRegistry.ts";
import { Validator } from "../validate/validator.ts";
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

/** Where a bundle without a URI of its own will be kept, which nobody knows: no reference may contain this. */
const UNKNOWN = "bundle:///";
/** Where files without a URI of their own are put, if the bundle has none either. */
const NOWHERE = "https://bundle.invalid/";

/** The URIs that everything has once it is in one bundle, so that references can be compared with them. */
class BundleUris {
	readonly #files = new Map<SchemaDocument, string>();
	readonly #bases = new Map<JsonValue, string>();
	/** Where each embedded `$id` is in its file. */
	readonly #pointers = new Map<JsonValue, string>();
	readonly #claims = new Map<string, { readonly schema: JsonValue; readonly label: string }>();

	/** `isNamed`: the bundle itself, which is the first document, needs a URI too. */
	constructor(documents: readonly SchemaDocument[], isNamed: boolean) {
		const [first] = documents;
		const home = (first && homeOf(first)) ?? NOWHERE;
		for (const document of documents) {
			const isUnknown = document === first && !isNamed;
			const place = isUnknown ? UNKNOWN : resolved(pathOf(document), home);
			const uri = resolved(findSchemaId(document.root) ?? "", place);
			this.#files.set(document, uri);
			this.#claim(uri, document.root, document);
			this.#enter(document, uri);
		}
	}

	/** The file's URI. It has to be written into the bundle unless the file says it itself. */
	ofFile(document: SchemaDocument): string {
		return this.#files.get(document) ?? document.uri;
	}

	/** The URI of the nearest schema with an `$id` around the target of a reference. */
	ofTarget({ resource: { root, document, uri } }: Located): string {
		return (root === document.root ? this.#files.get(document) : this.#bases.get(root)) ?? uri;
	}

	/** The fragment of a reference, counted from that schema: a pointer may come from farther out. */
	fragmentIn({ resource: { root }, pointer }: Located, ref: string): string {
		const fragment = /#.*$/s.exec(ref)?.[0] ?? "";
		const outer = fragment.startsWith("#/") ? this.#pointers.get(root) : undefined;
		if (outer === undefined) return fragment;
		const inner = pointer.slice(outer.length);
		return inner === "" ? "" : `#${encodeURI(inner).replaceAll("#", "%23")}`;
	}

	/** What a reference written in that schema means by the rules of the draft alone, without its fragment. */
	meaningOf(ref: string, from: JsonObject): string | undefined {
		return URL.parse(ref, this.#bases.get(from))?.href.replace(/#.*$/s, "");
	}

	#enter(document: SchemaDocument, uri: string): void {
		type Place = { readonly value: JsonValue; readonly base: string; readonly pointer: string };
		const pending: Place[] = [{ value: document.root, base: uri, pointer: "" }];
		for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
			const { value, base, pointer } = place;
			if (!isJsonObject(value)) continue;
			const id = value === document.root ? undefined : findSchemaId(value);
			const own = id === undefined ? base : resolved(id, base);
			if (id !== undefined) {
				this.#claim(own, value, document);
				this.#pointers.set(value, pointer);
			}
			this.#bases.set(value, own);
			for (const below of listSubschemas(value))
				pending.push({ value: below.value, base: own, pointer: pointer + below.pointer });
		}
	}

	// Files may hold copies of the same schema, but a URI cannot mean two different ones.
	#claim(uri: string, schema: JsonValue, { label }: SchemaDocument): void {
		const known = this.#claims.get(uri);
		if (known !== undefined && !isEqualJson(known.schema, schema))
			throw new SchemaProblem(`${known.label} and ${label} have different schemas with the $id ${JSON.stringify(uri)}`);
		this.#claims.set(uri, { schema, label });
	}
}

/** The schema's `$id`, if it gives it a URI. */
function findSchemaId(schema: JsonValue): string | undefined {
	const id = readMember(schema, "$id");
	return typeof id === "string" && !id.startsWith("#") ? id : undefined;
}

function homeOf(document: SchemaDocument): string | undefined {
	const id = findSchemaId(document.root);
	// A URN, for example, cannot be the base of anything.
	return URL.parse(pathOf(document), id) === null ? undefined : id;
}

/** The path of the file in the folder of schemas, as part of a URI. */
function pathOf({ uri, label }: SchemaDocument): string {
	return uri.split("/").slice(-label.split("/").length).join("/");
}

function resolved(reference: string, base: string): string {
	const url = URL.parse(reference, base);
	if (url === null) throw new SchemaProblem(`$id ${JSON.stringify(reference)} is not a URI reference`);
	url.hash = "";
	return url.href;
}
