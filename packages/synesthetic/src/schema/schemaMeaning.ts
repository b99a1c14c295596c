import { jsonEqual } from "../json/jsonEqual.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from "../json/jsonValue.ts";
import type { SchemaSubject } from "./schemaArgument.ts";

/** The references on one side of a comparison, each followed once. */
export class References {
	readonly #subject: SchemaSubject;
	readonly #targets = new Map<JsonObject, JsonValue | undefined>();
	/** Made once for each schema, so that what was compared before can be told by its identity. */
	readonly #besides = new Map<JsonObject, JsonObject>();

	constructor(subject: SchemaSubject) {
		this.#subject = subject;
	}

	get root(): JsonValue {
		return this.#subject.document.root;
	}

	/** Where the schema's `$ref` leads, if it has one. */
	targetOf(schema: JsonObject): JsonValue | undefined {
		if (this.#targets.has(schema)) return this.#targets.get(schema);
		const { document, validator } = this.#subject;
		const ref = member(schema, "$ref");
		const target = typeof ref === "string" ? validator.find(document, ref, schema)?.schema : undefined;
		this.#targets.set(schema, target);
		return target;
	}

	/**
	 * Resolves a chain of references: the keywords beside each reference on the way, and last the schema where the chain ends.
	 * That one has a reference only if the chain is endless.
	 */
	partsOf(schema: JsonValue): JsonValue[] {
		const parts: JsonValue[] = [];
		const passed = new Set<JsonValue>();
		let value = schema;
		while (isJsonObject(value) && !passed.has(value)) {
			const target = this.targetOf(value);
			if (target === undefined) break;
			passed.add(value);
			const beside = this.#beside(value);
			if (Object.keys(beside).length > 0) parts.push(beside);
			value = target;
		}
		return [...parts, value];
	}

	#beside(schema: JsonObject): JsonObject {
		const known = this.#besides.get(schema);
		if (known !== undefined) return known;
		const { $ref: _, ...beside } = schema;
		this.#besides.set(schema, beside);
		return beside;
	}
}

/** Tells which schemas of two sides read the same once references are followed, and finds out about each pair once. */
export class Sameness {
	readonly #left: References;
	readonly #right: References;
	readonly #same = new Pairs();
	readonly #different = new Pairs();
	#sameRoots: boolean | undefined;

	constructor(left: References, right: References) {
		this.#left = left;
		this.#right = right;
	}

	of(a: JsonValue, b: JsonValue): boolean {
		const assumed: [JsonObject, JsonObject][] = [];
		const same = this.#compare(a, b, assumed);
		if (!same) for (const [one, other] of assumed) this.#same.delete(one, other);
		return same;
	}

	#compare(a: JsonValue | undefined, b: JsonValue | undefined, assumed: [JsonObject, JsonObject][]): boolean {
		if (a === undefined || b === undefined) return false;
		if (isJsonArray(a))
			return isJsonArray(b) && a.length === b.length && a.every((item, i) => this.#compare(item, b[i], assumed));
		if (!isJsonObject(a) || !isJsonObject(b)) return jsonEqual(a, b);
		if (this.#different.has(a, b)) return false;
		// A pair already being compared is assumed equal; any real difference is found elsewhere.
		if (!this.#same.add(a, b)) return true;
		assumed.push([a, b]);
		const keys = Object.keys(a);
		const same = keys.length === Object.keys(b).length && keys.every((key) => this.#compareMember(key, a, b, assumed));
		if (!same) this.#different.add(a, b);
		return same;
	}

	#compareMember(key: string, a: JsonObject, b: JsonObject, assumed: [JsonObject, JsonObject][]): boolean {
		const [one, other] = [a[key], member(b, key)];
		if (key === "$ref" && typeof one === "string" && typeof other === "string")
			return this.#compare(this.#left.targetOf(a), this.#right.targetOf(b), assumed);
		// Where it leads depends on the way there.
		if (key === "$dynamicRef" && !this.#haveSameRoots()) return false;
		// What looks like a reference may be data here, or a property's schema.
		const isData = key === "const" || key === "enum";
		return this.#compare(one, other, assumed) && (!isData || jsonEqual(one ?? null, other ?? null));
	}

	#haveSameRoots(): boolean {
		this.#sameRoots ??= jsonEqual(this.#left.root, this.#right.root);
		return this.#sameRoots;
	}
}

/** Pairs of values, each told by its identity. */
export class Pairs {
	readonly #partners = new Map<JsonValue, Set<JsonValue>>();

	has(a: JsonValue, b: JsonValue): boolean {
		return this.#partners.get(a)?.has(b) === true;
	}

	/** False when it was there already. */
	add(a: JsonValue, b: JsonValue): boolean {
		const partners = this.#partners.get(a) ?? new Set();
		if (partners.has(b)) return false;
		this.#partners.set(a, partners.add(b));
		return true;
	}

	delete(a: JsonValue, b: JsonValue): void {
		this.#partners.get(a)?.delete(b);
	}
}
