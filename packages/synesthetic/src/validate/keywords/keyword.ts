import type { JsonKind, JsonObject, JsonOfKind, JsonValue } from "../../json/jsonValue.ts";
import type { Check, Keyword, SchemaNode } from "../evaluation.ts";
import type { Located, SchemaResource } from "../schemaRegistry.ts";

/** What a keyword may ask for while its schema is compiled. */
export type KeywordSite = {
	readonly node: SchemaNode;
	readonly schema: JsonObject;
	/** The compiled subschema at these steps below the schema. */
	sub(value: JsonValue, ...steps: (string | number)[]): SchemaNode;
	/** The compiled target of a reference. */
	target(ref: string): SchemaNode;
	/** The target of a reference, and the compiler for whichever place the dynamic scope puts in its stead. */
	locate(ref: string): Located;
	compile(place: Located): SchemaNode;
	readonly resource: SchemaResource;
};

/** A keyword that applies to every kind of value. */
export function always(check: Check<JsonValue>): Keyword {
	const checks = [check];
	return () => checks;
}

/** A keyword that applies to one kind of value. */
export function on<K extends JsonKind>(kind: K, check: Check<JsonOfKind[K]>): Keyword {
	return (met) => (met === kind ? [check as Check<JsonValue>] : []);
}

/** Turns a keyword's value into a check; undefined when that value asks for nothing. */
export type KeywordCompiler = (value: JsonValue, site: KeywordSite) => Keyword | undefined;

export type KeywordTable = Readonly<Record<string, KeywordCompiler>>;
