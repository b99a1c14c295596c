import { compareNumbers } from "./decimal.ts";
import { isJsonArray, isJsonNumber, isJsonObject, type JsonValue } from "./jsonValue.ts";

/** Equality of JSON values: 1 is 1.0 but never true, key order does not matter. Nesting of any depth is safe. */
export function jsonEqual(left: JsonValue, right: JsonValue): boolean {
	if (typeof left !== "object" && typeof right !== "object") return left === right;
	const pending: [JsonValue, JsonValue][] = [[left, right]];
	for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
		const [a, b] = pair;
		if (a === b) continue;
		if (isJsonArray(a)) {
			if (!isJsonArray(b) || a.length !== b.length) return false;
			for (let i = 0; i < a.length; i += 1) if (!queue(pending, a[i], b[i])) return false;
		} else if (isJsonObject(a)) {
			if (!isJsonObject(b)) return false;
			const keys = Object.keys(a);
			if (keys.length !== Object.keys(b).length) return false;
			for (const key of keys) if (!Object.hasOwn(b, key) || !queue(pending, a[key], b[key])) return false;
		} else if (!isJsonNumber(a) || !isJsonNumber(b) || compareNumbers(a, b) !== 0) return false;
	}
	return true;
}

// Scalars are settled at once, so that only containers take a place on the stack.
function queue(pending: [JsonValue, JsonValue][], a: JsonValue | undefined, b: JsonValue | undefined): boolean {
	if (a === b) return true;
	if (a === undefined || b === undefined) return false;
	if (typeof a !== "object" && typeof b !== "object") return false;
	pending.push([a, b]);
	return true;
}
