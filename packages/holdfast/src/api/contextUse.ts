import { type Gateway, type JsonObject, listedTools } from "metatools";
import type { ContextShare, ContextUse } from "./answers.ts";

const CHARACTERS_PER_TOKEN = 4;

/** Compares the tools that clients see with those they would see if they connected to every server directly. */
export function contextUse(gateway: Gateway): ContextUse {
	const behind = gateway.catalog.tools.filter(({ backend }) => backend.kind === "mcp");
	return { shown: share(listedTools(gateway)), behind: share(behind.map(({ definition }) => definition)) };
}

function share(definitions: readonly JsonObject[]): ContextShare {
	const characters = definitions.reduce((sum, definition) => sum + lengthOf(definition), 0);
	return { tools: definitions.length, tokens: Math.round(characters / CHARACTERS_PER_TOKEN) };
}

const lengths = new WeakMap<JsonObject, number>();

/** Clients give models only the name, description and input schema. */
function lengthOf(tool: JsonObject): number {
	const { name, description, inputSchema } = tool;
	const known = lengths.get(tool) ?? JSON.stringify({ name, description, inputSchema }).length;
	lengths.set(tool, known);
	return known;
}
