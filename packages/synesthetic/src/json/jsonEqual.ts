import { compareNumbers } from "./decimal.ts";
import {
	compareByCodePoint,
	isJsonArray,
	isJsonNumber,
	isJsonObject,
	type JsonArray,
	type JsonObject,
	type JsonValue,
} from "./jsonValue.ts";
import { writeCanonicalJson } from "./stringifyJson.ts";

/** Equality of JSON values: 1 is 1.0 but never true, key order does not matter. Nesting of any depth is safe. */
export function isEqualJson(left: JsonValue, right: JsonValue): boolean {
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

type Container = JsonArray | JsonObject;

/** Gives equal values equal names. Each container is visited only once, however many times its name is asked for. */
export class Identities {
	readonly #numbers = new Map<string, number>();
	readonly #names = new WeakMap<Container, string>();

	of(value: JsonValue): string {
		if (!isContainer(value)) return writeCanonicalJson(value);
		const pending = [value];
		for (let one = pending.at(-1); one !== undefined; one = pending.at(-1)) {
			const { length } = pending;
			for (const inner of Object.values(one)) if (isContainer(inner) && !this.#names.has(inner)) pending.push(inner);
			if (pending.length > length) continue;
			// Everything inside it has a name now.
			this.#names.set(one, this.#name(one));
			pending.pop();
		}
		return this.#names.get(value) ?? "";
	}

	#name(container: Container): string {
		const text = isJsonArray(container)
			? container.map((item) => this.#known(item)).join()
			: Object.keys(container)
					.sort(compareByCodePoint)
					.map((key) => `${JSON.stringify(key)}:${this.#known(container[key] ?? null)}`)
					.join();
		const whole = isJsonArray(container) ? `[${text}` : `{${text}`;
		const number = this.#numbers.get(whole) ?? this.#numbers.size;
		this.#numbers.set(whole, number);
		return `#${number}`;
	}

	#known(value: JsonValue): string {
		return isContainer(value) ? (this.#names.get(value) ?? "") : writeCanonicalJson(value);
	}
}

function isContainer(value: JsonValue): value is Container {
	return isJsonArray(value) || isJsonObject(value);
}
