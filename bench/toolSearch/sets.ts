// The query sets on disk, each in halves: one for choosing weights, one for reporting.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SearchDocument, ToolDefinition } from "metatools";

/** `relevance` has the gold tools: 2 for the best, 1 for an acceptable one. */
export type Query = { readonly text: string; readonly relevance: ReadonlyMap<string, number>; readonly half: Half };
export type Half = "fitted" | "unfitted";
export type QuerySet = {
	readonly name: string;
	readonly tools: readonly ToolDefinition[];
	readonly documents: readonly SearchDocument[];
	readonly queries: readonly Query[];
};

/** Reads the small set in the folder itself, and one more from each folder in it. */
export function readSets(folder: string): readonly QuerySet[] {
	const folders = readdirSync(folder, { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "queries.jsonl")))
		.map((entry) => entry.name)
		.sort();
	return [readLabelled(folder), ...folders.map((name) => readGold(name, join(folder, name)))];
}

type Labelled = { readonly query: string; readonly labels: readonly { tool_id: string; relevance: number }[] };
type ServerTool = { readonly tool_id: string; readonly tool: string; readonly server: string; description: string };

function readLabelled(folder: string): QuerySet {
	const { tools }: { tools: readonly ServerTool[] } = readJson(join(folder, "tools.json"));
	const { queries }: { queries: readonly Labelled[] } = readJson(join(folder, "queries.json"));
	return {
		name: "47 queries",
		tools: tools.map(({ tool, description }) => ({ name: tool, description })),
		documents: tools.map(({ tool_id, tool, server, description }) =>
			documentOf(tool_id, { name: tool, description }, server),
		),
		// The weights of the word ranking were chosen on all of them.
		queries: queries.map(({ query, labels }) => ({
			text: query,
			relevance: new Map(labels.map(({ tool_id, relevance }) => [tool_id, relevance])),
			half: "fitted",
		})),
	};
}

function readGold(name: string, folder: string): QuerySet {
	const tools: readonly ToolDefinition[] = readJson(join(folder, "tools.json"));
	const lines = readFileSync(join(folder, "queries.jsonl"), "utf8").split("\n").filter(Boolean);
	return {
		name,
		tools,
		documents: tools.map((tool) => documentOf(tool.name, tool, "")),
		queries: lines.map((line): Query => {
			const { query, gold }: { query: string; gold: readonly string[] } = JSON.parse(line);
			return { text: query, relevance: new Map(gold.map((id) => [id, 1])), half: halfOf(gold) };
		}),
	};
}

/** By the gold tool, so that no two questions for one tool are in different halves. */
function halfOf(gold: readonly string[]): Half {
	const digest = createHash("sha256")
		.update(gold.toSorted()[0] ?? "")
		.digest();
	return (digest[0] ?? 0) % 2 === 0 ? "fitted" : "unfitted";
}

function documentOf(id: string, tool: ToolDefinition, server: string): SearchDocument {
	const { properties } = (tool.inputSchema ?? {}) as { properties?: Record<string, { description?: string }> };
	return {
		id,
		name: tool.name,
		namespace: server,
		description: typeof tool.description === "string" ? tool.description : "",
		tags: [],
		parameters: Object.entries(properties ?? {}).map(([name, { description }]) => ({
			name,
			description: description ?? "",
		})),
		server: "",
	};
}

function readJson<T>(file: string): T {
	return JSON.parse(readFileSync(file, "utf8"));
}
