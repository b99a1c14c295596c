import { jsonEqual } from "../json/jsonEqual.ts";
import { isJsonObject, type JsonValue } from "../json/jsonValue.ts";
import { byCodePoint } from "../json/order.ts";
import { pointerStep } from "../json/pointer.ts";

export type PatchOperation =
	| { readonly op: "add" | "replace"; readonly path: string; readonly value: JsonValue }
	| { readonly op: "remove"; readonly path: string };

/**
 * The RFC 6902 patch from base to next. Objects are compared member by member; arrays and scalars are replaced
 * whole. No operation touches another's path, so sorting by path keeps the patch applicable.
 */
export function diffDocuments(base: JsonValue, next: JsonValue): PatchOperation[] {
	const operations: PatchOperation[] = [];
	const pending: [JsonValue, JsonValue, string][] = [[base, next, ""]];
	for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
		const [from, to, path] = pair;
		if (isJsonObject(from) && isJsonObject(to)) {
			for (const key of Object.keys(from)) {
				const at = path + pointerStep(key);
				if (Object.hasOwn(to, key)) pending.push([from[key] ?? null, to[key] ?? null, at]);
				else operations.push({ op: "remove", path: at });
			}
			for (const key of Object.keys(to)) {
				if (!Object.hasOwn(from, key))
					operations.push({ op: "add", path: path + pointerStep(key), value: to[key] ?? null });
			}
		} else if (!jsonEqual(from, to)) operations.push({ op: "replace", path, value: to });
	}
	return operations.sort(byPathThenOperation);
}

const RANK = { remove: 0, add: 1, replace: 2 } as const;

function byPathThenOperation(a: PatchOperation, b: PatchOperation): number {
	return byCodePoint(a.path, b.path) || RANK[a.op] - RANK[b.op];
}
