import type { JsonValue } from "../../src/json/jsonValue.ts";

type Operation = { readonly op: string; readonly path: string; readonly value?: JsonValue };

/** RFC 6902 add, remove and replace, written without the package's own code, to witness its patches. */
export function independentApply(document: JsonValue, patch: readonly Operation[]): JsonValue {
	const holder = new Map<string, unknown>([["root", thaw(document)]]);
	for (const { op, path, value } of patch) {
		const parts = [
			"root",
			...path
				.split("/")
				.slice(1)
				.map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~")),
		];
		const last = parts.pop() ?? "root";
		let parent: unknown = holder;
		for (const part of parts) {
			if (!(parent instanceof Map) || !parent.has(part)) throw new Error(`${path}: no parent`);
			parent = parent.get(part);
		}
		if (!(parent instanceof Map)) throw new Error(`${path}: parent is no object`);
		if (op !== "add" && !parent.has(last)) throw new Error(`${path}: nothing to ${op}`);
		if (op === "remove") parent.delete(last);
		else parent.set(last, thaw(value ?? null));
	}
	return freeze(holder.get("root"));
}

// Objects become maps, so that no key is special; arrays stay, as no patch reaches into one.
function thaw(value: JsonValue): unknown {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
	return new Map(Object.entries(value).map(([key, item]) => [key, thaw(item)]));
}

function freeze(value: unknown): JsonValue {
	if (!(value instanceof Map)) return value as JsonValue;
	return Object.fromEntries([...value].map(([key, item]) => [key, freeze(item)]));
}
