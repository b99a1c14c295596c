import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "./jsonValue.ts";
import { byCodePoint } from "./order.ts";
import { canonicalJson } from "./stringifyJson.ts";

type Container = JsonArray | JsonObject;

/** Gives equal values equal names. Each container is visited only once, however many times its name is asked for. */
export class Identities {
	readonly #numbers = new Map<string, number>();
	readonly #names = new WeakMap<Container, string>();

	of(value: JsonValue): string {
		if (!isContainer(value)) return canonicalJson(value);
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
					.sort(byCodePoint)
					.map((key) => `${JSON.stringify(key)}:${this.#known(container[key] ?? null)}`)
					.join();
		const whole = isJsonArray(container) ? `[${text}` : `{${text}`;
		const number = this.#numbers.get(whole) ?? this.#numbers.size;
		this.#numbers.set(whole, number);
		return `#${number}`;
	}

	#known(value: JsonValue): string {
		return isContainer(value) ? (this.#names.get(value) ?? "") : canonicalJson(value);
	}
}

function isContainer(value: JsonValue): value is Container {
	return isJsonArray(value) || isJsonObject(value);
}
