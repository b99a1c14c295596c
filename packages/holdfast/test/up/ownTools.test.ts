import assert from "node:assert/strict";
import { test } from "node:test";
import { Catalog } from "../../../metatools/src/catalog/catalog.ts";
import type { ToolDefinition } from "../../../metatools/src/catalog/tool.ts";
import { blend } from "../../../metatools/src/search/blend/blend.ts";
import { CatalogSearch } from "../../../metatools/src/search/catalogSearch.ts";
import { TOOL_NAMES, toolOf } from "../../../pairofcleats/src/registry/registry.ts";
import { listBuiltinServers } from "../../src/up/productConfig.ts";

/** As servers of files, notes and examples describe what they have. */
const OTHERS = {
	create_directory: "Create a new directory. Perfect for setting up directory structures for projects.",
	move_file: "Move or rename files and directories. Both source and destination must be allowed.",
	search_files: "Recursively search for files and directories matching a pattern. Great for finding files.",
	read_text_file: "Read the complete contents of a file as text, or only its first or last lines.",
	open_nodes: "Open specific nodes in the knowledge graph by their names",
	search_nodes: "Search for nodes in the knowledge graph based on a query",
	trigger_long_running_operation: "Demonstrates a long running operation with progress updates.",
};

const WANTED = [
	["find code", "search", 1],
	["find code by a question", "search", 1],
	["find where a function is defined", "search", 1],
	["find usages of a function", "search", 1],
	["who calls this function", "search", 1],
	["grep", "search", 2],
	["look up code in this project", "search", 2],
	["regex search in files", "search", 2],
	["open a file at a line", "show_file", 2],
	["read lines 10-20 of a source file", "show_file", 1],
	["import SARIF findings", "triage_ingest", 1],
	["where in my code is the session opened", "search", 2],
	["where is the user's password checked in this repository", "search", 2],
	["which function in our codebase parses the config", "search", 2],
	["how does the code retry a failed request", "search", 2],
] as const;

test("a search for what code search does finds its tools before those of other servers", async () => {
	const found = new CatalogSearch(catalogue(), blend());
	for (const [query, name, rank] of WANTED) {
		const first = (await found.find([query])).slice(0, rank).map(({ id }) => id);
		assert(first.includes(`pairofcleats:${name}`), `${query}: ${first.join(", ")}`);
	}
});

function catalogue(): Catalog {
	const catalog = new Catalog();
	const add = (namespace: string, definitions: ToolDefinition[], description = ""): void =>
		void catalog.set({
			namespace,
			definitions,
			description,
			backendOf: () => ({ kind: "mcp", mcp: { serverName: namespace } }),
		});
	const own = TOOL_NAMES.map((name): ToolDefinition => {
		const { title, description, inputSchema } = toolOf(name);
		return { name, title, description, inputSchema };
	});
	add("pairofcleats", own, listBuiltinServers("/")[0]?.description);
	const inputSchema = { type: "object", properties: { path: { type: "string" } } };
	add(
		"others",
		Object.entries(OTHERS).map(([name, description]) => ({ name, description, inputSchema })),
	);
	return catalog;
}
