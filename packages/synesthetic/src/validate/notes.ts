import type { JsonValue } from "../json/jsonValue.ts";
import type { Place, SchemaNode } from "./evaluation.ts";
import type { Scope } from "./scope.ts";
import type { Seen } from "./seen.ts";

/** The result of applying a schema to a value; `seen` is undefined if the caller did not ask for it. */
export type Note = { readonly valid: boolean; readonly seen: Seen | undefined };

// How many times a scalar is evaluated before notes about it pay off.
const FIRST_NOTED = 64;

/**
 * The results of applying schemas to the values of one instance. Where two parts of a schema lead to a third, as in a
 * schema for expressions, every level would otherwise take twice as long as the one below.
 */
export class Notes {
	readonly #ofContainers = new Pages<SchemaNode, Note>();
	/** Notes about the last scalar only: a scalar has no parts, so all its evaluations follow one another. */
	#ofScalar = new Pages<SchemaNode, Note>();
	#scalar: JsonValue | undefined;
	#place: Place | undefined;
	#looks = 0;

	/** The schema's notes by value; undefined if notes about this value do not pay off. */
	page(node: SchemaNode, scope: Scope, value: JsonValue, at: Place | undefined): Map<JsonValue, Note> | undefined {
		if (typeof value === "object" && value !== null) return this.#ofContainers.of(node, scope);
		if (value !== this.#scalar || at !== this.#place) this.#turnTo(value, at);
		this.#looks += 1;
		return this.#looks < FIRST_NOTED ? undefined : this.#ofScalar.of(node, scope);
	}

	#turnTo(scalar: JsonValue, at: Place | undefined): void {
		this.#scalar = scalar;
		this.#place = at;
		this.#looks = 0;
		if (!this.#ofScalar.isEmpty) this.#ofScalar = new Pages();
	}
}

/** Notes by value, in one map per judge and dynamic scope. A judge is a schema or a list of alternatives. */
export class Pages<Judge extends object, Noted> {
	readonly #pages = new Map<Scope, Map<Judge, Map<JsonValue, Noted>>>();

	get isEmpty(): boolean {
		return this.#pages.size === 0;
	}

	of(judge: Judge, scope: Scope): Map<JsonValue, Noted> {
		const inScope = this.#pages.get(scope) ?? new Map<Judge, Map<JsonValue, Noted>>();
		if (inScope.size === 0) this.#pages.set(scope, inScope);
		const page = inScope.get(judge) ?? new Map<JsonValue, Noted>();
		if (page.size === 0) inScope.set(judge, page);
		return page;
	}
}
