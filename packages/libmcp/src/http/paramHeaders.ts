import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../server/protocol/protocol.ts";
import { createMismatchError, decodeHeaderValue, encodeHeaderValue, readHeader } from "./modernHeaders.ts";

/** An argument that a tool's schema wants repeated in a header, so that intermediaries can route by its value. */
export type ParamHeader = { readonly path: readonly string[]; readonly header: string };

const PREFIX = "mcp-param-";

/** The arguments that this input schema maps to headers; empty when an annotation breaks the rules. */
export function paramHeaders(inputSchema: unknown): readonly ParamHeader[] {
	const found = headerAnnotations(inputSchema);
	return typeof found === "string"
		? []
		: found.map(({ path, name }) => ({ path, header: `${PREFIX}${name.toLowerCase()}` }));
}

/** Every `Mcp-Param-` header of a request, known or not. */
export function readParamHeaders(headers: IncomingHttpHeaders): Record<string, string> | undefined {
	let given: Record<string, string> | undefined;
	for (const name in headers) {
		const value = name.startsWith(PREFIX) ? readHeader(headers, name) : undefined;
		if (value !== undefined) given = { ...given, [name]: value };
	}
	return given;
}

/** Refuses a call whose headers and arguments disagree. */
export function checkParamHeaders(headers: IncomingHttpHeaders, given: unknown, wanted: readonly ParamHeader[]): void {
	for (const { path, header } of wanted) {
		const value = valueAt(given, path);
		const argument = `arguments.${path.join(".")}`;
		const raw = readHeader(headers, header);
		const decoded = raw === undefined ? undefined : decodeHeaderValue(raw);
		if (raw !== undefined && decoded === undefined)
			throw createMismatchError(header, "is not valid Base64 between its marks");
		if (value === undefined || value === null) {
			if (raw !== undefined) throw createMismatchError(header, `is present, but ${argument} is not`);
		} else if (decoded === undefined) throw createMismatchError(header, `is required for ${argument}`);
		else if (!says(decoded, value)) throw createMismatchError(header, `does not say what ${argument} says`);
	}
}

/** The headers that repeat these arguments, for a proxy that forwards the call. */
export function paramHeaderValues(given: unknown, wanted: readonly ParamHeader[]): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const { path, header } of wanted) {
		const value = valueAt(given, path);
		if (value !== undefined && value !== null) headers[header] = encodeHeaderValue(textOf(value));
	}
	return headers;
}

function valueAt(given: unknown, path: readonly string[]): unknown {
	return path.reduce<unknown>(
		(value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
		given,
	);
}

function says(header: string, value: unknown): boolean {
	if (typeof value === "number") return header !== "" && Number(header) === value;
	return header === textOf(value);
}

// A server may parse large numbers into objects that JSON writes as numbers again.
function textOf(value: unknown): string {
	return typeof value === "string" ? value : JSON.stringify(value);
}

type HeaderAnnotation = { readonly path: readonly string[]; readonly name: string };

const KEY = "x-mcp-header";
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRIMITIVES: readonly unknown[] = ["string", "integer", "boolean"];
/** Only an attack nests schemas deeper than this. */
const MOST_DEPTH = 64;

/** Keywords whose subschemas do not describe one particular argument. */
const ELSEWHERE: readonly string[] = [
	"items",
	"prefixItems",
	"contains",
	"additionalProperties",
	"unevaluatedProperties",
	"unevaluatedItems",
	"propertyNames",
	"oneOf",
	"anyOf",
	"allOf",
	"not",
	"if",
	"then",
	"else",
];
const ELSEWHERE_BY_NAME: readonly string[] = ["patternProperties", "dependentSchemas", "$defs", "definitions"];

/** Why clients must ignore a tool with this input schema; undefined if its header annotations are valid. */
export function paramHeaderProblem(inputSchema: unknown): string | undefined {
	const found = headerAnnotations(inputSchema);
	return typeof found === "string" ? found : undefined;
}

type Annotations = readonly HeaderAnnotation[] | string;

/** Cached per schema object: every call needs it, and it changes only when the tool list is read again. */
const KNOWN = new WeakMap<object, Annotations>();

/** The annotations of an input schema, or the first broken rule. */
function headerAnnotations(inputSchema: unknown): Annotations {
	if (!isRecord(inputSchema)) return [];
	const known = KNOWN.get(inputSchema);
	if (known !== undefined) return known;
	const found: HeaderAnnotation[] = [];
	const judged = visit(inputSchema, [], true, found) ?? found;
	KNOWN.set(inputSchema, judged);
	return judged;
}

function visit(
	schema: unknown,
	path: readonly string[],
	reachable: boolean,
	found: HeaderAnnotation[],
): string | undefined {
	if (!isRecord(schema) || path.length > MOST_DEPTH) return undefined;
	const problem = Object.hasOwn(schema, KEY) ? judge(schema, path, reachable, found) : undefined;
	if (problem !== undefined) return `${path.join(".") || "the schema"}: ${problem}`;
	for (const [name, below, certain] of subschemas(schema)) {
		const deeper = visit(below, [...path, name], reachable && certain, found);
		if (deeper !== undefined) return deeper;
	}
	return undefined;
}

function judge(
	schema: Readonly<Record<string, unknown>>,
	path: readonly string[],
	reachable: boolean,
	found: HeaderAnnotation[],
): string | undefined {
	const name = schema[KEY];
	if (!reachable || path.length === 0) return `${KEY} is allowed on properties of objects only`;
	if (typeof name !== "string" || !TOKEN.test(name)) return `${KEY}: expected the rest of a header's name`;
	if (!PRIMITIVES.includes(schema.type)) return `${KEY}: expected a property of type string, integer or boolean`;
	if (found.some((other) => other.name.toLowerCase() === name.toLowerCase())) return `${KEY}: ${name} is named twice`;
	found.push({ path, name });
	return undefined;
}

/** Every direct subschema, with its name and whether it describes one particular argument. */
function* subschemas(schema: Readonly<Record<string, unknown>>): Generator<readonly [string, unknown, boolean]> {
	for (const [name, below] of entries(schema.properties)) yield [name, below, true];
	for (const keyword of ELSEWHERE) {
		for (const below of [schema[keyword]].flat()) yield [`<${keyword}>`, below, false];
	}
	for (const keyword of ELSEWHERE_BY_NAME) {
		for (const [, below] of entries(schema[keyword])) yield [`<${keyword}>`, below, false];
	}
}

function entries(value: unknown): readonly (readonly [string, unknown])[] {
	return isRecord(value) ? Object.entries(value) : [];
}
