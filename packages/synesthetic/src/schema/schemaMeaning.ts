import { isEqualJson } from "../json/jsonEqual.ts";
import {
	isJsonArray,
	isJsonObject,
	type JsonArray,
	type JsonObject,
	type JsonValue,
	readMember,
} from "../json/jsonValue.ts";
import { type Dialect, hasSameKeywords, KEYWORDS } from "../validate/dialect.ts";
import { findShape } from "../validate/schemaPlaces.ts";
import type { SchemaSubject } from "./schemaArgument.ts";

/** The references on one side of a comparison, each followed once. */
export class References {
	readonly #subject: SchemaSubject;
	readonly #targets = new Map<JsonObject, JsonValue | undefined>();
	readonly #meant = new Map<JsonValue, JsonValue>();
	/** One object per schema, so that finished comparisons are recognised by object identity. */
	readonly #besides = new Map<JsonObject, JsonObject>();
	/** The schemas that those objects were taken from. */
	readonly #origins = new Map<JsonValue, JsonObject>();

	constructor(subject: SchemaSubject) {
		this.#subject = subject;
	}

	get root(): JsonValue {
		return this.#subject.document.root;
	}

	/** What gives a schema's keywords their meaning. */
	dialectOf(schema: JsonValue): Dialect {
		const { document, validator } = this.#subject;
		return validator.dialectOf(document, this.#origins.get(schema) ?? schema);
	}

	/** Where the schema's `$ref` leads, if it has one. */
	targetOf(schema: JsonObject): JsonValue | undefined {
		if (this.#targets.has(schema)) return this.#targets.get(schema);
		const { document, validator } = this.#subject;
		const ref = readMember(schema, "$ref");
		const target = typeof ref === "string" ? validator.find(document, ref, schema)?.schema : undefined;
		this.#targets.set(schema, target);
		return target;
	}

	/** The schema that applies: where the chain of references ends, as long as nothing stands beside a reference. */
	meantBy(schema: JsonValue): JsonValue {
		const passed = new Set<JsonValue>();
		let value = schema;
		while (isJsonObject(value) && !passed.has(value) && Object.keys(value).filter(isAsking).join() === "$ref") {
			passed.add(value);
			value = this.#meant.get(value) ?? this.targetOf(value) ?? value;
		}
		for (const one of passed) this.#meant.set(one, value);
		return value;
	}

	/**
	 * Resolves a chain of references. Returns the keywords beside each reference, and last the schema where the chain
	 * ends. That schema has a reference itself only if the chain is endless.
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
		this.#origins.set(beside, schema);
		return beside;
	}
}

// The last four have an effect only together with another keyword.
const ASKING: ReadonlySet<string> = new Set([...KEYWORDS, "then", "else", "minContains", "maxContains"]);

/** Whether a keyword can make a value invalid. Others, even those unknown to the draft, only annotate. */
export function isAsking(keyword: string): boolean {
	return ASKING.has(keyword);
}

/**
 * Decides whether schemas of two sides have the same requirements once references are followed, ignoring annotations.
 * Each pair is compared once.
 */
export class Sameness {
	readonly #left: References;
	readonly #right: References;
	readonly #same = new Pairs();
	readonly #different = new Pairs();
	/** Pairs assumed to be the same while they are being compared: any real difference is found elsewhere. */
	#assumed: [JsonObject, JsonObject][] = [];
	#sameRoots: boolean | undefined;

	constructor(left: References, right: References) {
		this.#left = left;
		this.#right = right;
	}

	ofSchemas(a: JsonValue, b: JsonValue): boolean {
		return this.#proven(this.#compareSchemas(a, b));
	}

	/** Whether the values of a keyword mean the same on both sides. */
	ofValues(keyword: string, a: JsonValue, b: JsonValue): boolean {
		return this.#proven(this.#compareValues(keyword, a, b));
	}

	#proven(same: boolean): boolean {
		if (!same) for (const [one, other] of this.#assumed) this.#same.delete(one, other);
		this.#assumed = [];
		return same;
	}

	#compareSchemas(one: JsonValue, other: JsonValue): boolean {
		const [a, b] = [this.#left.meantBy(one), this.#right.meantBy(other)];
		if (!isJsonObject(a) || !isJsonObject(b)) return isEqualJson(a, b);
		if (this.#different.has(a, b)) return false;
		if (!this.#same.add(a, b)) return true;
		this.#assumed.push([a, b]);
		const keywords = Object.keys(a).filter(isAsking);
		const same =
			hasSameKeywords(this.#left.dialectOf(a), this.#right.dialectOf(b)) &&
			keywords.length === Object.keys(b).filter(isAsking).length &&
			keywords.every((keyword) => this.#compareKeyword(keyword, a, b));
		if (!same) this.#different.add(a, b);
		return same;
	}

	#compareKeyword(keyword: string, a: JsonObject, b: JsonObject): boolean {
		if (keyword === "$ref") {
			const [one, other] = [this.#left.targetOf(a), this.#right.targetOf(b)];
			return one !== undefined && other !== undefined && this.#compareSchemas(one, other);
		}
		// The target of a `$dynamicRef` depends on the schemas entered before it.
		if (keyword === "$dynamicRef" && !this.#haveSameRoots()) return false;
		const [one, other] = [readMember(a, keyword), readMember(b, keyword)];
		return one !== undefined && other !== undefined && this.#compareValues(keyword, one, other);
	}

	#compareValues(keyword: string, a: JsonValue, b: JsonValue): boolean {
		switch (findShape(keyword)) {
			case "one":
				return this.#compareSchemas(a, b);
			case "list":
				return isJsonArray(a) && isJsonArray(b) && this.#compareEach(a, b);
			case "map":
				return isJsonObject(a) && isJsonObject(b) && this.#compareEach(a, b);
			case undefined:
				return isEqualJson(a, b);
		}
	}

	#compareEach(a: JsonArray | JsonObject, b: JsonArray | JsonObject): boolean {
		const others = new Map(Object.entries(b));
		const ours = Object.entries(a);
		return (
			ours.length === others.size &&
			ours.every(([key, schema]) => {
				const other = others.get(key);
				return other !== undefined && this.#compareSchemas(schema, other);
			})
		);
	}

	#haveSameRoots(): boolean {
		this.#sameRoots ??= isEqualJson(this.#left.root, this.#right.root);
		return this.#sameRoots;
	}
}

/** A set of pairs of values, compared by identity. */
export class Pairs {
	readonly #partners = new Map<JsonValue, Set<JsonValue>>();

	has(a: JsonValue, b: JsonValue): boolean {
		return this.#partners.get(a)?.has(b) === true;
	}

	/** Adds a pair; false if it was there already. */
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
