// What a model reads: the answers of search_tools, beside rows of whole descriptions and a cursor, as they were.
import { createDispatcher, Gateway, isObject } from "metatools";
import { clausesOf } from "../../packages/metatools/src/search/text/clauses.ts";
import { terms } from "../../packages/metatools/src/search/text/words.ts";
import { round } from "./figures.ts";
import type { QuerySet } from "./sets.ts";

/** Twenty for a long task of several steps. */
const ROWS = { short: 10, long: 20 } as const;
const MAX_DESCRIPTION = 120;
/** As long as a signed cursor is. */
const CURSOR = `more with cursor: ${"x".repeat(96)}`;

type Read = { readonly all: number; readonly untilFound: number; readonly isFound: boolean };

/** Tokens of an answer, tokens up to the first gold row (of the whole answer where there is none), and how many have one. */
export async function tokenFigures(set: QuerySet): Promise<readonly object[]> {
	const gateway = new Gateway({});
	gateway.catalog.set({
		namespace: "bench",
		definitions: set.tools,
		backendOf: () => ({ kind: "mcp", mcp: { serverName: "bench" } }),
	});
	const dispatch = createDispatcher(gateway);
	const idOf = new Map(gateway.catalog.tools.map(({ id, definition }) => [definition.name, id]));
	const gold = (relevance: ReadonlyMap<string, number>) =>
		new Set(
			[...relevance].filter(([, label]) => label > 0).map(([name]) => idOf.get(name.split(":").at(-1) ?? "") ?? ""),
		);
	const [now, before]: [Read[], Read[]] = [[], []];
	for (const { text, relevance } of set.queries) {
		const params = { name: "search_tools", arguments: { query: text } };
		const result = await dispatch("tools/call", params, context());
		now.push(readUntil(textOf(result), gold(relevance)));
		const count = terms(text).length >= 14 && clausesOf(text).length > 1 ? ROWS.long : ROWS.short;
		const tools = (await gateway.search.find([text])).slice(0, count);
		const width = Math.max(...tools.map(({ id }) => id.length));
		const rows = tools.map(
			({ id, shortDescription }) => `${id.padEnd(width)}  ${shortDescription.slice(0, MAX_DESCRIPTION)}`,
		);
		before.push(readUntil([`${count} of 500 tools`, "tool  description", ...rows, CURSOR].join("\n"), gold(relevance)));
	}
	return [
		{ set: set.name, answer: "whole rows and a cursor", ...means(before) },
		{ set: set.name, answer: "search_tools", ...means(now) },
	];
}

function readUntil(text: string, gold: ReadonlySet<string>): Read {
	const lines = text.split("\n");
	const at = lines.findIndex((line) => gold.has(line.split(" ")[0] ?? ""));
	const until = at < 0 ? text : lines.slice(0, at + 1).join("\n");
	return { all: tokensOf(text), untilFound: tokensOf(until), isFound: at >= 0 };
}

/** About what byte-pair encodings make of it: short words, runs of three digits, runs of blanks and marks are one each. */
function tokensOf(text: string): number {
	const parts = text.match(/[A-Z]?[a-z]+|[A-Z]+|\d{1,3}|\s{2,}|[^\s\w]|_/g) ?? [];
	return parts.reduce((sum, part) => sum + Math.ceil(part.trim().length / 8 || 1), 0);
}

function means(reads: readonly Read[]): object {
	const mean = (value: (read: Read) => number) => reads.reduce((sum, read) => sum + value(read), 0) / reads.length;
	return {
		queries: reads.length,
		tokens: Math.round(mean(({ all }) => all)),
		tokensUntilFound: Math.round(mean(({ untilFound }) => untilFound)),
		found: round(mean(({ isFound }) => Number(isFound))),
	};
}

function textOf(result: unknown): string {
	const content = isObject(result) && Array.isArray(result.content) ? result.content : [];
	return content.map((block) => (isObject(block) && typeof block.text === "string" ? block.text : "")).join("\n");
}

function context(): Parameters<ReturnType<typeof createDispatcher>>[2] {
	return {
		era: "legacy",
		id: "1",
		signal: new AbortController().signal,
		client: { protocolVersion: "2025-11-25", capabilities: {} },
		wantsProgress: false,
		progress: () => {},
		notify: () => {},
		request: async () => ({}),
	} as unknown as Parameters<ReturnType<typeof createDispatcher>>[2];
}
