import type { CatalogTool } from "metatools";
import { serverOf } from "../record/serverOf.ts";
import type { Tool } from "./answers.ts";
import { TEXT } from "./endpoint.ts";

/** Longer names are cut. */
const NAME_CHARS = 200;

/** What a tool and its server are called elsewhere, where the gateway had to change it. */
export function declaredNames(tool: CatalogTool): Pick<Tool, "declaredName" | "server"> {
	const { name, namespace, definition } = tool;
	const server = serverOf(tool);
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
