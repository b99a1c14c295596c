import { isJsonObject, type JsonObject, type JsonValue, member } from "../json/jsonValue.ts";
import { subschemas } from "./schemaPlaces.ts";
import type { Located, SchemaRegistry } from "./schemaRegistry.ts";

/**
 * Finds a schema that leads back to itself without descending into the value, so that checking a value might never end;
 * undefined if no reachable schema does. Each schema is visited once, however many references lead to it.
 */
export function endlessReference(start: Located, registry: SchemaRegistry): Located | undefined {
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
		const ref = member(schema, keyword);
		const next = typeof ref === "string" ? registry.find(ref, resource) : undefined;
		if (next !== undefined) yield { next, isInside: false };
	}
	for (const { value, pointer: step, keyword } of subschemas(schema)) {
		if (NOT_APPLIED.has(keyword)) continue;
		yield { next: registry.placeOf(value, resource, pointer + step), isInside: !ON_THE_VALUE.has(keyword) };
	}
}

const NOT_APPLIED = new Set(["$defs", "definitions", "contentSchema"]);
const ON_THE_VALUE = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"]);
