import { sep } from "node:path";
import { CleatsError, invalidField } from "../contract/errors.ts";
import {
	type Backend,
	type Output,
	SEARCH_ARGUMENTS,
	type SearchArgument,
	type SearchArgumentName,
	type SearchMode,
} from "./arguments.ts";
import type { Warning } from "./result.ts";

const MOST_TOP = 1_000;
const LONGEST_QUERY = 20_000;
const LONGEST_VALUE = 2_000;
/** Limit on repeated values, since each is compared with every path or field. */
const MOST_VALUES = 200;

/** Validates an external request field by field; the first invalid field throws INVALID_REQUEST with its name. */
export function readSearchRequest(input: unknown): SearchRequest {
	if (typeof input !== "object" || input === null || Array.isArray(input))
		throw invalidField("request", "an object", input);
	const request: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(input)) {
		if (!isArgument(name)) {
			throw new CleatsError("INVALID_REQUEST", `${name}: no such search argument`, { field: name });
		}
		if (value === undefined || value === null) continue;
		const read = readArgument(name, SEARCH_ARGUMENTS[name], value);
		// Empty filters are ignored, because clients often fill in every argument.
		if (SEARCH_ARGUMENTS[name].role === "filter" && isBlank(read)) continue;
		request[name] = read;
	}
	const { query, backend } = request;
	if (backend === "memory" || backend === "sqlite-fts") throw missingBackend(backend);
	if (typeof query !== "string" || query.trim() === "") throw invalidField("query", "a non-empty string", query);
	if (typeof request.top === "number") request.top = Math.min(request.top, MOST_TOP);
	return { ...request, query };
}

/** Every index is one SQLite file with lists of our own, whatever older callers could choose. */
function missingBackend(backend: string): CleatsError {
	const message = `backend: expected auto or sqlite, got ${JSON.stringify(backend)}: there is one store, a SQLite file, and its search does not use SQLite's FTS`;
	return new CleatsError("INVALID_REQUEST", message, { field: "backend" });
}

function isArgument(name: string): name is SearchArgumentName {
	return Object.hasOwn(SEARCH_ARGUMENTS, name);
}

function readArgument(name: SearchArgumentName, argument: SearchArgument, value: unknown): unknown {
	switch (argument.takes) {
		case "text":
			return text(name, value, name === "query" ? LONGEST_QUERY : LONGEST_VALUE, argument.expects);
		case "texts": {
			const list = typeof value === "string" ? [value] : value;
			if (!Array.isArray(list)) throw invalidField(name, "a string or an array of strings", value);
			atMost(name, list.length);
			return list.map((item) => text(name, item, LONGEST_VALUE)).filter((item) => !isBlank(item));
		}
		case "choice":
			if (typeof value === "string" && argument.choices?.includes(value)) return value;
			throw invalidField(name, `one of ${argument.choices?.join(", ")}`, value);
		case "boolean":
			if (typeof value === "boolean") return value;
			throw invalidField(name, "true or false", value);
		case "integer":
		case "number":
			return number(name, argument, value);
		case "meta":
			return fields(name, meta(value));
		case "json":
			return fields(name, metaJson(value));
	}
}

function fields(name: string, pairs: readonly string[]): readonly string[] {
	atMost(name, pairs.length);
	for (const pair of pairs) text(name, pair, LONGEST_VALUE);
	return pairs;
}

function atMost(name: string, values: number): void {
	if (values > MOST_VALUES) throw invalidField(name, `at most ${MOST_VALUES} values`, `${values} values`);
}

function isBlank(value: unknown): boolean {
	return typeof value === "string" ? value.trim() === "" : Array.isArray(value) && value.length === 0;
}

function text(name: string, value: unknown, longest: number, expects = "a string"): string {
	if (typeof value !== "string") throw invalidField(name, expects, value);
	if (value.length > longest) throw invalidField(name, `at most ${longest} characters`, `${value.length} characters`);
	return value;
}

/** `top` below its minimum is raised to it, as the contract says; any other number out of range is rejected. */
function number(name: string, argument: SearchArgument, value: unknown): number {
	const whole = argument.takes === "integer";
	if (typeof value !== "number" || !Number.isFinite(value) || (whole && !Number.isInteger(value))) {
		throw invalidField(name, argument.expects ?? (whole ? "a whole number" : "a number"), value);
	}
	const least = argument.minimum ?? 0;
	if (value >= least) return value;
	if (name === "top") return least;
	throw invalidField(name, `a number from ${least}`, value);
}

function meta(value: unknown): string[] {
	const list = Array.isArray(value) ? value : [value];
	return list.flatMap((item) => (typeof item !== "string" ? metaObject("meta", item) : isBlank(item) ? [] : item));
}

function metaJson(value: unknown): string[] {
	if (typeof value !== "string")
		// A request that was already normalised contains `key=value` strings.
		return Array.isArray(value)
			? value.flatMap((item) => (typeof item === "string" ? item : metaObject("metaJson", item)))
			: metaObject("metaJson", value);
	if (isBlank(value)) return [];
	let parsed: unknown;
	try {
		parsed = JSON.parse(value);
	} catch {
		throw invalidField("metaJson", "a JSON object", value);
	}
	if (typeof parsed === "string") throw invalidField("metaJson", "a JSON object", value);
	return metaJson(parsed);
}

/** Records are indexed to a depth of six, so deeper keys match nothing. */
const MOST_META_DEPTH = 100;

/**
 * Turns an object into `key=value` pairs, with dotted keys for nested objects. `true`, `null` and `{}` only require the key.
 */
function metaObject(name: string, value: unknown, depth = 1): string[] {
	if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalidField(name, "an object", value);
	if (depth > MOST_META_DEPTH)
		throw invalidField(name.split(".", 1).join(), `at most ${MOST_META_DEPTH} objects within each other`, depth);
	return Object.entries(value).flatMap(([key, wanted]) => {
		if (wanted === null || wanted === true) return [key];
		const values = Array.isArray(wanted) ? wanted : [wanted];
		return values.flatMap((one) => {
			if (typeof one !== "object") return `${key}=${String(one)}`;
			const inner = metaObject(`${name}.${key}`, one, depth + 1);
			return inner.length === 0 ? key : inner.map((field) => `${key}.${field}`);
		});
	});
}

/** A search request as the engine takes it: the arguments of SEARCH_ARGUMENTS, validated and normalised. */
export type SearchRequest = {
	readonly query: string;
	readonly repoPath?: string;
	readonly mode?: SearchMode;
	readonly backend?: Backend;
	readonly output?: Output;
	/** `null` and absent both mean: on if a model is available. */
	readonly ann?: boolean | null;
	readonly top?: number;
	readonly offset?: number;
	readonly context?: number;
	readonly explain?: boolean;
	readonly type?: string;
	readonly author?: string;
	readonly import?: string;
	readonly calls?: string;
	readonly uses?: string;
	readonly signature?: string;
	readonly param?: string;
	readonly decorator?: string;
	readonly inferredType?: string;
	readonly returnType?: string;
	readonly throws?: string;
	readonly reads?: string;
	readonly writes?: string;
	readonly mutates?: string;
	readonly alias?: string;
	readonly awaits?: string;
	readonly risk?: string;
	readonly riskTag?: string;
	readonly riskSource?: string;
	readonly riskSink?: string;
	readonly riskCategory?: string;
	readonly riskFlow?: string;
	readonly branchesMin?: number;
	readonly loopsMin?: number;
	readonly breaksMin?: number;
	readonly continuesMin?: number;
	readonly churnMin?: number;
	readonly chunkAuthor?: string;
	readonly modifiedAfter?: string;
	/** In days. */
	readonly modifiedSince?: number;
	readonly visibility?: string;
	readonly extends?: string;
	readonly lint?: boolean;
	readonly async?: boolean;
	readonly generator?: boolean;
	readonly returns?: boolean;
	readonly branch?: string;
	readonly lang?: string;
	readonly case?: boolean;
	readonly caseFile?: boolean;
	readonly caseTokens?: boolean;
	readonly path?: string | readonly string[];
	readonly file?: string | readonly string[];
	readonly ext?: string | readonly string[];
	/** `{key: value}`, `["key=value", "key"]` or `"key=value"`. */
	readonly meta?: string | readonly string[] | Readonly<Record<string, unknown>>;
	/** An object, or its JSON text. */
	readonly metaJson?: string | Readonly<Record<string, unknown>>;
};

/** The path relative to the repository, if it was given with the repository's folder in front. */
export function makePathRelative(root: string, path: string): string {
	if (path === root) return "";
	return path.startsWith(root + sep) ? path.slice(root.length + 1).replaceAll(sep, "/") : path;
}

/** Makes a request's path filters relative; an absolute path would match nothing or look like a `/regex/`. */
export function makeRequestRelative(root: string, request: SearchRequest): SearchRequest {
	if (request.path === undefined) return request;
	return { ...request, path: [request.path].flat().map((path) => makePathRelative(root, path)) };
}

/** Says which filters were given empty, and so do not limit the answer. */
export function warnOfEmptyFilters(given: Readonly<Record<string, unknown>>, request: SearchRequest): Warning[] {
	const empty = Object.keys(given).filter((name) => (given[name] ?? undefined) !== undefined && !(name in request));
	if (empty.length === 0) return [];
	const message = `given without a value, so nothing was filtered by ${empty.join(", ")}`;
	return [{ code: "filter_empty", ...(empty.length === 1 && { field: empty[0] }), message }];
}

const DATE =
	/^(?<year>\d{4})(?:-(?<month>\d{2})(?:-(?<day>\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?)?)?$/i;

/** Milliseconds of an ISO 8601 date, in UTC if it has no zone; `undefined` for anything else. */
export function readDate(text: string): number | undefined {
	const date = DATE.exec(text.trim())?.groups;
	if (!date) return undefined;
	const { year = "", month = "01", day = "01", zone } = date;
	// `Date` accepts 31 February as a day in March, and many sentences with a number as a date.
	const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
	if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) return undefined;
	const hasTime = text.includes(":");
	const ms = Date.parse(hasTime && zone === undefined ? `${text.trim()}Z` : text.trim());
	return Number.isNaN(ms) ? undefined : ms;
}
