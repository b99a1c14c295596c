import { isObject, type JsonObject } from "../contract/json.ts";
import { localTarget } from "./localTarget.ts";
import type { Part } from "./problem.ts";

/** Resolves a part that is a local reference; returns any other part as it is. */
export function resolved({ schema, root }: Part): Part {
	const ref = isObject(schema) ? schema.$ref : undefined;
	return typeof ref === "string" && ref.startsWith("#") ? { schema: localTarget(root, ref), root } : { schema, root };
}

/** The alternatives of a schema, if it has any. */
export function unionOf({ anyOf, oneOf }: JsonObject): readonly unknown[] | undefined {
	return [anyOf, oneOf].find(Array.isArray);
}

/** The allowed values of a schema, if it lists them. */
export function allowed(schema: unknown): readonly unknown[] | undefined {
	if (!isObject(schema)) return undefined;
	if (Object.hasOwn(schema, "const")) return [schema.const];
	return Array.isArray(schema.enum) ? schema.enum : undefined;
}

/** The allowed values of one field of an object, if the schema lists them. */
export function allowedAt(schema: unknown, name: string): readonly unknown[] | undefined {
	return isObject(schema) && isObject(schema.properties) ? allowed(schema.properties[name]) : undefined;
}

/** The values that a schema gives as examples for one field of an object. */
export function examplesAt(schema: unknown, name: string): readonly unknown[] | undefined {
	const field = isObject(schema) && isObject(schema.properties) ? schema.properties[name] : undefined;
	return isObject(field) && Array.isArray(field.examples) && field.examples.length > 0 ? field.examples : undefined;
}
