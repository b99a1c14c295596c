import { type CatalogTool, type Gateway, type JsonObject, listedTools } from "metatools";
import { nameServerOf } from "../record/recorder.ts";
import type { ContextShare, ContextUse, Tool } from "./answers.ts";
import { TEXT } from "./endpoint.ts";

/** Longer names are cut. */
const NAME_CHARS = 200;

/** What a tool and its server are called elsewhere, where the gateway had to change it. */
export function describeDeclaredNames(tool: CatalogTool): Pick<Tool, "declaredName" | "server"> {
	const { name, namespace, definition } = tool;
	const server = nameServerOf(tool);
	return {
		...(definition.name !== name && { declaredName: definition.name.slice(0, NAME_CHARS) }),
		...(server !== namespace && { server: server.slice(0, NAME_CHARS) }),
	};
}

/** Their schemas. */
export const DECLARED_NAMES = {
	declaredName: { ...TEXT, description: "What its server calls it, where that cannot be a name here" },
	server: { ...TEXT, description: "What the configuration calls its server, where that cannot be a namespace" },
} as const;

const CHARACTERS_PER_TOKEN = 4;

/** Compares the tools that clients see with those they would see if they connected to every server directly. */
export function measureContextUse(gateway: Gateway): ContextUse {
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
