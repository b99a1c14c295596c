import { isObject, type JsonObject, listNeededNames } from "../contract/json.ts";
import type { SchemaInfo, ToolDescription, ToolExample } from "../contract/results.ts";
import { cutText, toPlainBlock, toPlainLine } from "./text.ts";
import type { CatalogTool, ToolDefinition, ToolDocs } from "./tool.ts";

export const MAX_EXAMPLES = 5;
const MAX_SHORT_DESCRIPTION = 120;
const MAX_SUMMARY = 200;
const MAX_NOTES = 2_000;
const MAX_EXAMPLE_DESCRIPTION = 300;
const MAX_RESULT_HINT = 200;
const MAX_ARGS_DEPTH = 5;
const MAX_ARGS_KEYS = 50;
const MAX_SCHEMA_PROPERTIES = 200;

/** The members of `_meta` that are for readers; an approval covers each of them whole. */
export const SHOWN_META: ReadonlySet<string> = new Set(["summary", "notes", "examples", "externalRefs"]);

export const DETAIL_LEVELS = ["summary", "schema", "full"] as const;
export type DetailLevel = (typeof DETAIL_LEVELS)[number];

/** What describe_tool says about a tool at one level of detail. */
export function describeCatalogTool(
	tool: CatalogTool,
	level: DetailLevel,
	examplesMax: number = MAX_EXAMPLES,
): ToolDescription {
	const summary = toPlainLine(readDescription(tool.definition) || tool.name, MAX_SUMMARY);
	if (level === "summary") return { summary };
	const schema = { summary, tool: shownDefinition(tool.definition), schemaInfo: schemaInfo(tool.definition) };
	if (level === "schema") return schema;
	const notes = [tool.docs.notes, tool.renamed].filter((note) => note !== undefined).join("\n");
	const examples = tool.docs.examples.slice(0, Math.min(examplesMax, MAX_EXAMPLES));
	return {
		...schema,
		...(notes !== "" && { notes: cutText(notes, MAX_NOTES) }),
		...(examples.length > 0 && { examples }),
		...(tool.docs.externalRefs.length > 0 && { externalRefs: tool.docs.externalRefs }),
	};
}

/** Leaves out the labels in `_meta`, which no model needs and which may change without approval. */
function shownDefinition({ _meta, ...definition }: ToolDefinition): ToolDefinition {
	const shown = Object.entries(isObject(_meta) ? _meta : {}).filter(([name]) => SHOWN_META.has(name));
	return shown.length === 0 ? definition : { ...definition, _meta: Object.fromEntries(shown) };
}

export function shortenDescription(definition: ToolDefinition): string {
	const meta = definition._meta;
	const summary = isObject(meta) && typeof meta.summary === "string" ? meta.summary : undefined;
	return toPlainLine(summary ?? readDescription(definition), MAX_SHORT_DESCRIPTION);
}

export function readDescription(definition: ToolDefinition): string {
	const description = definition.description ?? definition.title;
	return typeof description === "string" ? description : "";
}

/** Reads examples, notes and links from a tool's `_meta` and its schema; drops what exceeds the limits. */
export function readDocs(definition: ToolDefinition): ToolDocs {
	const meta = isObject(definition._meta) ? definition._meta : {};
	const notes = typeof meta.notes === "string" ? cutText(toPlainBlock(meta.notes), MAX_NOTES) : undefined;
	const schema = definition.inputSchema;
	const fromSchema = isObject(schema) && Array.isArray(schema.examples) ? schema.examples : [];
	const declared = Array.isArray(meta.examples) ? meta.examples : [];
	const examples = [...declared.map(declaredExample), ...fromSchema.map(schemaExample)]
		.filter((example) => example !== undefined)
		.slice(0, MAX_EXAMPLES);
	const refs = Array.isArray(meta.externalRefs) ? meta.externalRefs : [];
	const externalRefs = refs.filter((ref): ref is string => typeof ref === "string" && /^https?:\/\//.test(ref));
	return { ...(notes !== undefined && { notes }), examples, externalRefs: externalRefs.slice(0, 20) };
}

function declaredExample(value: unknown, index: number): ToolExample | undefined {
	if (!isObject(value) || !isObject(value.args) || !isSmall(value.args)) return undefined;
	const { id, title, description, args, resultHint } = value;
	return {
		...(typeof id === "string" && { id: toPlainLine(id, 64) }),
		title: typeof title === "string" ? toPlainLine(title, MAX_RESULT_HINT) : `Example ${index + 1}`,
		description: typeof description === "string" ? toPlainLine(description, MAX_EXAMPLE_DESCRIPTION) : "",
		args,
		...(typeof resultHint === "string" && { resultHint: toPlainLine(resultHint, MAX_RESULT_HINT) }),
	};
}

function schemaExample(value: unknown, index: number): ToolExample | undefined {
	if (!isObject(value) || !isSmall(value)) return undefined;
	return { title: `Example ${index + 1}`, description: "From the tool's input schema.", args: value };
}

function isSmall(value: unknown, depth: number = 0, budget: { keys: number } = { keys: MAX_ARGS_KEYS }): boolean {
	if (typeof value !== "object" || value === null) return true;
	if (depth >= MAX_ARGS_DEPTH) return false;
	return Object.values(value).every((inner) => --budget.keys >= 0 && isSmall(inner, depth + 1, budget));
}

function schemaInfo(definition: ToolDefinition): SchemaInfo {
	const schema = isObject(definition.inputSchema) ? definition.inputSchema : {};
	const properties = isObject(schema.properties) ? schema.properties : {};
	const defaults: Record<string, unknown> = {};
	const types: Record<string, readonly string[]> = {};
	for (const [name, property] of Object.entries(properties).slice(0, MAX_SCHEMA_PROPERTIES)) {
		if (!isObject(property)) continue;
		if (Object.hasOwn(property, "default")) define(defaults, name, property.default);
		define(types, name, typesOf(property));
	}
	return { required: listNeededNames(schema).slice(0, MAX_SCHEMA_PROPERTIES), defaults, types };
}

// `__proto__` is a legal parameter name; assignment would set the prototype instead.
function define(target: object, name: string, value: unknown): void {
	Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function typesOf(property: JsonObject): string[] {
	const declared = [property.type].flat().filter((type): type is string => typeof type === "string");
	if (declared.length > 0) return declared;
	if (Array.isArray(property.enum))
		return [...new Set(property.enum.map((value) => (value === null ? "null" : typeof value)))];
	return ["any"];
}
