import { isEqualJson } from "../json/jsonEqual.ts";
import { isJsonObject, type JsonObject, type JsonValue, readMember } from "../json/jsonValue.ts";
import { listSubschemas } from "../validate/schemaPlaces.ts";
import { type Located, type SchemaDocument, SchemaProblem } from "../validate/schemaRegistry.ts";

/** Where a bundle without a URI of its own will be kept, which nobody knows: no reference may contain this. */
export const UNKNOWN = "bundle:///";
/** Where files without a URI of their own are put, if the bundle has none either. */
const NOWHERE = "https://bundle.invalid/";

/** The URIs that everything has once it is in one bundle, so that references can be compared with them. */
export class BundleUris {
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
export function findSchemaId(schema: JsonValue): string | undefined {
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
