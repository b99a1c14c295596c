import { compareNumbers, isInteger, isMultipleOf } from "../../json/decimal.ts";
import { type Identities, isEqualJson } from "../../json/jsonEqual.ts";
import {
	createMemberReader,
	findKind,
	isJsonArray,
	isJsonNumber,
	isJsonObject,
	type JsonArray,
	type JsonKind,
	type JsonObject,
	type JsonOfKind,
	type JsonValue,
} from "../../json/jsonValue.ts";
import { addArticle, describeValue, joinValues, nameType, spellValue } from "../describe.ts";
import type { Check, Keyword } from "../evaluation.ts";
import { SchemaProblem } from "../schemaRegistry.ts";
import { checkAlways, checkKind, type KeywordCompiler, type KeywordSite, type KeywordTable } from "./keyword.ts";

/** The validation vocabulary. */
export const ASSERTIONS: KeywordTable = {
	type: (value, site) => typeKeyword(isJsonArray(value) ? value : [value], site),
	enum: enumKeyword,
	const: (value, { node }) =>
		checkAlways(
			(data, run, at) =>
				isEqualJson(data, value) ||
				run.fail(at, node, "const", () => `expected ${spellValue(value)}, got ${describeValue(data)}`),
		),
	minimum: bound("minimum", "at least", (order) => order >= 0),
	maximum: bound("maximum", "at most", (order) => order <= 0),
	exclusiveMinimum: bound("exclusiveMinimum", "more than", (order) => order > 0),
	exclusiveMaximum: bound("exclusiveMaximum", "less than", (order) => order < 0),
	multipleOf: (value, { node }) => {
		if (!isJsonNumber(value)) return undefined;
		return checkKind(
			"number",
			(data, run, at) =>
				isMultipleOf(data, value) ||
				run.fail(
					at,
					node,
					"multipleOf",
					() => `expected a multiple of ${describeValue(value)}, got ${describeValue(data)}`,
				),
		);
	},
	minLength: size("minLength", "string", lengthOf, "at least", "character", (n, limit) => n >= limit),
	maxLength: size("maxLength", "string", lengthOf, "at most", "character", (n, limit) => n <= limit),
	minItems: size("minItems", "array", itemsOf, "at least", "item", (n, limit) => n >= limit),
	maxItems: size("maxItems", "array", itemsOf, "at most", "item", (n, limit) => n <= limit),
	minProperties: size("minProperties", "object", membersOf, "at least", "property", (n, limit) => n >= limit),
	maxProperties: size("maxProperties", "object", membersOf, "at most", "property", (n, limit) => n <= limit),
	pattern: (value, { node }) => {
		const pattern = compileExpression(value);
		return checkKind(
			"string",
			(data, run, at) =>
				pattern.test(data) ||
				run.fail(at, node, "pattern", () => `expected a string matching ${value}, got ${describeValue(data)}`),
		);
	},
	uniqueItems: (value, { node }) => {
		if (value !== true) return undefined;
		return checkKind("array", (data, run, at) => {
			const twin = firstRepeat(data, run.identities);
			return (
				twin === undefined || run.fail(at, node, "uniqueItems", () => `expected unique items, item ${twin} repeats`)
			);
		});
	},
	required: (value, { node }) => {
		const names = strings(value).map((name) => ({ name, read: createMemberReader(name) }));
		return checkKind("object", (data, run, at) => {
			let valid = true;
			for (const { name, read } of names) {
				if (read(data) !== undefined) continue;
				valid = run.fail(at, node, "required", () => `expected property ${joinValues([name])}, which is missing`);
				if (!run.collecting) return false;
			}
			return valid;
		});
	},
	dependentRequired: (value, { node }) => {
		const rules = Object.entries(isJsonObject(value) ? value : {}).map(
			([name, needs]) => [name, strings(needs)] as const,
		);
		return checkKind("object", (data, run, at) => {
			let valid = true;
			for (const [name, needs] of rules) {
				if (!Object.hasOwn(data, name)) continue;
				for (const need of needs) {
					if (Object.hasOwn(data, need)) continue;
					valid = run.fail(
						at,
						node,
						"dependentRequired",
						() => `expected property ${joinValues([need])} beside ${joinValues([name])}`,
					);
				}
			}
			return valid;
		});
	},
};

/** Compiles a schema's pattern with Unicode rules, or without them if it is only valid without. */
export function compileExpression(value: JsonValue): RegExp {
	const source = typeof value === "string" ? value : "";
	const found = expression(source, "u") ?? expression(withoutIdleEscapes(source), "u") ?? expression(source, "");
	if (found === undefined) throw new SchemaProblem(`pattern ${describeValue(source)} is not a regular expression`);
	return found;
}

function expression(source: string, flags: string): RegExp | undefined {
	try {
		return new RegExp(source, flags);
	} catch {
		return undefined;
	}
}

// Rewrites needless escapes such as `\'`, which Unicode mode rejects: without that mode, `\p{L}` would not be a letter.
function withoutIdleEscapes(source: string): string {
	return source.replace(/\\(.)/gs, (whole, character: string) =>
		/[ !"#%&',:;<=>@_`~-]/.test(character) ? `\\x${character.charCodeAt(0).toString(16)}` : whole,
	);
}

function typeKeyword(names: readonly JsonValue[], { node }: KeywordSite): Keyword {
	const wanted = names.filter((name): name is string => typeof name === "string");
	const expected = wanted.map(addArticle).join(" or ");
	const refuse: Check<JsonValue> = (data, run, at) =>
		run.fail(at, node, "type", () => `expected ${expected}, got ${nameType(data)}`);
	return (kind) => {
		if (wanted.includes(kind)) return [];
		if (kind !== "number" || !wanted.includes("integer")) return [refuse];
		return [(data, run, at, seen) => isInteger(data as JsonOfKind["number"]) || refuse(data, run, at, seen)];
	};
}

function enumKeyword(value: JsonValue, { node }: KeywordSite): Keyword {
	const choices = isJsonArray(value) ? value : [];
	const scalars = new Set<JsonValue>(choices.filter((choice) => typeof choice !== "object" || choice === null));
	const shown = () => choices.slice(0, 12).map(spellValue).join(", ") + (choices.length > 12 ? ", …" : "");
	return (kind) => {
		// Equal numbers can be spelt differently.
		const isComparedByValue = kind === "number" || kind === "array" || kind === "object";
		const others = isComparedByValue ? choices.filter((choice) => findKind(choice) === kind) : [];
		return [
			(data, run, at) =>
				scalars.has(data) ||
				others.some((choice) => isEqualJson(choice, data)) ||
				run.fail(at, node, "enum", () => `expected one of ${shown()}, got ${describeValue(data)}`),
		];
	};
}

function bound(keyword: string, words: string, meets: (order: number) => boolean): KeywordCompiler {
	return (limit, { node }) => {
		if (!isJsonNumber(limit)) return undefined;
		return checkKind(
			"number",
			(data, run, at) =>
				meets(compareNumbers(data, limit)) ||
				run.fail(at, node, keyword, () => `expected ${words} ${describeValue(limit)}, got ${describeValue(data)}`),
		);
	};
}

function size<K extends JsonKind>(
	keyword: string,
	kind: K,
	measure: (data: JsonOfKind[K]) => number,
	words: string,
	unit: string,
	meets: (size: number, limit: number) => boolean,
): KeywordCompiler {
	return (value, { node }) => {
		const limit = countOf(value);
		return checkKind(kind, (data, run, at) => {
			const n = measure(data);
			if (meets(n, limit)) return true;
			return run.fail(at, node, keyword, () => `expected ${words} ${limit} ${plural(unit, limit)}, got ${n}`);
		});
	};
}

function countOf(value: JsonValue): number {
	return isJsonNumber(value) ? Number(typeof value === "number" ? value : value.rawJSON) : 0;
}

function plural(unit: string, count: number): string {
	return count === 1 ? unit : unit === "property" ? "properties" : `${unit}s`;
}

function lengthOf(data: string): number {
	let length = data.length;
	for (let i = 0; i < data.length - 1; i += 1) {
		const unit = data.charCodeAt(i);
		if (unit < 0xd800 || unit > 0xdbff) continue;
		const next = data.charCodeAt(i + 1);
		if (next >= 0xdc00 && next <= 0xdfff) length -= 1;
	}
	return length;
}

function itemsOf(data: JsonArray): number {
	return data.length;
}

function membersOf(data: JsonObject): number {
	return Object.keys(data).length;
}

function strings(value: JsonValue): string[] {
	return isJsonArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

// Compares by identity, so that a long hostile array takes linear, not quadratic, time.
function firstRepeat(items: readonly JsonValue[], identities: Identities): number | undefined {
	if (items.length < 2) return undefined;
	const met = new Set<string>();
	for (const [i, item] of items.entries()) {
		const name = identities.of(item);
		if (met.has(name)) return i;
		met.add(name);
	}
	return undefined;
}
