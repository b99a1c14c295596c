import { isRecord } from "../server/protocol.ts";

export type HeaderAnnotation = { readonly path: readonly string[]; readonly name: string };

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
export function headerAnnotations(inputSchema: unknown): Annotations {
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
