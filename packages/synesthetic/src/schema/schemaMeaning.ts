import { jsonEqual } from "../json/jsonEqual.ts";
import { isJsonArray, isJsonObject, type JsonValue, member } from "../json/jsonValue.ts";
import type { SchemaSubject } from "./schemaArgument.ts";

const MAX_HOPS = 32;

/**
 * Resolves a chain of references: the keywords beside each reference on the way, and last the schema where the chain ends.
 * That one has a reference only if the chain is endless.
 */
export function partsOf(schema: JsonValue, subject: SchemaSubject): JsonValue[] {
	const parts: JsonValue[] = [];
	let value = schema;
	for (let hops = 0; hops < MAX_HOPS && isJsonObject(value); hops += 1) {
		const target = targetOf(value, subject);
		if (target === undefined) break;
		const { $ref: _, ...beside } = value;
		if (Object.keys(beside).length > 0) parts.push(beside);
		value = target;
	}
	return [...parts, value];
}

/** Whether two schemas read the same once references are followed, each on its own side. */
export function sameMeaning(
	a: JsonValue,
	left: SchemaSubject,
	b: JsonValue,
	right: SchemaSubject,
	met: Pairs = new Pairs(),
): boolean {
	const same = (one: JsonValue | undefined, other: JsonValue | undefined): boolean =>
		one !== undefined && other !== undefined && sameMeaning(one, left, other, right, met);
	if (isJsonArray(a)) return isJsonArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]));
	if (!isJsonObject(a) || !isJsonObject(b)) return jsonEqual(a, b);
	// A pair already being compared is assumed equal; any real difference is found elsewhere.
	if (!met.add(a, b)) return true;
	const keys = Object.keys(a);
	return (
		keys.length === Object.keys(b).length &&
		keys.every((key) => {
			const [one, other] = [a[key], member(b, key)];
			if (key === "$ref" && typeof one === "string" && typeof other === "string")
				return same(targetOf(a, left), targetOf(b, right));
			// Where it leads depends on the way there.
			if (key === "$dynamicRef" && !jsonEqual(left.document.root, right.document.root)) return false;
			// What looks like a reference may be data here, or a property's schema.
			const isData = key === "const" || key === "enum";
			return same(one, other) && (!isData || jsonEqual(one ?? null, other ?? null));
		})
	);
}

/** Pairs of values that were met before. */
export class Pairs {
	readonly #partners = new Map<JsonValue, Set<JsonValue>>();

	/** False when it was there already. */
	add(a: JsonValue, b: JsonValue): boolean {
		const partners = this.#partners.get(a) ?? new Set();
		if (partners.has(b)) return false;
		this.#partners.set(a, partners.add(b));
		return true;
	}
}

function targetOf(schema: JsonValue, { document, validator }: SchemaSubject): JsonValue | undefined {
	const ref = member(schema, "$ref");
	return typeof ref === "string" ? validator.find(document, ref, schema)?.schema : undefined;
}
