import type { JsonObject } from "../contract/json.ts";

/** One thing that is wrong with a value, as data; `problemText` has the words for it. */
export type Problem = {
	/** The fields and indices that lead to the place, or to where a missing field belongs. */
	readonly at: readonly string[];
	/** Present when not the value is wrong but the name of one of its fields. */
	readonly ofName?: true;
} & Fault;

export type Fault =
	| { readonly kind: "missing"; readonly allowed?: readonly unknown[]; readonly since?: string }
	/** `known` are the fields there are; empty where they are too many to name, or were named before. */
	| { readonly kind: "unknown"; readonly known: readonly string[] }
	| { readonly kind: "type"; readonly types: readonly string[]; readonly got: unknown }
	| { readonly kind: "enum"; readonly allowed: unknown; readonly got: unknown }
	| { readonly kind: "const"; readonly allowed: unknown; readonly got: unknown }
	/** Fits none of the alternatives, or more than the one it may. */
	| { readonly kind: "none" | "several"; readonly of: readonly Part[]; readonly got: unknown }
	| { readonly kind: "not" | "contains"; readonly part: Part; readonly got: unknown }
	| { readonly kind: "pattern"; readonly pattern: string; readonly got: unknown }
	| { readonly kind: "multipleOf"; readonly factor: number; readonly got: unknown }
	| { readonly kind: "uniqueItems"; readonly alike: readonly [number, number] }
	| { readonly kind: Limit; readonly limit: number; readonly got: unknown }
	/** What only its own words describe. */
	| { readonly kind: "other"; readonly says: string; readonly got?: unknown };

export type Limit = (typeof LIMITS)[number];

export const LIMITS = [
	"minimum",
	"maximum",
	"exclusiveMinimum",
	"exclusiveMaximum",
	"minItems",
	"maxItems",
	"minLength",
	"maxLength",
	"minProperties",
	"maxProperties",
] as const;

/** A piece of a schema, with the whole that its references point into. */
export type Part = { readonly schema: unknown; readonly root: JsonObject };
