import { compareNumbers, isInteger, isMultipleOf } from "../../json/decimal.ts";
import type { Identities } from "../../json/identities.ts";
import { jsonEqual } from "../../json/jsonEqual.ts";
import { isJsonArray, isJsonNumber, isJsonObject, type JsonValue, memberReader } from "../../json/jsonValue.ts";
import { describe, list, named, typeName } from "../describe.ts";
import type { Keyword } from "../evaluation.ts";
import { SchemaProblem } from "../schemaProblem.ts";
import type { KeywordCompiler, KeywordSite, KeywordTable } from "./keyword.ts";

/** The validation vocabulary. */
export const ASSERTIONS: KeywordTable = {
	type: (value, site) => typeKeyword(isJsonArray(value) ? value : [value], site),
	enum: enumKeyword,
	const:
		(value, { node }) =>
		(data, run, at) =>
			jsonEqual(data, value) || run.fail(at, node, "const", () => `expected ${describe(value)}, got ${describe(data)}`),
	minimum: bound("minimum", "at least", (order) => order >= 0),
	maximum: bound("maximum", "at most", (order) => order <= 0),
	exclusiveMinimum: bound("exclusiveMinimum", "more than", (order) => order > 0),
	exclusiveMaximum: bound("exclusiveMaximum", "less than", (order) => order < 0),
	multipleOf: (value, { node }) => {
		if (!isJsonNumber(value)) return undefined;
		return (data, run, at) =>
			!isJsonNumber(data) ||
			isMultipleOf(data, value) ||
			run.fail(at, node, "multipleOf", () => `expected a multiple of ${describe(value)}, got ${describe(data)}`);
	},
	minLength: size("minLength", lengthOf, "at least", "character", (n, limit) => n >= limit),
	maxLength: size("maxLength", lengthOf, "at most", "character", (n, limit) => n <= limit),
	minItems: size("minItems", itemsOf, "at least", "item", (n, limit) => n >= limit),
	maxItems: size("maxItems", itemsOf, "at most", "item", (n, limit) => n <= limit),
	minProperties: size("minProperties", membersOf, "at least", "property", (n, limit) => n >= limit),
	maxProperties: size("maxProperties", membersOf, "at most", "property", (n, limit) => n <= limit),
	pattern: (value, { node }) => {
		const pattern = regularExpression(value);
		return (data, run, at) =>
			typeof data !== "string" ||
			pattern.test(data) ||
			run.fail(at, node, "pattern", () => `expected a string matching ${pattern.source}, got ${describe(data)}`);
	},
	uniqueItems: (value, { node }) => {
		if (value !== true) return undefined;
		return (data, run, at) => {
			const twin = isJsonArray(data) ? firstRepeat(data, run.identities) : undefined;
			return (
				twin === undefined || run.fail(at, node, "uniqueItems", () => `expected unique items, item ${twin} repeats`)
			);
		};
	},
	required: (value, { node }) => {
		const names = strings(value).map((name) => ({ name, read: memberReader(name) }));
		return (data, run, at) => {
			if (!isJsonObject(data)) return true;
			let valid = true;
			for (const { name, read } of names) {
				if (read(data) !== undefined) continue;
				valid = run.fail(at, node, "required", () => `expected property ${list([name])}, which is missing`);
				if (!run.collecting) return false;
			}
			return valid;
		};
	},
	dependentRequired: (value, { node }) => {
		const rules = Object.entries(isJsonObject(value) ? value : {}).map(
			([name, needs]) => [name, strings(needs)] as const,
		);
		return (data, run, at) => {
			if (!isJsonObject(data)) return true;
			let valid = true;
			for (const [name, needs] of rules) {
				if (!Object.hasOwn(data, name)) continue;
				for (const need of needs) {
					if (Object.hasOwn(data, need)) continue;
					valid = run.fail(
						at,
						node,
						"dependentRequired",
						() => `expected property ${list([need])} beside ${list([name])}`,
					);
				}
			}
			return valid;
		};
	},
};

/** A schema's pattern, by Unicode rules; patterns written for older engines are still understood. */
export function regularExpression(value: JsonValue): RegExp {
	const source = typeof value === "string" ? value : "";
	try {
		return new RegExp(source, "u");
	} catch {
		return olderExpression(source);
	}
}

function olderExpression(source: string): RegExp {
	try {
		return new RegExp(source);
	} catch {
		throw new SchemaProblem(`pattern ${describe(source)} is not a regular expression`);
	}
}

const TYPES: Readonly<Record<string, (data: JsonValue) => boolean>> = {
	null: (data) => data === null,
	boolean: (data) => typeof data === "boolean",
	string: (data) => typeof data === "string",
	number: isJsonNumber,
	integer: (data) => isJsonNumber(data) && isInteger(data),
	array: isJsonArray,
	object: isJsonObject,
};

function typeKeyword(names: readonly JsonValue[], { node }: KeywordSite): Keyword {
	const wanted = names.filter((name): name is string => typeof name === "string");
	const tests = wanted.map((name) => TYPES[name]).filter((test) => test !== undefined);
	const [only] = tests;
	const matches =
		tests.length === 1 && only !== undefined ? only : (data: JsonValue) => tests.some((test) => test(data));
	const expected = wanted.map(named).join(" or ");
	return (data, run, at) =>
		matches(data) || run.fail(at, node, "type", () => `expected ${expected}, got ${typeName(data)}`);
}

function enumKeyword(value: JsonValue, { node }: KeywordSite): Keyword {
	const choices = isJsonArray(value) ? value : [];
	const scalars = new Set<JsonValue>(choices.filter((choice) => typeof choice !== "object" || choice === null));
	// A number may come as another spelling of it.
	const others = choices.filter((choice) => isJsonNumber(choice) || (typeof choice === "object" && choice !== null));
	const shown = choices.slice(0, 12).map(describe).join(", ") + (choices.length > 12 ? ", …" : "");
	return (data, run, at) =>
		scalars.has(data) ||
		others.some((choice) => jsonEqual(choice, data)) ||
		run.fail(at, node, "enum", () => `expected one of ${shown}, got ${describe(data)}`);
}

function bound(keyword: string, words: string, meets: (order: number) => boolean): KeywordCompiler {
	return (limit, { node }) => {
		if (!isJsonNumber(limit)) return undefined;
		return (data, run, at) =>
			!isJsonNumber(data) ||
			meets(compareNumbers(data, limit)) ||
			run.fail(at, node, keyword, () => `expected ${words} ${describe(limit)}, got ${describe(data)}`);
	};
}

function size(
	keyword: string,
	measure: (data: JsonValue) => number | undefined,
	words: string,
	unit: string,
	meets: (size: number, limit: number) => boolean,
): KeywordCompiler {
	return (value, { node }) => {
		const limit = countOf(value);
		return (data, run, at) => {
			const n = measure(data);
			if (n === undefined || meets(n, limit)) return true;
			return run.fail(at, node, keyword, () => `expected ${words} ${limit} ${plural(unit, limit)}, got ${n}`);
		};
	};
}

function countOf(value: JsonValue): number {
	return isJsonNumber(value) ? Number(typeof value === "number" ? value : value.rawJSON) : 0;
}

function plural(unit: string, count: number): string {
	return count === 1 ? unit : unit === "property" ? "properties" : `${unit}s`;
}

function lengthOf(data: JsonValue): number | undefined {
	if (typeof data !== "string") return undefined;
	let length = data.length;
	for (let i = 0; i < data.length - 1; i += 1) {
		const unit = data.charCodeAt(i);
		if (unit < 0xd800 || unit > 0xdbff) continue;
		const next = data.charCodeAt(i + 1);
		if (next >= 0xdc00 && next <= 0xdfff) length -= 1;
	}
	return length;
}

function itemsOf(data: JsonValue): number | undefined {
	return isJsonArray(data) ? data.length : undefined;
}

function membersOf(data: JsonValue): number | undefined {
	return isJsonObject(data) ? Object.keys(data).length : undefined;
}

function strings(value: JsonValue): string[] {
	return isJsonArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

// By identity, so that a long hostile array takes linear, not quadratic, time.
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
