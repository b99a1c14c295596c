import type { JsonValue } from "../json/jsonValue.ts";
import type { SchemaNode } from "./evaluation.ts";

// Small values are done before a note of them would pay.
const FIRST_NOTED = 256;

/** The alternatives of one keyword: a schema may have both `anyOf` and `oneOf`. */
export type Alternatives = readonly SchemaNode[];

/**
 * Which values a choice of alternatives accepts, each found out once. Where two alternatives refer back to the choice, as in
 * an expression, every level of the value would else take twice the time of the one below it.
 */
export class Decisions {
	readonly #known = new Map<Alternatives, Map<object, boolean>>();
	#asked = 0;

	decide(choice: Alternatives, value: JsonValue, find: () => boolean): boolean {
		this.#asked += 1;
		if (this.#asked < FIRST_NOTED || typeof value !== "object" || value === null) return find();
		const noted = this.#known.get(choice) ?? new Map<object, boolean>();
		if (noted.size === 0) this.#known.set(choice, noted);
		const known = noted.get(value);
		if (known !== undefined) return known;
		const found = find();
		noted.set(value, found);
		return found;
	}
}
