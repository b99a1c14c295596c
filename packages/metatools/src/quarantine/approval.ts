import { createHash } from "node:crypto";
import { SHOWN_META } from "../catalog/docs.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { isExactNumber } from "../contract/exactJson.ts";
import { isObject, type JsonObject } from "../contract/json.ts";

/** The parts of a tool that an approval covers, each stored as a digest. */
const PARTS = ["description", "schema", "annotations", "documentation", "labels"] as const;
export type ApprovedPart = (typeof PARTS)[number];
export type Approval = Readonly<Record<Exclude<ApprovedPart, "documentation" | "labels">, string>> & {
	/** Missing in approvals of earlier versions, which accept any documentation. */
	readonly documentation?: string;
	/** Missing in approvals of earlier versions, which accept any labels. */
	readonly labels?: string;
	/** The approved definition, to show what changed; missing in approvals of earlier versions. */
	readonly definition?: JsonObject;
};

export function digestTool(tool: CatalogTool): Approval {
	const { description, title, inputSchema, outputSchema, annotations } = tool.definition;
	return {
		description: digest([title, description]),
		schema: digest([inputSchema, outputSchema]),
		annotations: digest(annotations),
		documentation: digest(documentationOf(tool)),
		labels: digest(tellingLabels(tool)),
	};
}

/** The members of a definition that an approval covers. */
export function selectApproved(tool: CatalogTool): JsonObject {
	const { title, description, inputSchema, outputSchema, annotations } = tool.definition;
	const documentation = documentationOf(tool);
	const labels = tellingLabels(tool);
	const { length } = Object.keys(documentation);
	return {
		...{ title, description, inputSchema, outputSchema, annotations },
		...(length > 0 && { documentation }),
		...(labels.length > 0 && { labels }),
	};
}

/** Everything else that is told of a tool: notes and examples by describe_tool, any other prose at `/mcp/<namespace>`. */
function documentationOf({ definition, version: inId }: CatalogTool): JsonObject {
	const { name: _, version, title, description, inputSchema, outputSchema, annotations, _meta, ...others } = definition;
	const told = Object.entries(isObject(_meta) ? _meta : {}).flatMap(([name, value]): readonly [string, unknown][] => {
		if (isTold(name, value)) return [[name, value]];
		return isLabel(name) ? [] : [[name, null]];
	});
	// A version that is part of the id is covered by the id.
	const said = version !== undefined && inId === undefined;
	return { ...others, ...(said && { version }), ...(told.length > 0 && { _meta: Object.fromEntries(told) }) };
}

/** The words of all labels in `_meta`, if they are enough for a sentence that was written one word each. */
function tellingLabels({ definition: { _meta } }: CatalogTool): readonly string[] {
	const labels = Object.entries(isObject(_meta) ? _meta : {}).filter(([name, value]) => !isTold(name, value));
	const words = wordsIn(Object.fromEntries(labels));
	return words.length > MOST_LABELS || words.join("").length > MOST_LABEL_CHARS ? words : [];
}

const MOST_LABELS = 5;
const MOST_LABEL_CHARS = 64;

/** Every name and text in it that is no number, date, digest or version: those may change with each release. */
function wordsIn(value: unknown): readonly string[] {
	if (typeof value === "string") return /\p{L}/u.test(value) && !isStamp(value) ? [value] : [];
	if (Array.isArray(value)) return value.flatMap(wordsIn);
	if (!isObject(value)) return [];
	const names = Object.keys(value).sort();
	return names.flatMap((name) => [...wordsIn(name), ...wordsIn(value[name])]);
}

function isStamp(text: string): boolean {
	const isVersion = /^v?\d[\d.]*(?:[-+.]?(?:alpha|beta|dev|next|post|pre|rc)[-.\d]*)?$/i.test(text);
	return isVersion || (/\d/.test(text) && DIGEST.test(text));
}

function isTold(name: string, value: unknown): boolean {
	return SHOWN_META.has(name) || hasProse(value);
}

function hasProse(value: unknown): boolean {
	if (typeof value === "string") return !isLabel(value);
	if (typeof value !== "object" || value === null) return false;
	return Object.entries(value).some(([name, inner]) => !isLabel(name) || hasProse(inner));
}

/** Whether a text is a version, tag, date or digest. Anything longer could be prose, which some scripts write without spaces. */
function isLabel(text: string): boolean {
	return /^[!-~]{0,16}$/.test(text) || DIGEST.test(text);
}

const DIGEST = /^(?:sha\d+[:-])?[\da-f:.+TZ-]+$/i;

/** The parts that differ from the approval. */
export function findChangedParts(approved: Approval, now: Approval): readonly ApprovedPart[] {
	return PARTS.filter((part) => approved[part] !== undefined && approved[part] !== now[part]);
}

/** Independent of the order of members. */
function digest(value: unknown): string {
	return createHash("sha256")
		.update(JSON.stringify(sorted(value)))
		.digest("base64url")
		.slice(0, 22);
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	// Earlier versions rounded such numbers, and what they approved stays approved.
	if (isExactNumber(value)) return Number(value.rawJSON);
	if (!isObject(value)) return value ?? null;
	return Object.fromEntries(
		Object.keys(value)
			.sort()
			.map((key) => [key, sorted(value[key])]),
	);
}
