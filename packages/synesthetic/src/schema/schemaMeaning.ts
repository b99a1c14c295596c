import { jsonEqual } from "../json/jsonEqual.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from "../json/jsonValue.ts";
import type { SchemaSubject } from "./schemaArgument.ts";

const MAX_HOPS = 32;

/** The schema a chain of references ends at. Keywords beside a reference are passed over. */
export function resolved(schema: JsonValue, subject: SchemaSubject): JsonValue {
	let value = schema;
	for (let hops = 0; hops < MAX_HOPS; hops += 1) {
		const ref = member(value, "$ref");
		const target = typeof ref === "string" ? subject.validator.find(subject.document, ref, value) : undefined;
		if (target === undefined) return value;
		value = target.schema;
	}
	return value;
}

/** What a schema's reference leads to, and apart from it the keywords that stand beside the reference. */
export function splitReference(schema: JsonValue, subject: SchemaSubject): { target: JsonValue; beside?: JsonObject } {
	if (!isJsonObject(schema) || schema.$ref === undefined) return { target: schema };
	const { $ref: _, ...beside } = schema;
	const target = resolved(schema, subject);
	return Object.keys(beside).length === 0 ? { target } : { target, beside };
}

/** Whether two schemas read the same once references are followed, each on its own side. */
export function sameMeaning(
	a: JsonValue,
	left: SchemaSubject,
	b: JsonValue,
	right: SchemaSubject,
	met: Map<JsonValue, JsonValue> = new Map(),
): boolean {
	if (isJsonArray(a)) {
		return (
			isJsonArray(b) && a.length === b.length && a.every((item, i) => sameMeaning(item, left, b[i] ?? null, right, met))
		);
	}
	if (!isJsonObject(a) || !isJsonObject(b)) return jsonEqual(a, b);
	// A pair met on the way here is taken as equal: only a difference elsewhere could part them.
	if (met.get(a) === b) return true;
	met.set(a, b);
	const { $ref: from, ...restOfA } = a;
	const { $ref: to, ...restOfB } = b;
	if ((from === undefined) !== (to === undefined)) return false;
	if (from !== undefined && !sameMeaning(resolved(a, left), left, resolved(b, right), right, met)) return false;
	const keys = Object.keys(restOfA);
	if (keys.length !== Object.keys(restOfB).length) return false;
	return keys.every(
		(key) => Object.hasOwn(restOfB, key) && sameMeaning(restOfA[key] ?? null, left, restOfB[key] ?? null, right, met),
	);
}
