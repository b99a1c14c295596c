import type { Hit } from "../query/result.ts";
import type { FileText } from "../repo/repository.ts";
import type { SearchPayload } from "../searching/writtenSearch.ts";
import { COUNT, FLAG, RECORD, TEXT } from "./schemas.ts";
import type { JsonSchema } from "./tool.ts";

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
