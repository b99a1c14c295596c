import { compareNumbers, isInteger, isMultipleOf } from "../json/decimal.ts";
import { isEqualJson } from "../json/jsonEqual.ts";
import {
	compareByCodePoint,
	findKind,
	isJsonArray,
	isJsonNumber,
	isJsonObject,
	type JsonArray,
	type JsonObject,
	type JsonValue,
	readMember,
} from "../json/jsonValue.ts";
import { writePointerStep } from "../json/pointer.ts";
import { writeCanonicalJson } from "../json/stringifyJson.ts";
import { AnswerSize, CUT_OFF } from "../results.ts";
import { describeValue, joinValues } from "../validate/describe.ts";
import { hasSameKeywords } from "../validate/dialect.ts";
import { type Direction, NARROWING_WORDS, type NarrowingWords } from "./narrowingWords.ts";
import type { SchemaSubject } from "./schemaArgument.ts";
import { isAsking, Pairs, References, Sameness } from "./schemaMeaning.ts";

/** BACKWARD: the new schema accepts all old data. FORWARD: the old schema accepts all new data. FULL: both. */
type Compatibility = "FULL" | "BACKWARD" | "FORWARD" | "NONE";
type CompatibilityReason = {
	readonly breaks: "BACKWARD" | "FORWARD";
	readonly path: string;
	readonly msg: string;
};
type CompatibilityReport = {
	readonly compatibility: Compatibility;
	readonly reasons: readonly CompatibilityReason[];
};

/** Conservative: a change that cannot be shown to be harmless counts as breaking. */
export function checkCompatibility(before: SchemaSubject, after: SchemaSubject): CompatibilityReport {
	const backward = listNarrowings(before, after, "BACKWARD").map((reason) => ({
		breaks: "BACKWARD" as const,
		...reason,
	}));
	const forward = listNarrowings(after, before, "FORWARD").map((reason) => ({ breaks: "FORWARD" as const, ...reason }));
	const reasons = [...backward, ...forward].sort(
		(a, b) =>
			compareByCodePoint(a.breaks, b.breaks) || compareByCodePoint(a.path, b.path) || compareByCodePoint(a.msg, b.msg),
	);
	return { compatibility: verdictOf(backward.length === 0, forward.length === 0), reasons };
}

function verdictOf(backward: boolean, forward: boolean): Compatibility {
	if (backward && forward) return "FULL";
	return backward ? "BACKWARD" : forward ? "FORWARD" : "NONE";
}

type Narrowing = { readonly path: string; readonly msg: string };

/**
 * The ways in which `to` may refuse values that `from` accepts. Paths point into the values, with `*` for any item.
 * BACKWARD means that `from` is the old schema.
 */
function listNarrowings(from: SchemaSubject, to: SchemaSubject, direction: Direction): Narrowing[] {
	const comparison = new Comparison(from, to, NARROWING_WORDS[direction]);
	comparison.compare(from.document.root, to.document.root, "");
	return comparison.found;
}

const LOWER_BOUNDS = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"];
const UPPER_BOUNDS = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"];
const COMPARED = new Set([
	...LOWER_BOUNDS,
	...UPPER_BOUNDS,
	..."type enum const multipleOf required properties additionalProperties items prefixItems allOf $ref".split(" "),
]);

class Comparison {
	readonly found: Narrowing[] = [];
	readonly #noted = new Set<string>();
	readonly #size = new AnswerSize();
	readonly #from: References;
	readonly #to: References;
	readonly #sameness: Sameness;
	readonly #met = new Pairs();
	readonly #words: NarrowingWords;

	constructor(from: SchemaSubject, to: SchemaSubject, words: NarrowingWords) {
		this.#words = words;
		this.#from = new References(from);
		this.#to = new References(to);
		this.#sameness = new Sameness(this.#from, this.#to);
	}

	compare(from: JsonValue, to: JsonValue, path: string): void {
		const parts = this.#to.partsOf(to);
		if (parts.length > 1 && this.#same(from, to)) return;
		// On this side, keywords beside a reference only make it accept less, so ignoring them is safe.
		const before = this.#from.partsOf(from).at(-1) ?? true;
		for (const part of parts) this.#compareWith(before, part, path);
	}

	#compareWith(before: JsonValue, after: JsonValue, path: string): void {
		if (after === true || before === false || !this.#met.add(before, after)) return;
		if (!isJsonObject(after) || after.$ref !== undefined) {
			this.#note(path, this.#words.nothing);
			return;
		}
		if (isJsonObject(before) && !hasSameKeywords(this.#from.dialectOf(before), this.#to.dialectOf(after))) {
			this.#note(path, this.#words.dialect);
			return;
		}
		const old = isJsonObject(before) ? before : {};
		this.#types(old, after, path);
		this.#choices(old, after, path);
		this.#bounds(old, after, path);
		this.#objects(old, after, path);
		this.#arrays(old, after, path);
		this.#others(old, after, path);
	}

	#same(from: JsonValue, to: JsonValue): boolean {
		return this.#sameness.ofSchemas(from, to);
	}

	#note(path: string, msg: string): void {
		if (this.found.at(-1)?.msg === CUT_OFF) return;
		if (!this.#size.fits(path, msg)) {
			this.found.push({ path: "", msg: CUT_OFF });
			return;
		}
		// Different references may lead to the same difference, which is reported once.
		const reason = `${path.length} ${path}${msg}`;
		if (!this.#noted.has(reason)) this.found.push({ path, msg });
		this.#noted.add(reason);
	}

	#types(before: JsonObject, after: JsonObject, path: string): void {
		if (after.type === undefined) return;
		const allowed = typesOf(after.type);
		const isAllowed = (type: string) => allowed.has(type) || (type === "integer" && allowed.has("number"));
		const possible = before.type === undefined ? choicesOf(before)?.map(typeOf) : [...typesOf(before.type)];
		if (possible === undefined) this.#note(path, this.#words.only([...allowed].join(" or ")));
		const lost = [...new Set(possible)].filter((type) => !isAllowed(type));
		if (lost.length > 0) this.#note(path, this.#words.lost(lost.join(" and ")));
	}

	#choices(before: JsonObject, after: JsonObject, path: string): void {
		const allowed = choicesOf(after);
		if (allowed === undefined) return;
		const possible = choicesOf(before);
		const kept = new Set(allowed.map(writeCanonicalJson));
		const lost = possible?.filter((value) => !kept.has(writeCanonicalJson(value)));
		if (lost === undefined) this.#note(path, this.#words.only("what is listed"));
		else if (lost.length > 0) this.#note(path, this.#words.lost(lost.map(describeValue).join(", ")));
	}

	#bounds(before: JsonObject, after: JsonObject, path: string): void {
		for (const keyword of [...LOWER_BOUNDS, ...UPPER_BOUNDS, "multipleOf"]) {
			// Without `minContains`, one item must match.
			const old = before[keyword] ?? (keyword === "minContains" ? 1 : undefined);
			const now = after[keyword];
			if (!isJsonNumber(now)) continue;
			const looser =
				isJsonNumber(old) &&
				(keyword === "multipleOf"
					? isMultipleOf(old, now)
					: (UPPER_BOUNDS.includes(keyword) ? 1 : -1) * compareNumbers(now, old) >= 0);
			const trivial = ["minLength", "minItems", "minProperties"].includes(keyword) && now === 0;
			if (!looser && !trivial)
				this.#note(
					path,
					this.#words.bound(keyword, describeValue(now), isJsonNumber(old) ? describeValue(old) : "not set"),
				);
		}
	}

	#objects(before: JsonObject, after: JsonObject, path: string): void {
		const known = new Set(stringsOf(before.required));
		const needed = stringsOf(after.required).filter((name) => !known.has(name));
		if (needed.length > 0) this.#note(path, this.#words.required(joinValues(needed), needed.length));
		const [old, now] = [objectOf(before.properties), objectOf(after.properties)];
		const { additionalProperties: others = true, patternProperties: patterns } = before;
		for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
			const step = path + writePointerStep(name);
			// A pattern may match the name, and then `additionalProperties` does not apply.
			const was = readMember(old, name) ?? (patterns === undefined ? others : true);
			const is = readMember(now, name) ?? after.additionalProperties ?? true;
			if (is === false && was !== false) this.#note(step, this.#words.property);
			else this.compare(was, is, step);
		}
		if (after.additionalProperties === undefined) return;
		const hold =
			patterns === undefined || this.#sameness.ofValues("patternProperties", patterns, after.patternProperties ?? {});
		this.compare(hold ? others : true, after.additionalProperties, `${path}/*`);
	}

	#arrays(before: JsonObject, after: JsonObject, path: string): void {
		const [old, now] = [arrayOf(before.prefixItems), arrayOf(after.prefixItems)];
		for (let i = 0; i < Math.max(old.length, now.length); i += 1)
			this.compare(old[i] ?? before.items ?? true, now[i] ?? after.items ?? true, path + writePointerStep(i));
		if (after.items !== undefined) this.compare(before.items ?? true, after.items, `${path}/*`);
	}

	// A keyword that is not compared elsewhere is harmless only if it means the same on both sides.
	#others(before: JsonObject, after: JsonObject, path: string): void {
		for (const [keyword, value] of Object.entries(after)) {
			if (!isAsking(keyword) || COMPARED.has(keyword) || (keyword === "uniqueItems" && value === false)) continue;
			const old = readMember(before, keyword);
			const harmless = /^(unevaluated|\$dynamicRef$)/.test(keyword)
				? this.#same(before, after)
				: keyword === "anyOf" && isJsonArray(old) && isJsonArray(value)
					? old.every((branch) => value.some((other) => this.#same(branch, other)))
					: old !== undefined && this.#sameness.ofValues(keyword, old, value);
			if (!harmless) this.#note(path, this.#words.keyword(keyword, old === undefined));
		}
		if (after.contains !== undefined && after.minContains === undefined && before.minContains === 0)
			this.#note(path, this.#words.bound("minContains", "1", "0"));
		for (const branch of arrayOf(after.allOf))
			if (!arrayOf(before.allOf).some((other) => this.#same(other, branch))) this.compare(before, branch, path);
	}
}

function typeOf(value: JsonValue): string {
	return isJsonNumber(value) && isInteger(value) ? "integer" : findKind(value);
}

function typesOf(value: JsonValue): Set<string> {
	return new Set((isJsonArray(value) ? value : [value]).filter((name): name is string => typeof name === "string"));
}

function choicesOf(schema: JsonObject): JsonArray | undefined {
	const { const: only, enum: listed } = schema;
	if (only === undefined) return isJsonArray(listed) ? listed : undefined;
	return isJsonArray(listed) ? listed.filter((value) => isEqualJson(value, only)) : [only];
}

function stringsOf(value: JsonValue | undefined): string[] {
	return arrayOf(value).filter((name): name is string => typeof name === "string");
}

function objectOf(value: JsonValue | undefined): JsonObject {
	return isJsonObject(value) ? value : {};
}

function arrayOf(value: JsonValue | undefined): JsonArray {
	return isJsonArray(value) ? value : [];
}
