import { UsageError } from "libmcp/command";
import { describeCatalogTool } from "../catalog/docs.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { canMatchAfter, compilePattern, LOCAL_NAMESPACE, parseToolId } from "../catalog/toolId.ts";
import { parseExact } from "../contract/exactJson.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import { LOCAL_VIEWER, type Viewer } from "../run/access.ts";
import { resolveTool } from "../run/resolveTool.ts";
import type { RunResult } from "../run/runner.ts";
import { addSize, renderContent, selectMedia } from "../server/answers/blocks.ts";
import { renderResult } from "../server/answers/resultText.ts";
import { createGateway } from "../server/createGateway.ts";
import type { Gateway } from "../server/gateway.ts";
import type { UpstreamSpec } from "../upstream/spec.ts";
import { loadCommandConfig } from "./commandConfig.ts";
import type { Console } from "./console.ts";
import { type CommandLine, readFlags } from "./flags.ts";
import { awaitServers, fillCatalog, findRunningGateway } from "./runningGateway.ts";

const VIEWER: Viewer = { ...LOCAL_VIEWER, search: "metatools tools search" };

/** The catalogue on the command line, for people and scripts. */
export async function toolsCommand([command, ...argv]: readonly string[], console: Console): Promise<number> {
	const line = readFlags(argv, ["limit", "args"]);
	const action = ACTIONS.get(command ?? "");
	if (action === undefined)
		throw new UsageError(`tools: expected list, search, describe or run, got ${command ?? "nothing"}`);
	const [first, more] = line.words;
	if (first === undefined && action.expects !== undefined)
		throw new UsageError(`tools ${command}: expected ${action.expects}, got nothing`);
	if (more !== undefined && !action.takesMore) {
		const instead = command === "run" ? "; arguments are given as --args '{…}'" : "";
		throw new UsageError(
			`tools ${command}: expected ${action.expects}, got ${JSON.stringify(more)} behind it${instead}`,
		);
	}
	const perform = action.read(line);
	const config = loadCommandConfig(line, console);
	const running = await findRunningGateway(config.file, line);
	const runner = running?.runner(() => gateway.catalog);
	const gateway: Gateway = createGateway(config, { log: console.complain, ...(runner !== undefined && { runner }) });
	if (running === undefined) gateway.start(action.needed(line.words, config.servers));
	else fillCatalog(gateway.catalog, running);
	try {
		if (running === undefined) await awaitServers(gateway);
		const servers = running?.servers.length ?? config.servers.length;
		return await perform({ gateway, servers }, console);
	} finally {
		await gateway.stop();
	}
}

type Action = {
	/** Throws a UsageError before any server is started. */
	readonly read: (line: CommandLine) => Perform;
	readonly expects?: string;
	/** The servers that must be started for these words. */
	readonly needed: (words: readonly string[], servers: readonly UpstreamSpec[]) => (spec: UpstreamSpec) => boolean;
	/** Whether the command takes several words; otherwise more than one is a usage error. */
	readonly takesMore: boolean;
};

type Perform = (on: Surroundings, console: Console) => Promise<number>;
/** The gateway with the tools, and how many servers there are. */
type Surroundings = { readonly gateway: Gateway; readonly servers: number };

const ACTIONS: ReadonlyMap<string, Action> = new Map([
	["list", { read: list, needed: selectServers, takesMore: true }],
	["search", { read: search, needed: () => () => true, expects: "words to search for", takesMore: true }],
	["describe", { read: describeTool, needed: ofTool, expects: "one tool id", takesMore: false }],
	["run", { read: runTool, needed: ofTool, expects: "one tool id", takesMore: false }],
]);

/** The servers whose tools a pattern may name; all without a pattern. */
export function selectServers(words: readonly string[]): (spec: UpstreamSpec) => boolean {
	return ({ namespace }) => words.length === 0 || words.some((word) => canMatchAfter(`${namespace}:`, word));
}

/** The server of the tool. All of them if the id does not say which, or names none, so that the right one can be suggested. */
function ofTool([id = ""]: readonly string[], servers: readonly UpstreamSpec[]): (spec: UpstreamSpec) => boolean {
	const named = parseToolId(id)?.namespace;
	const isKnown = named === LOCAL_NAMESPACE || servers.some(({ namespace }) => namespace === named);
	return ({ namespace }) => !isKnown || namespace === named;
}

function list(line: CommandLine): Perform {
	const limit = readLimit(line, Number.POSITIVE_INFINITY);
	return async (on, console) => {
		const isNamed = (id: string) => line.words.length === 0 || line.words.some((word) => compilePattern(word)(id));
		return tellTools(
			on,
			on.gateway.catalog.tools.filter(({ id }) => isNamed(id)),
			limit,
			line.json,
			console,
		);
	};
}

function search(line: CommandLine): Perform {
	const limit = readLimit(line, 20);
	return async (on, console) =>
		tellTools(on, await on.gateway.search.find([line.words.join(" ")]), limit, line.json, console);
}

function readLimit(line: CommandLine, otherwise: number): number {
	if (line.own.limit === undefined) return otherwise;
	const limit = Number(line.own.limit);
	if (Number.isInteger(limit) && limit >= 1) return limit;
	throw new UsageError(`--limit: expected a whole number from 1, got ${line.own.limit}`);
}

/** Prints those of the tools that may run; returns the exit code. */
function tellTools(
	{ gateway, servers }: Surroundings,
	tools: readonly CatalogTool[],
	limit: number,
	json: boolean,
	console: Console,
): number {
	const viewer = gateway.confine(VIEWER);
	const judged = Map.groupBy(tools, (tool) => gateway.verdict(tool, viewer).kind);
	const found = (judged.get("allow") ?? []).slice(0, limit);
	if (json) console.out(JSON.stringify(found.map(({ id, shortDescription }) => ({ id, shortDescription }))));
	else {
		const width = Math.max(...found.map(({ id }) => id.length));
		for (const tool of found) console.tell(`${console.bold(tool.id.padEnd(width))}  ${tool.shortDescription}`);
	}
	if (servers === 0)
		console.error(
			"no servers are configured, so there are only the gateway's own tools; metatools config validate says what was read",
		);
	if (found.length > 0) return 0;
	if (servers > 0) console.error(whyNone(judged.get("refuse")?.length ?? 0));
	return 1;
}

function whyNone(held: number): string {
	return held === 0
		? "no tools found"
		: `no tools found that may run; ${held} that fit wait: metatools approve says why`;
}

function describeTool(line: CommandLine): Perform {
	return async ({ gateway }, console) => {
		const tool = resolveTool(gateway.catalog, gateway.gates, line.words[0] ?? "", gateway.confine(VIEWER));
		const described = describeCatalogTool(tool, "full");
		if (line.json) {
			console.out(JSON.stringify(described));
			return 0;
		}
		console.tell(`${console.bold(tool.id)}\n${described.summary}`);
		console.tell(`${console.dim("input")}   ${JSON.stringify(tool.definition.inputSchema ?? {}, null, 2)}`);
		if (isObject(tool.definition.outputSchema))
			console.tell(`${console.dim("output")}  ${JSON.stringify(tool.definition.outputSchema, null, 2)}`);
		if (described.notes !== undefined) console.tell(described.notes);
		for (const example of described.examples ?? [])
			console.tell(`${console.dim("example")} ${example.title}: ${JSON.stringify(example.args)}`);
		return 0;
	};
}

function runTool(line: CommandLine): Perform {
	const args = readArgs(line.own.args);
	return async ({ gateway }, console) => {
		const stop = new AbortController();
		const cancel = () => stop.abort();
		process.once("SIGINT", cancel);
		try {
			const viewer = gateway.confine(VIEWER);
			const result = await gateway.runner.run({
				toolId: line.words[0] ?? "",
				args,
				viewer,
				signal: stop.signal,
			});
			console.out(line.json ? JSON.stringify(resultData(result)) : resultLines(result));
			return 0;
		} finally {
			process.off("SIGINT", cancel);
		}
	};
}

function resultData({ structured, mcpResult, durationMs }: RunResult): JsonObject {
	const content = besideStructured(mcpResult);
	return { structured, ...(content.length > 0 && { content }), durationMs };
}

/** The value, and a line for each image, link and file beside it. */
function resultLines({ structured, mcpResult }: RunResult): string {
	const named = besideStructured(mcpResult).map((block) => renderContent([addSize(block)]));
	return [renderResult(structured, mcpResult), ...named].join("\n");
}

/** Without structured content, the blocks are the value. */
function besideStructured(mcpResult: JsonObject | undefined): readonly JsonObject[] {
	if (mcpResult?.structuredContent === undefined || !Array.isArray(mcpResult.content)) return [];
	return selectMedia(mcpResult.content.filter(isObject));
}

function readArgs(text: string | undefined): JsonObject {
	try {
		const value = parseExact(text ?? "{}");
		if (isObject(value)) return value;
	} catch {
		// Reported below.
	}
	throw new UsageError(`--args: expected a JSON object, got ${text}`);
}
