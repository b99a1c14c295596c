import type { JsonValue } from "../json/jsonValue.ts";
import type { Located, SchemaResource } from "./schemaRegistry.ts";

/** The result of applying a schema to a value; `seen` is undefined if the caller did not ask for it. */
type Note = { readonly valid: boolean; readonly seen: Seen | undefined };

// How many times a scalar is evaluated before notes about it pay off.
const FIRST_NOTED = 64;

/**
 * The results of applying schemas, the judges, to the values of one instance. Where two parts of a schema lead to a
 * third, as in a schema for expressions, every level would otherwise take twice as long as the one below.
 */
export class Notes<Judge extends object> {
	readonly #ofContainers = new Pages<Judge, Note>();
	/** Notes about the last scalar only: a scalar has no parts, so all its evaluations follow one another. */
	#ofScalar = new Pages<Judge, Note>();
	#scalar: JsonValue | undefined;
	#place: object | undefined;
	#looks = 0;

	/** The judge's notes by value; undefined if notes about this value do not pay off. */
	page(judge: Judge, scope: Scope, value: JsonValue, at: object | undefined): Map<JsonValue, Note> | undefined {
		if (typeof value === "object" && value !== null) return this.#ofContainers.of(judge, scope);
		if (value !== this.#scalar || at !== this.#place) this.#turnTo(value, at);
		this.#looks += 1;
		return this.#looks < FIRST_NOTED ? undefined : this.#ofScalar.of(judge, scope);
	}

	#turnTo(scalar: JsonValue, at: object | undefined): void {
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

/**
 * The members and items of one value that were evaluated so far; `true` means all. If the value failed, this includes
 * members and items that failed or were refused, so that they are not reported again as unevaluated.
 */
export class Seen {
	properties: Set<string> | true = new Set();
	items: number | true = 0;
	readonly scattered: Set<number> = new Set();

	property(key: string): void {
		if (this.properties !== true) this.properties.add(key);
	}

	has(key: string): boolean {
		return this.properties === true || this.properties.has(key);
	}

	hasItem(index: number): boolean {
		return this.items === true || index < this.items || this.scattered.has(index);
	}

	/** Call for a failed choice: nobody knows which members and items it would have evaluated. */
	everything(): void {
		this.properties = true;
		this.items = true;
	}

	merge(other: Seen): void {
		if (other.properties === true) this.properties = true;
		else for (const key of other.properties) this.property(key);
		if (other.items === true) this.items = true;
		else if (this.items !== true) this.items = Math.max(this.items, other.items);
		for (const index of other.scattered) this.scattered.add(index);
	}
}

/**
 * The targets of dynamic references: for each dynamic anchor, the outermost of the entered schemas that has it.
 * Entering the same resources gives the same object, so results can be cached by scope.
 */
export class Scope {
	readonly #anchors: ReadonlyMap<string, Located>;
	readonly #inner = new WeakMap<SchemaResource, Scope>();

	constructor(anchors: ReadonlyMap<string, Located> = new Map()) {
		this.#anchors = anchors;
	}

	find(name: string): Located | undefined {
		return this.#anchors.get(name);
	}

	/** The scope inside the resource; this very scope if the resource adds no new anchor. */
	enter(resource: SchemaResource): Scope {
		const known = this.#inner.get(resource);
		if (known !== undefined) return known;
		const fresh = [...resource.dynamicAnchors].filter(([name]) => !this.#anchors.has(name));
		const inner = fresh.length === 0 ? this : new Scope(new Map([...this.#anchors, ...fresh]));
		this.#inner.set(resource, inner);
		return inner;
	}
}

/** The scope before any schema with a dynamic anchor is entered. */
export const OUTERMOST: Scope = new Scope();
