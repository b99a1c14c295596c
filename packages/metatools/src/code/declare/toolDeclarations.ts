import { isNewer, parseToolId } from "../../catalog/toolId.ts";
import { isObject, type JsonObject } from "../../contract/json.ts";
import { convertSchema, hasNeededFields } from "./schemaType.ts";
import { indentText, writeDocComment, writeLiteral, writePropertyName } from "./typeText.ts";

/** The parts of a tool that its declaration needs. */
export type DeclaredTool = {
	readonly id: string;
	readonly name: string;
	readonly namespace?: string;
	/** As its server declares it: description, inputSchema and outputSchema are read, all three may be hostile. */
	readonly definition: JsonObject;
};

/** Properties that JavaScript itself reads from any object; the bridge's proxies never treat them as tools. */
const UNANSWERED = ["then", "toJSON"];
/** Names the bridge keeps for itself. */
const RESERVED: ReadonlySet<string> = new Set(["call", "search", "describe", ...UNANSWERED]);

/** TypeScript declarations of `tools` for the given tools, so that a model can write typed code against them. */
export function writeToolDeclarations(tools: readonly DeclaredTool[]): string {
	const groups = Map.groupBy(tools, ({ namespace }) => namespace ?? "");
	const taken = new Set(RESERVED);
	const lines = ["declare const tools: {", ...(tools.some(hasNoResultType) ? [`\t${UNTYPED}`] : [])];
	for (const [namespace, members] of groups) {
		if (namespace === "") continue;
		if (taken.has(namespace)) lines.push(...members.map((tool) => byId(tool, "\t")));
		else
			lines.push(`\t${writePropertyName(namespace)}: {`, ...signatures(members, new Set(UNANSWERED), "\t\t"), "\t};");
		taken.add(namespace);
	}
	lines.push(...signatures(groups.get("") ?? [], taken, "\t"), ...BRIDGE, "};", PROGRESS);
	return `${lines.join("\n")}\n`;
}

/** The declaration of one tool, with a comment on what it does. */
export function writeToolSignature(tool: DeclaredTool): string {
	const { id, name, namespace, definition } = tool;
	const path = namespace === undefined ? [name] : [namespace, name];
	// A path means the newest version, which this one may not be.
	const isReached = id === path.join(":") && !RESERVED.has(path[0] ?? "") && !UNANSWERED.includes(name);
	const called = signature(definition);
	const call = isReached
		? `tools${path.map(accessor).join("")}${called}`
		: `tools.call(${writeLiteral(id)}, ${called.slice(1)}`;
	return `${call};${hasNoResultType(tool) ? `\n${UNTYPED}` : ""}`;
}

function accessor(name: string): string {
	const written = writePropertyName(name);
	return written === name ? `.${name}` : `[${written}]`;
}

const UNTYPED =
	"// An unknown result is the tool's text, or the value where that text is JSON; several texts are a list, other content its blocks.";
const FOUND = "{ id: string; name: string; namespace?: string; shortDescription?: string; tags?: string[] }";
const BRIDGE = [
	"\tcall(id: string, args?: object): Promise<unknown>;",
	`\tsearch(query: string, limit?: number): Promise<${FOUND}[]>;`,
	"\tdescribe(id: string): Promise<{ summary: string; tool?: Record<string, unknown> }>;",
];
const PROGRESS = "declare function progress(progress: number, total?: number, message?: string): void;";

function signatures(tools: readonly DeclaredTool[], taken: Set<string>, indent: string): string[] {
	const newest = new Map<string, DeclaredTool>();
	for (const tool of tools) {
		const rival = newest.get(tool.name);
		if (rival === undefined || isNewer(versionOf(tool), versionOf(rival))) newest.set(tool.name, tool);
	}
	return tools.flatMap((tool) => {
		// A path means the newest version.
		if (taken.has(tool.name) || newest.get(tool.name) !== tool) return [byId(tool, indent)];
		taken.add(tool.name);
		const comment = writeDocComment(tool.definition.description, indent);
		return [...comment, indentText(`${indent}${writePropertyName(tool.name)}${signature(tool.definition)};`, indent)];
	});
}

function versionOf({ id }: DeclaredTool): string | undefined {
	return parseToolId(id)?.version;
}

function hasNoResultType({ definition }: DeclaredTool): boolean {
	return !isObject(definition.outputSchema);
}

/** A tool whose name cannot be written as a property can still be called by its id. */
function byId(tool: DeclaredTool, indent: string): string {
	return `${indent}// tools.call(${writeLiteral(tool.id)}, args)`;
}

function signature({ inputSchema, outputSchema }: JsonObject): string {
	const args = inputSchema === undefined ? "Record<string, unknown>" : convertSchema(inputSchema, "given");
	const result = outputSchema === undefined ? "unknown" : convertSchema(outputSchema, "answered");
	return `(args${hasNeededFields(inputSchema) ? "" : "?"}: ${args}): Promise<${result}>`;
}
