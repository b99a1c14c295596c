import { CHUNK_KINDS } from "../parse/chunk.ts";
import { SEARCH_ARGUMENTS, type SearchArgument } from "../query/arguments.ts";
import type { FlagSpec, FlagTable } from "./flags.ts";

/** The flags of `search`: one per argument of a search request, and those that only the command line has. */
export const SEARCH_FLAGS: FlagTable = {
	...Object.fromEntries(
		Object.entries<SearchArgument>(SEARCH_ARGUMENTS).flatMap(([name, { flag, takes, expects, choices }]) => {
			const more = { ...(expects !== undefined && { expects }), ...(choices && { choices }) };
			return flag === null ? [] : [[flag, { name, takes: flagKind(takes), ...more }]];
		}),
	),
	"--type": { name: "type", takes: "value", choices: CHUNK_KINDS },
	"--json": { name: "json", takes: "boolean" },
	"--compact": { name: "compact", takes: "boolean" },
	"--build": { name: "build", takes: "boolean" },
};

function flagKind(takes: SearchArgument["takes"]): FlagSpec["takes"] {
	switch (takes) {
		case "boolean":
			return "boolean";
		case "integer":
		case "number":
			return "number";
		case "texts":
		case "meta":
			return "values";
		default:
			return "value";
	}
}
