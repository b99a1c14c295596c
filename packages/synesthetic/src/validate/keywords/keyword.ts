import type { JsonKind, JsonObject, JsonOfKind, JsonValue } from "../../json/jsonValue.ts";
import type { Check, Keyword, SchemaNode } from "../evaluation.ts";
import type { Located, SchemaResource } from "../schemaRegistry.ts";

/** What the compiler of a keyword gets: its schema, and functions that compile subschemas and references. */
export type KeywordSite = {
	readonly node: SchemaNode;
	readonly schema: JsonObject;
	/** The compiled subschema at these steps below the schema. */
	sub(value: JsonValue, ...steps: (string | number)[]): SchemaNode;
	/** The compiled target of a reference. */
	target(ref: string): SchemaNode;
	/**
	 * `locate` finds a reference's target; `compile` compiles that, or the place that replaces it in the dynamic scope.
	 */
	locate(ref: string): Located;
	compile(place: Located): SchemaNode;
	readonly resource: SchemaResource;
};

/** A keyword that applies to every kind of value. */
export function checkAlways(check: Check<JsonValue>): Keyword {
	const checks = [check];
	return () => checks;
}

/** A keyword that applies to one kind of value. */
export function checkKind<K extends JsonKind>(kind: K, check: Check<JsonOfKind[K]>): Keyword {
	return (met) => (met === kind ? [check as Check<JsonValue>] : []);
}

/** Turns a keyword's value into a check; undefined when that value restricts nothing. */
export type KeywordCompiler = (value: JsonValue, site: KeywordSite) => Keyword | undefined;

export type KeywordTable = Readonly<Record<string, KeywordCompiler>>;
