import { SEARCH_ARGUMENTS, type SearchArgument, type SearchArgumentName } from "../query/arguments.ts";
import type { Hit } from "../query/result.ts";
import type { FileText } from "../repo/repository.ts";
import type { SearchPayload } from "../searching/writtenSearch.ts";
import type { InputSchema, JsonSchema } from "./tool.ts";

export const TEXT = { type: "string" } as const;
export const FLAG = { type: "boolean" } as const;
export const RECORD = { type: "object" } as const;
export const REPO_PATH = { type: "string", description: "Repository; the server's default when left out" } as const;
export const COUNT = { type: "integer", minimum: 0 } as const;

/** Reserved for later: refused whenever it is set. */
export const RESERVED = { description: "Reserved", not: {} } as const;

/** Arguments that every tool takes. */
const CALL_ARGUMENTS = {
	render: { enum: ["json", "porcelain"], description: "Text as the JSON envelope (default) or made for reading" },
} as const;

/** An input schema: nothing but the arguments named is accepted. */
export function makeInputSchema<
	const Properties extends Readonly<Record<string, JsonSchema>>,
	Required extends keyof Properties = never,
>(
	properties: Properties,
	required: readonly Required[] = [],
): InputSchema<Properties & typeof CALL_ARGUMENTS, Required> {
	return {
		type: "object",
		properties: { ...properties, ...CALL_ARGUMENTS },
		...(required.length > 0 && { required }),
		additionalProperties: false,
	};
}

/** The search tool's schema, made from the same table as the command line's flags. */
export function makeSearchInputSchema(): InputSchema<SearchProperties & typeof CALL_ARGUMENTS, "query"> {
	const properties = Object.entries<SearchArgument>(SEARCH_ARGUMENTS).map(([name, argument]) => [
		name,
		{ ...typeOf(name, argument), description: argument.says },
	]);
	return makeInputSchema(Object.fromEntries(properties) as SearchProperties, ["query"]);
}

/** All the names; what the values may be is told by `readSearchRequest`, but for the one that every tool reads. */
type SearchProperties = Readonly<Record<SearchArgumentName, JsonSchema>> & { readonly repoPath: typeof TEXT };

function typeOf(name: string, { takes, choices, minimum }: SearchArgument): JsonSchema {
	switch (takes) {
		case "text":
			return name === "query" ? { type: "string", minLength: 1 } : TEXT;
		case "texts":
			return { type: ["string", "array"], items: TEXT };
		case "choice":
			return { enum: choices };
		case "boolean":
			return name === "ann" ? { type: ["boolean", "null"] } : FLAG;
		case "integer":
		case "number":
			// A `top` below its minimum is raised to it, so the schema lets it through.
			return { type: takes, ...(minimum !== undefined && name !== "top" && { minimum }) };
		case "meta":
			return { type: ["object", "array", "string"], items: { type: ["string", "object"] } };
		case "json":
			return { type: ["object", "string"] };
	}
}

const META = { type: "object", required: ["schemaVersion", "toolingVersion", "ts"] } as const;
const ERROR = { type: "object", properties: { code: TEXT, message: TEXT }, required: ["code", "message"] } as const;

/** The envelope of a tool: clients check failures against it too, so both forms pass. */
export function makeOutputSchema(
	result: Readonly<Record<string, JsonSchema>>,
	optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
	return {
		type: "object",
		properties: {
			ok: FLAG,
			result: { type: "object", properties: { ...result, ...optional }, required: Object.keys(result) },
			error: ERROR,
			_meta: META,
		},
		required: ["ok", "_meta"],
		additionalProperties: false,
	};
}

type PropertiesOf<Value> = { readonly [Name in keyof Required<Value>]: JsonSchema };

const LINE = { type: "integer", minimum: 1 } as const;
const LINES = { type: "object", properties: { startLine: LINE, endLine: LINE } } as const;

const HIT = {
	path: { ...TEXT, description: "As show_file takes it" },
	startLine: LINE,
	endLine: LINE,
	mode: TEXT,
	language: TEXT,
	kind: { ...TEXT, description: "function, class, section, record, …" },
	name: TEXT,
	qualifiedName: TEXT,
	signature: TEXT,
	part: {
		type: "object",
		description: "Which part of a long declaration this is, and the lines of the whole",
		properties: { index: LINE, of: LINE, startLine: LINE, endLine: LINE },
	},
	whole: { ...LINES, description: "Lines of the whole declaration, where the hit is less" },
	record: {
		type: "object",
		description: "A finding or decision of triage; decision is the one in force, null if it is open",
		properties: {
			recordId: TEXT,
			recordType: TEXT,
			title: TEXT,
			severity: TEXT,
			where: TEXT,
			settled: TEXT,
			decision: { type: ["string", "null"] },
			expiresAt: TEXT,
			finding: TEXT,
		},
	},
	score: { type: "number" },
	scoreParts: RECORD,
	snippet: {
		type: "object",
		properties: {
			startLine: LINE,
			lines: { type: "array", items: TEXT },
			matched: { type: "array", items: LINE, description: "Line numbers that match" },
		},
	},
	duplicates: { type: "array", items: { type: "object", properties: { path: TEXT, ...LINES.properties } } },
	facts: RECORD,
	git: { type: "object", properties: { author: TEXT, modified: TEXT, churn: { type: "number" } } },
	lint: { type: "array" },
	source: { ...TEXT, description: "With output full" },
} as const satisfies PropertiesOf<Hit>;

/** The payload of a search. */
export const SEARCH_RESULT = {
	type: "object",
	properties: {
		query: TEXT,
		mode: TEXT,
		hits: { type: "array", items: { type: "object", properties: HIT } },
		byMode: { ...RECORD, description: "Places of the hits in the list, by mode" },
		totals: { type: "object", properties: { matches: COUNT, files: COUNT, searched: COUNT } },
		offset: COUNT,
		hasMore: FLAG,
		warnings: { type: "array" },
	} satisfies PropertiesOf<SearchPayload>,
} as const;

/** The text that show_file answers with. */
export const FILE_TEXT = {
	type: "object",
	properties: { path: TEXT, language: TEXT, startLine: LINE, endLine: LINE, totalLines: COUNT, text: TEXT },
} as const satisfies { readonly properties: PropertiesOf<FileText>; readonly type: "object" };
