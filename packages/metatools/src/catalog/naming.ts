import { plainText } from "libmcp";
import type { ToolDefinition } from "./tool.ts";
import { formatToolId, HASH_LENGTH, MAX_ID_LENGTH, safeName, withHash } from "./toolId.ts";

export type NamedTool = {
	readonly definition: ToolDefinition;
	readonly id: string;
	readonly name: string;
	readonly version?: string;
	readonly renamed?: string;
};

/**
 * Gives every tool of one namespace its public name. The result does not depend on the order of the list: a tool whose
 * declared name is already valid keeps it, and every other claimant of that name gets a hash.
 */
export function nameTools(
	namespace: string,
	definitions: readonly ToolDefinition[],
): { tools: NamedTool[]; problems: string[] } {
	const tools = new Map<string, NamedTool>();
	const problems: string[] = [];
	const declared = new Set<string>();
	const distinct = definitions.filter((definition) => {
		const key = `${definition.name}\0${versionOf(definition) ?? ""}`;
		if (declared.has(key)) problems.push(`${quoteName(definition.name)} is listed twice; the first is kept`);
		return !declared.has(key) && declared.add(key);
	});
	for (const definition of [...distinct].sort((a, b) => fitFirst(namespace, a, b))) {
		const named = nameOne(namespace, definition, tools);
		if (named.renamed !== undefined) problems.push(named.renamed);
		tools.set(named.id, named);
	}
	return { tools: [...tools.values()], problems };
}

function nameOne(namespace: string, definition: ToolDefinition, taken: ReadonlyMap<string, NamedTool>): NamedTool {
	const version = versionOf(definition);
	const room = MAX_ID_LENGTH - formatToolId(namespace, "", version).length;
	const wanted = safeName(definition.name, room);
	const isFree = (name: string) => !taken.has(formatToolId(namespace, name, version));
	const free = isFree(wanted);
	const name = free ? wanted : freeName(wanted, definition.name, room, isFree);
	const reason = free ? "names have at most 64 letters, digits, _ . -" : "another tool has that name";
	return {
		definition,
		id: formatToolId(namespace, name, version),
		name,
		...(version !== undefined && { version }),
		...(name !== definition.name && { renamed: `${quoteName(definition.name)} is called ${name} here: ${reason}` }),
	};
}

// Short hashes sometimes collide among thousands of names; then a longer one is used, just as deterministic.
function freeName(wanted: string, source: string, room: number, isFree: (name: string) => boolean): string {
	let name = withHash(wanted, source, room);
	for (let digits = HASH_LENGTH + 2; !isFree(name) && digits < room; digits += 2)
		name = withHash(wanted, source, room, digits);
	return name;
}

function fitFirst(namespace: string, a: ToolDefinition, b: ToolDefinition): number {
	const fits = (tool: ToolDefinition) =>
		safeName(tool.name, MAX_ID_LENGTH - namespace.length - 1) === tool.name ? 0 : 1;
	return fits(a) - fits(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

function versionOf(definition: ToolDefinition): string | undefined {
	const version = definition.version;
	return typeof version === "string" && /^[A-Za-z0-9_.-]{1,16}$/.test(version) ? version : undefined;
}

export function quoteName(name: string): string {
	// Direction marks, which JSON leaves as they are, would show the rest of the sentence in another order.
	return plainText(JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name));
}
