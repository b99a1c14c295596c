import { resolvePointer } from "libmcp";
import { isObject, type JsonObject } from "../contract/json.ts";
import type { Part } from "./problem.ts";

/** The piece that a reference stands for; the piece itself where it is none. */
export function resolved({ schema, root }: Part): Part {
	const ref = isObject(schema) ? schema.$ref : undefined;
	if (typeof ref !== "string" || !ref.startsWith("#")) return { schema, root };
	return { schema: resolvePointer(root, decodeURIComponent(ref.slice(1))), root };
}

/** The alternatives of a schema, where it has some. */
export function unionOf({ anyOf, oneOf }: JsonObject): readonly unknown[] | undefined {
	return [anyOf, oneOf].find(Array.isArray);
}

/** The only values that a schema takes, where it lists them. */
export function allowed(schema: unknown): readonly unknown[] | undefined {
	if (!isObject(schema)) return undefined;
	if (Object.hasOwn(schema, "const")) return [schema.const];
	return Array.isArray(schema.enum) ? schema.enum : undefined;
}

/** The same for one field of an object. */
export function allowedAt(schema: unknown, name: string): readonly unknown[] | undefined {
	return isObject(schema) && isObject(schema.properties) ? allowed(schema.properties[name]) : undefined;
}
