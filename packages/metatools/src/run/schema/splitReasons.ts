import type { ErrorObject as AjvError } from "ajv";
import { isObject, type JsonObject } from "../../contract/json.ts";
import { resolveLocalReference } from "./problem.ts";

/** Splits errors by the keyword that is the reason: its error is the last, and those before it are of its schemas. */
export function splitReasons(errors: readonly AjvError[], root: JsonObject): readonly (readonly AjvError[])[] {
	const applied = new Map<unknown, Parts>();
	const begins: number[] = [];
	const lasts: AjvError[] = [];
	for (const [index, error] of errors.entries()) {
		let begin = index;
		const inner = appliedBy(error);
		if (inner !== undefined) {
			const parts = applied.get(inner) ?? partsOf(inner, root);
			applied.set(inner, parts);
			for (let before = lasts.at(-1); before !== undefined && isOf(before, error, parts); before = lasts.at(-1)) {
				lasts.pop();
				begin = begins.pop() ?? begin;
			}
		}
		begins.push(begin);
		lasts.push(error);
	}
	return begins.map((begin, index) => errors.slice(begin, begins[index + 1]));
}

/** The schemas that a keyword applies, if its own error comes behind theirs. */
function appliedBy({ keyword, schema, parentSchema, params }: AjvError): unknown {
	switch (keyword) {
		case "anyOf":
		case "oneOf":
		case "propertyNames":
		case "not":
		case "contains":
			return schema;
		case "if":
			return parentSchema?.[params.failingKeyword];
		default:
			return undefined;
	}
}

function isOf(inner: AjvError, outer: AjvError, parts: Parts): boolean {
	if (!`${inner.instancePath}/`.startsWith(`${outer.instancePath}/`)) return false;
	const isBeside = inner.parentSchema === outer.parentSchema && inner.instancePath === outer.instancePath;
	return !isBeside && (parts === "any" || parts.has(inner.parentSchema));
}

/** Every part of a schema, also of those it refers to; any might be one if a reference leads elsewhere. */
type Parts = ReadonlySet<unknown> | "any";

function partsOf(schema: unknown, root: JsonObject): Parts {
	const found = new Set<unknown>();
	const left = [schema];
	while (left.length > 0) {
		const part = left.pop();
		if (found.has(part)) continue;
		found.add(part);
		if (typeof part !== "object" || part === null) continue;
		for (const value of Object.values(part)) left.push(value);
		const { $ref, $dynamicRef, $recursiveRef } = isObject(part) ? part : {};
		const target = typeof $ref === "string" ? resolveLocalReference(root, $ref) : part;
		if (target === undefined || [$dynamicRef, $recursiveRef].some((to) => typeof to === "string")) return "any";
		left.push(target);
	}
	return found;
}
