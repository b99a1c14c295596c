import { readFileSync } from "node:fs";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, readMember } from "../json/jsonValue.ts";
import { parseJson } from "../json/parseJson.ts";
import { findChild, splitPointer, writePointerStep } from "../json/pointer.ts";
import { listSubschemas } from "./schemaPlaces.ts";

/** A schema file: its URI, its name in messages, and its content. */
export type SchemaDocument = {
	readonly uri: string;
	readonly label: string;
	readonly root: JsonValue;
	/** `root` with every number spelt as in the file, for tools that return the schema. */
	readonly spelt?: JsonValue;
};

/** A schema with a URI of its own: a document's root or an embedded `$id`. */
export type SchemaResource = {
	readonly uri: string;
	readonly document: SchemaDocument;
	readonly root: JsonValue;
	/** `$schema` of the resource, or of the one it is embedded in. */
	readonly dialect: string;
	readonly anchors: Map<string, Located>;
	readonly dynamicAnchors: Map<string, Located>;
};

/** A subschema, the resource it belongs to, and its pointer from the document's root. */
export type Located = { readonly schema: JsonValue; readonly resource: SchemaResource; readonly pointer: string };

export const DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema";

/** All schemas that references can reach. Nothing is ever fetched. */
export class SchemaRegistry {
	readonly #resources = new Map<string, SchemaResource>();
	/** Each document's own resources. They come first inside that document, even if another file claims the same URI. */
	readonly #own = new Map<SchemaDocument, Map<string, SchemaResource>>();
	readonly #located = new WeakMap<object, Located>();

	/** The first document to claim a URI keeps it. */
	add(document: SchemaDocument): Located {
		const root = this.#resource(document, document.root, document.uri, DRAFT_2020_12);
		if (!this.#resources.has(document.uri)) this.#resources.set(document.uri, root);
		this.#own.set(document, new Map([[document.uri, root]]));
		this.#index({ schema: document.root, resource: root, pointer: "" });
		return this.placeOf(document.root, root, "");
	}

	/** The target of a reference written in that resource. @throws SchemaProblem when there is none. */
	resolve(ref: string, from: SchemaResource): Located {
		return this.find(ref, from) ?? fail(ref, from);
	}

	find(ref: string, from: SchemaResource): Located | undefined {
		const [target, fragment] = this.#target(ref, from) ?? [undefined, ""];
		if (target === undefined) return undefined;
		if (fragment === "") return this.placeOf(target.root, target, "");
		return fragment.startsWith("/") ? this.#byPointer(target, fragment) : target.anchors.get(fragment);
	}

	// Also tries the file's path, so that relative references between files work even if the `$id`s do not fit together.
	#target(ref: string, from: SchemaResource): [SchemaResource, string] | undefined {
		for (const base of new Set([from.uri, from.document.uri])) {
			const url = URL.parse(ref, base);
			if (url === null) continue;
			const fragment = decodeFragment(url.hash.slice(1));
			url.hash = "";
			const found = this.#own.get(from.document)?.get(url.href) ?? this.#resources.get(url.href);
			if (found !== undefined && fragment !== undefined) return [found, fragment];
		}
		return undefined;
	}

	#byPointer(target: SchemaResource, fragment: string): Located | undefined {
		let value: JsonValue | undefined = target.root;
		let located = this.placeOf(target.root, target, "");
		for (const token of splitPointer(fragment) ?? [undefined]) {
			if (token === undefined || value === undefined) return undefined;
			const step: string = isJsonArray(value) ? writePointerStep(Number(token)) : writePointerStep(token);
			value = findChild(value, token);
			if (value === undefined) return undefined;
			located = this.placeOf(value, located.resource, located.pointer + step);
		}
		return isJsonObject(located.schema) || typeof located.schema === "boolean" ? located : undefined;
	}

	/** The place of a schema: the one found while indexing, which accounts for embedded resources, else the one given. */
	placeOf(schema: JsonValue, resource: SchemaResource, pointer: string): Located {
		const known = typeof schema === "object" && schema !== null ? this.#located.get(schema) : undefined;
		return known ?? { schema, resource, pointer };
	}

	/** Whether the value stands where the draft expects a schema, so that checking its document has checked it too. */
	isInPlace(schema: JsonValue): boolean {
		return typeof schema !== "object" || schema === null || this.#located.has(schema);
	}

	#index(start: Located): void {
		const pending: Located[] = [start];
		for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
			const { schema, pointer } = place;
			if (!isJsonObject(schema)) continue;
			const resource = this.#enter(place);
			const here = { schema, resource, pointer };
			this.#located.set(schema, here);
			anchor(here);
			for (const { value, pointer: step } of listSubschemas(schema)) {
				pending.push({ schema: value, resource, pointer: pointer + step });
			}
		}
	}

	// An `$id` starts a resource of its own; on a document's root it is a second URI beside the file's.
	#enter({ schema, resource, pointer }: Located): SchemaResource {
		const id = readMember(schema, "$id");
		if (typeof id !== "string" || id.startsWith("#")) return resource;
		const url = URL.parse(id, resource.uri);
		if (url === null)
			throw new SchemaProblem(`$id ${JSON.stringify(id)} is not a URI reference`, "unusable", `${pointer}/$id`);
		url.hash = "";
		const own = this.#resource(resource.document, schema, url.href, resource.dialect);
		for (const resources of [this.#resources, this.#own.get(resource.document)]) {
			if (resources?.has(url.href) === false) resources.set(url.href, own);
			if (schema === resource.document.root) resources?.set(resource.document.uri, own);
		}
		return own;
	}

	#resource(document: SchemaDocument, root: JsonValue, uri: string, inherited: string): SchemaResource {
		const declared = readMember(root, "$schema");
		const dialect = typeof declared === "string" ? declared.replace(/#$/, "") : inherited;
		return { uri, document, root, dialect, anchors: new Map(), dynamicAnchors: new Map() };
	}
}

function anchor(here: Located & { schema: JsonObject }): void {
	const { $anchor, $dynamicAnchor } = {
		$anchor: readMember(here.schema, "$anchor"),
		$dynamicAnchor: readMember(here.schema, "$dynamicAnchor"),
	};
	if (typeof $anchor === "string") here.resource.anchors.set($anchor, here);
	if (typeof $dynamicAnchor === "string") {
		here.resource.anchors.set($dynamicAnchor, here);
		here.resource.dynamicAnchors.set($dynamicAnchor, here);
	}
}

function decodeFragment(fragment: string): string | undefined {
	try {
		return decodeURIComponent(fragment);
	} catch {
		return undefined;
	}
}

function fail(ref: string, from: SchemaResource): never {
	throw new SchemaProblem(
		`$ref ${JSON.stringify(ref)} in ${from.document.label} points at nothing among the schema files (the network is never used)`,
		"reference",
	);
}

const FOLDER = new URL("../../assets/metaschema/", import.meta.url);
const BASE = "https://json-schema.org/draft/2020-12/";
const VOCABULARIES = ["core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content"];

/** Draft 2020-12's own schema and the vocabularies it is made of, as published. */
export function loadMetaschemas(): SchemaDocument[] {
	return ["schema", ...VOCABULARIES.map((name) => `meta/${name}`)].map((name) => ({
		uri: name === "schema" ? DRAFT_2020_12 : `${BASE}${name}`,
		label: `draft 2020-12 ${name}`,
		root: parseJson(readFileSync(new URL(`${name}.json`, FOLDER), "utf8")),
	}));
}

/**
 * `reference`: a reference has no target. `malformed`: the metaschema rejects the schema. `unusable`: anything else.
 */
type SchemaProblemKind = "reference" | "malformed" | "unusable";

/** Why a schema cannot be used at all. No value is ever reported as valid against such a schema. */
export class SchemaProblem extends Error {
	override readonly name = "SchemaProblem";
	readonly kind: SchemaProblemKind;
	/** A pointer to the mistake in the schema's document, if it is known where it is thrown. */
	readonly path: string | undefined;

	constructor(message: string, kind: SchemaProblemKind = "unusable", path?: string) {
		super(message);
		this.kind = kind;
		this.path = path;
	}
}
