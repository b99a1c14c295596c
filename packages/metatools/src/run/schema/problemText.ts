import { countText } from "libmcp";
import { cutText } from "../../catalog/text.ts";
import {
	isObject,
	type JsonObject,
	listNeededNames,
	showSecret,
	showValue,
	showWithKind,
} from "../../contract/json.ts";
import {
	type Flaw,
	type Limit,
	listAllowed,
	listAllowedAt,
	listAlternatives,
	type Part,
	type Problem,
	resolvePart,
} from "./problem.ts";

const MOST_NAMED_CHARS = 600;

/** A line that names the place as a JSON Pointer below `root`, what was expected and what came. */
export function describeProblem(problem: Problem, root: string): string {
	const segments = problem.at.map((segment) => segment.replaceAll("~", "~0").replaceAll("/", "~1"));
	return describeProblemAt(problem, [root, ...segments].join("/"));
}

/** Like `problemText`, with a place that the caller has already put into words. */
export function describeProblemAt(problem: Problem, place: string): string {
	return `${problem.ofName === true ? "name of a field of " : ""}${place}: ${flawText(problem)}`;
}

function flawText(flaw: Problem): string {
	const quoted = flaw.isSecret === true ? showSecret : showValue;
	const quotedWithKind = flaw.isSecret === true ? showSecret : showWithKind;
	switch (flaw.kind) {
		case "missing":
			return `expected ${missingText(flaw)}${flaw.since === undefined ? "" : `, since ${flaw.since} is given`}, got none`;
		case "unknown":
			return `expected no such field, got one${suggestion(flaw)}`;
		case "uniqueItems":
			return `expected no item twice, got items ${flaw.alike.join(" and ")} alike`;
		case "type":
			return `expected ${flaw.types.join(" or ")}, got ${quotedWithKind(flaw.got)}`;
		case "none":
			return `expected ${schemaTexts(flaw.of, "or")}, got ${quotedWithKind(flaw.got)}`;
		case "several":
			return `expected only one of ${schemaTexts(flaw.of, "and")}, got both: ${quoted(flaw.got)}`;
		case "enum":
			return `expected one of ${choiceList(flaw.allowed)}, got ${quoted(flaw.got)}`;
		case "const":
			return `expected ${showValue(flaw.allowed)}, got ${quoted(flaw.got)}`;
		case "not":
			return `expected anything but ${schemaText(flaw.part)}, got ${quoted(flaw.got)}`;
		case "contains":
			return `expected an item that is ${schemaText(flaw.part)}, got ${quoted(flaw.got)}`;
		case "pattern":
			return `expected text that matches ${flaw.pattern}, got ${quoted(flaw.got)}`;
		case "multipleOf":
			return `expected a multiple of ${flaw.factor}, got ${quoted(flaw.got)}`;
		case "other":
			return Object.hasOwn(flaw, "got") ? `${flaw.says}, got ${quoted(flaw.got)}` : flaw.says;
		default:
			return `expected ${LIMIT_TEXTS[flaw.kind](flaw.limit)}, got ${quoted(flaw.got)}`;
	}
}

function suggestion({ meant, known }: Extract<Flaw, { kind: "unknown" }>): string {
	if (meant !== undefined) return `; did you mean ${meant}?`;
	return known.length === 0 ? "" : `; there are ${known.join(", ")}`;
}

const LIMIT_TEXTS: Readonly<Record<Limit, (limit: number) => string>> = {
	minimum: (limit) => `${limit} or more`,
	maximum: (limit) => `${limit} or less`,
	exclusiveMinimum: (limit) => `more than ${limit}`,
	exclusiveMaximum: (limit) => `less than ${limit}`,
	minItems: (limit) => `at least ${countText(limit, "item")}`,
	maxItems: (limit) => `at most ${countText(limit, "item")}`,
	minLength: (limit) => `at least ${countText(limit, "character")}`,
	maxLength: (limit) => `at most ${countText(limit, "character")}`,
	minProperties: (limit) => `at least ${countText(limit, "field")}`,
	maxProperties: (limit) => `at most ${countText(limit, "field")}`,
};

function missingText({ allowed: values, examples }: Extract<Flaw, { kind: "missing" }>): string {
	if (values !== undefined) return values.length === 1 ? showValue(values[0]) : `one of ${choiceList(values)}`;
	return examples === undefined
		? "a value"
		: `a value such as ${cutText(examples.map(showValue).join(" or "), MOST_NAMED_CHARS)}`;
}

/** Lists all choices, as the caller picked a wrong one. */
function choiceList(values: unknown): string {
	return cutText(JSON.stringify(values), MOST_NAMED_CHARS);
}

function schemaTexts(parts: readonly Part[], word: string): string {
	return cutText([...new Set(parts.map((part) => schemaText(part)))].join(` ${word} `), MOST_NAMED_CHARS);
}

/** Describes what a schema accepts, briefly, but so that it differs from the alternatives beside it. */
function schemaText({ schema, root }: Part, depth = 0): string {
	if (!isObject(schema)) return "a value";
	const values = listAllowed(schema);
	if (values !== undefined) return values.map(showValue).join(" or ");
	const { type, properties, required, items } = schema;
	const ofInner = (inner: unknown): string => schemaText(resolvePart({ schema: inner, root }), depth + 1);
	const union = listAlternatives(schema);
	if (union !== undefined && depth < MOST_DEPTH) return [...new Set(union.map(ofInner))].join(" or ");
	if (isObject(properties) || Array.isArray(required)) {
		const names = Array.isArray(required) ? required.map(String) : [];
		const fields = names.map((name) => {
			const only = listAllowedAt(schema, name);
			return only === undefined ? name : `${name}: ${only.map(showValue).join("|")}`;
		});
		return fields.length === 0 ? "object" : `{${fields.join(", ")}}`;
	}
	if (type === "array" && items !== undefined && depth < MOST_DEPTH) return `array of ${ofInner(items)}`;
	return type === undefined ? "a value that fits another part of the schema" : [type].flat().join(" or ");
}

const MOST_DEPTH = 2;

const MOST_LISTED_CHARS = 600;

type Told = { readonly problems: readonly Problem[]; readonly hints: readonly string[] };

/**
 * Adds a hint that names the argument for an id that was given as another, and one that lists all arguments if a required
 * one is missing: the caller probably got others wrong too. Problems about unknown arguments then no longer list the known ones.
 */
export function hintAtArguments(inputSchema: unknown, args: JsonObject, problems: readonly Problem[]): Told {
	if (!isObject(inputSchema) || !isObject(inputSchema.properties)) return { problems, hints: [] };
	const { properties } = inputSchema;
	const hints = problems.flatMap((problem) => idHint(properties, problem));
	const needed = new Set(listNeededNames(inputSchema));
	if ([...needed].every((name) => Object.hasOwn(args, name))) return { problems, hints };
	const names = Object.keys(properties).map((name) => (needed.has(name) ? name : `${name}?`));
	return {
		problems: problems.map(withoutKnownNames),
		hints: [...hints, `it takes ${cutText(names.join(", "), MOST_LISTED_CHARS)}`],
	};
}

/** For a text that was given as `skill`, which is an object, where there is a `skill_id`. */
function idHint(properties: JsonObject, { at, ...problem }: Problem): string[] {
	if (problem.kind !== "type" || typeof problem.got !== "string" || at.length !== 1) return [];
	const name = `${at[0]}_id`;
	const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
	return isObject(property) && property.type === "string" ? [`an id is given as ${name}`] : [];
}

function withoutKnownNames(problem: Problem): Problem {
	return problem.kind === "unknown" && problem.at.length === 1 ? { ...problem, known: [] } : problem;
}
