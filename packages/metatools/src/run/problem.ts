import type { JsonObject } from "../contract/json.ts";

/** One thing that is wrong with a value, as data; `problemText` has the words for it. */
export type Problem = {
	/** The fields and indices that lead to the place, or to where a missing field belongs. */
	readonly at: readonly string[];
	/** Present if the name of a field is wrong, not the value. */
	readonly ofName?: true;
	/** Present if the value may hold a secret, so that it is not quoted. */
	readonly isSecret?: true;
} & Flaw;

export type Flaw =
	| {
			readonly kind: "missing";
			readonly allowed?: readonly unknown[];
			/** Values that the schema gives as examples. */
			readonly examples?: readonly unknown[];
			readonly since?: string;
	  }
	/** `known` are the valid fields; empty if one was `meant`, or if they are too many or listed already. */
	| { readonly kind: "unknown"; readonly meant?: string; readonly known: readonly string[] }
	| { readonly kind: "type"; readonly types: readonly string[]; readonly got: unknown }
	| { readonly kind: "enum"; readonly allowed: unknown; readonly got: unknown }
	| { readonly kind: "const"; readonly allowed: unknown; readonly got: unknown }
	/** `none` fits no alternative; `several` fits more than the one allowed. */
	| { readonly kind: "none" | "several"; readonly of: readonly Part[]; readonly got: unknown }
	| { readonly kind: "not" | "contains"; readonly part: Part; readonly got: unknown }
	| { readonly kind: "pattern"; readonly pattern: string; readonly got: unknown }
	| { readonly kind: "multipleOf"; readonly factor: number; readonly got: unknown }
	| { readonly kind: "uniqueItems"; readonly alike: readonly [number, number] }
	| { readonly kind: Limit; readonly limit: number; readonly got: unknown }
	/** Any other problem, described in words. */
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

/** A part of a schema, with the whole schema for resolving its references. */
export type Part = { readonly schema: unknown; readonly root: JsonObject };
