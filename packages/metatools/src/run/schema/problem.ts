import { resolvePointer } from "libmcp";
import { isObject, type JsonObject } from "../../contract/json.ts";

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

/** Resolves a part that is a local reference; returns any other part as it is. */
export function resolvePart({ schema, root }: Part): Part {
	const ref = isObject(schema) ? schema.$ref : undefined;
	return typeof ref === "string" && ref.startsWith("#")
		? { schema: resolveLocalReference(root, ref), root }
		: { schema, root };
}

/** The alternatives of a schema, if it has any. */
export function listAlternatives({ anyOf, oneOf }: JsonObject): readonly unknown[] | undefined {
	return [anyOf, oneOf].find(Array.isArray);
}

/** The allowed values of a schema, if it lists them. */
export function listAllowed(schema: unknown): readonly unknown[] | undefined {
	if (!isObject(schema)) return undefined;
	if (Object.hasOwn(schema, "const")) return [schema.const];
	return Array.isArray(schema.enum) ? schema.enum : undefined;
}

/** The allowed values of one field of an object, if the schema lists them. */
export function listAllowedAt(schema: unknown, name: string): readonly unknown[] | undefined {
	return isObject(schema) && isObject(schema.properties) ? listAllowed(schema.properties[name]) : undefined;
}

/** The values that a schema gives as examples for one field of an object. */
export function listExamplesAt(schema: unknown, name: string): readonly unknown[] | undefined {
	const field = isObject(schema) && isObject(schema.properties) ? schema.properties[name] : undefined;
	return isObject(field) && Array.isArray(field.examples) && field.examples.length > 0 ? field.examples : undefined;
}

/** What a local reference points at in a schema; anything elsewhere is not fetched. */
export function resolveLocalReference(root: unknown, reference: string): unknown {
	if (reference !== "#" && !reference.startsWith("#/")) return undefined;
	return resolvePointer(root, reference.slice(1).replaceAll(/(?:%[\dA-F]{2})+/gi, unescaped));
}

/** A percent sign that escapes nothing stands for itself. */
function unescaped(letters: string): string {
	try {
		return decodeURIComponent(letters);
	} catch {
		// An escape of no character stands for itself.
		return letters;
	}
}
