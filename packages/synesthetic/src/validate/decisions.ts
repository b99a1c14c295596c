import type { JsonValue } from "../json/jsonValue.ts";
import type { SchemaNode } from "./evaluation.ts";

/** The alternatives of one keyword: a schema may have both `anyOf` and `oneOf`. */
export type Alternatives = readonly SchemaNode[];

/**
 * Which values meet what is asked of them, each found out once. Where two parts of a schema lead back to it, as in an
 * expression or in a schema that extends another, every level of the value would else take twice the time of the one below.
 */
export class Decisions<Asker extends object> {
	readonly #known = new Map<Asker, Map<object, boolean>>();
	readonly #firstNoted: number;
	#asked = 0;

	/** `firstNoted`: small values are done before a note of them would pay. */
	constructor(firstNoted: number) {
		this.#firstNoted = firstNoted;
	}

	decide(asker: Asker, value: JsonValue, find: () => boolean): boolean {
		this.#asked += 1;
		if (this.#asked < this.#firstNoted || typeof value !== "object" || value === null) return find();
		const noted = this.#known.get(asker) ?? new Map<object, boolean>();
		if (noted.size === 0) this.#known.set(asker, noted);
		const known = noted.get(value);
		if (known !== undefined) return known;
		const found = find();
		noted.set(value, found);
		return found;
	}
}

/** What is known of the parts of one instance, in every pass over it. */
export class Known {
	readonly choices: Decisions<Alternatives> = new Decisions(256);
	#insides: Decisions<SchemaNode> | undefined;
	/** How many members and items were looked at. */
	visits: number = 0;

	/** Created on first use, since few instances need it. */
	get insides(): Decisions<SchemaNode> {
		this.#insides ??= new Decisions(0);
		return this.#insides;
	}
}
