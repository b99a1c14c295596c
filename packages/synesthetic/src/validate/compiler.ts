import { isJsonObject, type JsonObject, type JsonValue, readMember } from "../json/jsonValue.ts";
import { writePointerStep } from "../json/pointer.ts";
import { type Dialect, findDialect } from "./dialect.ts";
import { type Checks, evaluate, type Keyword, type SchemaNode } from "./evaluation.ts";
import type { KeywordSite, KeywordTable } from "./keywords/keyword.ts";
import { listSubschemas } from "./schemaPlaces.ts";
import {
	type Located,
	type SchemaDocument,
	SchemaProblem,
	type SchemaRegistry,
	type SchemaResource,
} from "./schemaRegistry.ts";

/**
 * Compiles schemas to closures, each subschema once. It compiles all reachable schemas, to find missing targets early.
 */
export class Compiler {
	readonly #registry: SchemaRegistry;
	readonly #inspect: (document: SchemaDocument, part?: Located) => void;
	readonly #nodes = new WeakMap<object, SchemaNode>();
	readonly #dialects = new Map<SchemaResource, Dialect>();

	/**
	 * `inspect` is called for each document before its first use, and for each part that is used as a schema only because
	 * a reference points at it.
	 */
	constructor(registry: SchemaRegistry, inspect: (document: SchemaDocument, part?: Located) => void) {
		this.#registry = registry;
		this.#inspect = inspect;
	}

	compile(place: Located): SchemaNode {
		const { schema, resource, pointer } = place;
		this.#inspect(resource.document);
		const known = typeof schema === "object" && schema !== null ? this.#nodes.get(schema) : undefined;
		if (known !== undefined) return known;
		const location = `${resource.document.label}#${pointer}`;
		const scope = resource.dynamicAnchors.size === 0 ? undefined : resource;
		const never = schema === false;
		const whole: Checks = [(value, run, at, seen) => evaluate(node, value, run, at, seen)];
		const node: SchemaNode = { scope, location, keywords: [], late: [], never, plans: [], whole };
		if (node.never)
			node.keywords.push(() => [(_, run, at) => run.fail(at, node, "", () => "no value is allowed here")]);
		if (typeof schema === "boolean") return node;
		if (!isJsonObject(schema)) throw new SchemaProblem(`${location} is not a schema`);
		this.#nodes.set(schema, node);
		try {
			const dialect = this.#dialect(resource);
			const site = this.#site(node, schema, place);
			node.keywords.push(...keywordsOf(schema, dialect.keywords, site));
			node.late.push(...keywordsOf(schema, dialect.late, site));
		} catch (error) {
			this.#nodes.delete(schema);
			throw error;
		}
		return node;
	}

	#site(node: SchemaNode, schema: JsonObject, { resource, pointer }: Located): KeywordSite {
		const locate = (ref: string): Located => {
			const target = this.#registry.resolve(ref, resource);
			if (!this.#registry.isInPlace(target.schema)) this.#inspect(target.resource.document, target);
			return target;
		};
		return {
			node,
			schema,
			resource,
			locate,
			target: (ref) => this.compile(locate(ref)),
			compile: (place) => this.compile(place),
			sub: (value: JsonValue, ...steps) =>
				this.compile(this.#registry.placeOf(value, resource, pointer + steps.map(writePointerStep).join(""))),
		};
	}

	#dialect(resource: SchemaResource): Dialect {
		const dialect = this.#dialects.get(resource) ?? findDialect(resource, this.#registry);
		this.#dialects.set(resource, dialect);
		return dialect;
	}
}

function keywordsOf(schema: JsonObject, table: KeywordTable, site: KeywordSite): Keyword[] {
	const keywords: Keyword[] = [];
	for (const [name, compile] of Object.entries(table)) {
		const value = Object.hasOwn(schema, name) ? schema[name] : undefined;
		const keyword = value === undefined ? undefined : compile(value, site);
		if (keyword !== undefined) keywords.push(keyword);
	}
	return keywords;
}

/**
 * Finds a schema that leads back to itself without descending into the value, so that checking a value might never end;
 * undefined if no reachable schema does. Each schema is visited once, however many references lead to it.
 */
export function findEndlessReference(start: Located, registry: SchemaRegistry): Located | undefined {
	const pending = [start];
	const open = new Set<JsonValue>();
	const done = new Set<JsonValue>();
	const follow = (place: Located): Located | undefined => {
		const { schema } = place;
		if (!isJsonObject(schema) || done.has(schema)) return undefined;
		if (open.has(schema)) return place;
		open.add(schema);
		for (const { next, isInside } of stepsFrom(place, schema, registry)) {
			const endless = isInside ? undefined : follow(next);
			if (endless !== undefined) return endless;
			if (isInside) pending.push(next);
		}
		open.delete(schema);
		done.add(schema);
		return undefined;
	};
	for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
		const endless = follow(place);
		if (endless !== undefined) return endless;
	}
	return undefined;
}

/** `isInside`: the next schema applies to members or items, not to the value itself. */
type Step = { readonly next: Located; readonly isInside: boolean };

function* stepsFrom({ resource, pointer }: Located, schema: JsonObject, registry: SchemaRegistry): Generator<Step> {
	for (const keyword of ["$ref", "$dynamicRef"]) {
		const ref = readMember(schema, keyword);
		const next = typeof ref === "string" ? registry.find(ref, resource) : undefined;
		if (next !== undefined) yield { next, isInside: false };
	}
	for (const { value, pointer: step, keyword } of listSubschemas(schema)) {
		if (NOT_APPLIED.has(keyword)) continue;
		yield { next: registry.placeOf(value, resource, pointer + step), isInside: !ON_THE_VALUE.has(keyword) };
	}
}

const NOT_APPLIED = new Set(["$defs", "definitions", "contentSchema"]);
const ON_THE_VALUE = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"]);
