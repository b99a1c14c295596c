import { isJsonObject, type JsonObject, type JsonValue } from "../json/jsonValue.ts";
import { pointerStep } from "../json/pointer.ts";
import { type Dialect, dialectOf } from "./dialect.ts";
import { type Checks, evaluate, type Keyword, type SchemaNode } from "./evaluation.ts";
import type { KeywordSite, KeywordTable } from "./keywords/keyword.ts";
import { SchemaProblem } from "./schemaProblem.ts";
import type { Located, SchemaDocument, SchemaRegistry, SchemaResource } from "./schemaRegistry.ts";

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
				this.compile(this.#registry.placeOf(value, resource, pointer + steps.map(pointerStep).join(""))),
		};
	}

	#dialect(resource: SchemaResource): Dialect {
		const dialect = this.#dialects.get(resource) ?? dialectOf(resource, this.#registry);
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
