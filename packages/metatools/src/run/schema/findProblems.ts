import type { ErrorObject as AjvError } from "ajv";
import { nearest } from "libmcp/command";
import { isObject, type JsonObject, readKind } from "../../contract/json.ts";
import {
	type Flaw,
	LIMITS,
	listAllowed,
	listAllowedAt,
	listAlternatives,
	listExamplesAt,
	type Part,
	type Problem,
	resolvePart,
} from "./problem.ts";
import { splitReasons } from "./splitReasons.ts";

/** With more alternatives than this, the search for the intended one would take too long. */
const MOST_BRANCHES = 50;

/** Why a value does not fit a schema: a problem or more for each keyword that fails, found as they are asked for. */
export function* findProblems(errors: readonly AjvError[], schema: JsonObject): Generator<Problem> {
	for (const reason of splitReasons(errors, schema)) yield* problemsOfOne(reason, schema);
}

function problemsOfOne(errors: readonly AjvError[], schema: JsonObject): Iterable<Problem> {
	const last = errors.at(-1);
	if (last === undefined) return [];
	const inner = errors.slice(0, -1);
	switch (last.keyword) {
		case "anyOf":
		case "oneOf":
			return unionProblems(last, inner, schema);
		case "if":
			return inner.length > 0 ? findProblems(inner, schema) : [problemOf(last, schema)];
		case "propertyNames":
			return [...findProblems(inner, schema)].map((problem) => ({ ...problem, ofName: true }));
		default:
			return [problemOf(last, schema)];
	}
}

/** The first reason in Ajv's own words, where finding better ones takes too long. */
export function describeFirst(errors: readonly AjvError[]): readonly Problem[] {
	return errors.slice(-1).map((last) => ({ at: readPlace(last), ...otherFlaw(last) }));
}

/** The problems of the alternative that was evidently meant; if that is unclear, a list of the alternatives. */
function unionProblems(error: AjvError, inner: readonly AjvError[], root: JsonObject): Iterable<Problem> {
	const at = readPlace(error);
	const got: unknown = error.data;
	const branches = (Array.isArray(error.schema) ? error.schema : []).map((schema) => resolvePart({ schema, root }));
	const passing: unknown = error.params.passingSchemas;
	if (Array.isArray(passing))
		return [{ kind: "several", at, of: branches.filter((_, index) => passing.includes(index)), got }];
	const fitting = branches.filter((branch) => isOfType(got, branch));
	const tag = isObject(got) ? tagOf(fitting) : undefined;
	const named =
		tag === undefined || !isObject(got)
			? fitting
			: fitting.filter(({ schema }) => listAllowedAt(schema, tag)?.includes(got[tag]));
	const whole = named.filter(({ schema }) => hasAll(got, schema));
	const [meant, ...others] = whole.length === 1 ? whole : named;
	if (meant !== undefined && others.length === 0 && branches.length <= MOST_BRANCHES) {
		const its = errorsOf(meant, inner, branches);
		if (its.length > 0) return findProblems(its, root);
	}
	if (meant === undefined && tag !== undefined && isObject(got)) {
		const tags = fitting.flatMap(({ schema }) => listAllowedAt(schema, tag) ?? []);
		return [{ kind: "enum", at: [...at, tag], allowed: tags, got: got[tag] }];
	}
	return [{ kind: "none", at, of: branches, got }];
}

/** Picks the errors of one alternative, with those of the schemas it refers to. */
function errorsOf(meant: Part, errors: readonly AjvError[], branches: readonly Part[]): readonly AjvError[] {
	const its = partsOf(meant.schema);
	const ofOthers = new Set<unknown>();
	for (const { schema } of branches) if (schema !== meant.schema) partsOf(schema, ofOthers);
	const end = errors.findLastIndex(({ parentSchema }) => its.has(parentSchema));
	const before = errors.slice(0, end + 1).findLastIndex(({ parentSchema }) => ofOthers.has(parentSchema));
	return errors.slice(before + 1, end + 1);
}

function partsOf(schema: unknown, found: Set<unknown> = new Set()): ReadonlySet<unknown> {
	if (found.has(schema)) return found;
	found.add(schema);
	if (typeof schema === "object" && schema !== null) for (const part of Object.values(schema)) partsOf(part, found);
	return found;
}

/** Whether a value has every field that an alternative requires, which hardly happens by mistake. */
function hasAll(value: unknown, schema: unknown): boolean {
	if (!isObject(value) || !isObject(schema) || !Array.isArray(schema.required)) return false;
	return schema.required.every((name: unknown) => Object.hasOwn(value, String(name)));
}

/** A field whose value tells the alternatives apart. */
function tagOf(branches: readonly Part[]): string | undefined {
	const first = branches[0]?.schema;
	const names = isObject(first) && isObject(first.properties) ? Object.keys(first.properties) : [];
	return branches.length < 2
		? undefined
		: names.find((name) => branches.every(({ schema }) => listAllowedAt(schema, name) !== undefined));
}

function isOfType(value: unknown, { schema, root }: Part, depth = 0): boolean {
	if (!isObject(schema)) return true;
	if (listAllowed(schema) !== undefined) return false;
	const union = listAlternatives(schema);
	if (union !== undefined && depth < MOST_DEPTH)
		return union.some((inner) => isOfType(value, resolvePart({ schema: inner, root }), depth + 1));
	const kind = readKind(value);
	return schema.type === undefined || [schema.type].flat().some((type) => type === kind || TYPES_OF[kind] === type);
}

const TYPES_OF: Readonly<Record<string, string>> = { number: "integer" };
const MOST_DEPTH = 2;

function problemOf(error: AjvError, root: JsonObject): Problem {
	const { missingProperty, additionalProperty, unevaluatedProperty } = error.params;
	const field: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty;
	const place = readPlace(error);
	return { at: field === undefined ? place : [...place, String(field)], ...flawOf(error, root) };
}

function flawOf(error: AjvError, root: JsonObject): Flaw {
	const { keyword, params, parentSchema } = error;
	const got: unknown = error.data;
	switch (keyword) {
		case "required": {
			const name = String(params.missingProperty);
			const values = listAllowedAt(parentSchema, name);
			if (values !== undefined) return { kind: "missing", allowed: values };
			const examples = listExamplesAt(parentSchema, name);
			return { kind: "missing", ...(examples !== undefined && { examples }) };
		}
		case "dependentRequired":
		case "dependencies":
			return { kind: "missing", since: String(params.property) };
		case "additionalProperties":
		case "unevaluatedProperties":
			return unknownField(String(params.additionalProperty ?? params.unevaluatedProperty), got, parentSchema);
		case "false schema":
			return { kind: "unknown", known: [] };
		case "type":
			return { kind: keyword, types: [params.type].flat().map(String), got };
		case "enum":
			return { kind: keyword, allowed: params.allowedValues, got };
		case "const":
			return { kind: keyword, allowed: params.allowedValue, got };
		case "not":
		case "contains":
			return { kind: keyword, part: { schema: error.schema, root }, got };
		case "pattern":
			return { kind: keyword, pattern: String(params.pattern), got };
		case "multipleOf":
			return { kind: keyword, factor: Number(params.multipleOf), got };
		case "uniqueItems":
			return { kind: keyword, alike: [Number(params.j), Number(params.i)] };
		default: {
			const limit = LIMITS.find((known) => known === keyword);
			if (limit !== undefined) return { kind: limit, limit: Number(params.limit), got };
			return otherFlaw(error);
		}
	}
}

function otherFlaw({ message, data }: AjvError): Flaw {
	return { kind: "other", says: message ?? "expected another value", got: data };
}

const MOST_NAMED_CHARS = 600;

function unknownField(name: string, value: unknown, schema: unknown): Flaw {
	const names = isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : [];
	// A field that is present already cannot be the one that was meant.
	const free = names.filter((known) => !isObject(value) || !Object.hasOwn(value, known));
	const meant = name.length < SHORTEST_MISSPELT ? undefined : nearest(name, free);
	if (meant !== undefined) return { kind: "unknown", meant, known: [] };
	return { kind: "unknown", known: names.join(", ").length > MOST_NAMED_CHARS ? [] : names };
}

/** In a shorter name, one wrong letter leaves too little to recognise it. */
const SHORTEST_MISSPELT = 3;

/** The fields and indices that lead to the value that failed. */
function readPlace({ instancePath }: AjvError): readonly string[] {
	return instancePath
		.split("/")
		.slice(1)
		.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** More would only be read by nobody: a caller that has so much wrong has misread the schema. */
const MOST_PROBLEMS = 8;

/** One problem for each place, at most so many, and the fields that an object takes once. */
export function keepDistinctProblems(problems: Iterable<Problem>): readonly Problem[] {
	const kept: Problem[] = [];
	const places = new Set<string>();
	const told = new Set<string>();
	for (const problem of problems) {
		const place = JSON.stringify(problem.at);
		if (places.has(place)) continue;
		places.add(place);
		kept.push(problem.kind === "unknown" ? listedOnce(problem, told) : problem);
		if (kept.length === MOST_PROBLEMS) break;
	}
	return kept;
}

/** Drops the list of known fields if an earlier problem has the same. */
function listedOnce<Unknown extends Problem & { kind: "unknown" }>(problem: Unknown, told: Set<string>): Unknown {
	const list = problem.known.join("\n");
	if (list !== "" && told.has(list)) return { ...problem, known: [] };
	told.add(list);
	return problem;
}
