import type { Located, SchemaResource } from "./schemaRegistry.ts";

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
