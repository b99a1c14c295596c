import { nearest } from "libmcp/launch";
import type { Catalog } from "../catalog/catalog.ts";
import { cut } from "../catalog/text.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { MAX_ID_LENGTH, parseToolId } from "../catalog/toolId.ts";
import { type BackendKind, ToolError, toolErrorFrom, toolErrorFromAbort } from "../contract/errors.ts";
import { type JsonObject, shown } from "../contract/json.ts";
import { checkAll, type Gate, refusal, type Viewer } from "./access.ts";
import type { BackendCall, BackendResult, BackendRunner } from "./backend.ts";
import { patience, patiently } from "./patience.ts";
import { problemText } from "./problemText.ts";
import { argumentsCheckOf, checkOf } from "./schemaCheck.ts";
import { taken } from "./taken.ts";

export type RunRequest = {
	readonly toolId: string;
	readonly args: JsonObject;
	readonly viewer: Viewer;
	readonly signal: AbortSignal;
	readonly timeoutMs?: number;
} & Pick<BackendCall, "onProgress" | "ask" | "caller">;

export type RunResult = BackendResult & {
	readonly tool: CatalogTool;
	readonly durationMs: number;
	/** Resources that the tool only named, each with how to read it. */
	readonly links?: readonly JsonObject[];
};

/** Runs one tool of the catalogue. run_tool, run_chain, run_skill and execute_code all go through it. */
export type ToolRunner = {
	/** Rejects with ToolError only. */
	run(request: RunRequest): Promise<RunResult>;
};

export type RunnerOptions = {
	readonly catalog: Catalog;
	readonly backends: Partial<Record<BackendKind, BackendRunner>>;
	readonly gates?: readonly Gate[];
	/** The deadline of a run that names none. */
	readonly timeoutMs: () => number;
	/** Resolves an id to a tool; by default from the catalogue. Rejects only with ToolError, or when the signal aborts. */
	readonly find?: (id: string, viewer: Viewer, signal: AbortSignal) => Promise<CatalogTool>;
};

/** The default runner: resolve, authorize, check the arguments, execute before the deadline, check the result. */
export function createRunner({ catalog, backends, gates = [], timeoutMs, find }: RunnerOptions): ToolRunner {
	return {
		async run(request) {
			const started = performance.now();
			const { toolId, viewer } = request;
			const limit = request.timeoutMs ?? timeoutMs();
			const tool =
				find === undefined || catalog.get(toolId) !== undefined
					? resolveTool(catalog, gates, toolId, viewer)
					: await foundInTime(find, request, limit);
			const known = { tool_id: tool.id, backend_kind: tool.backend.kind };
			const verdict = checkAll(gates, tool, request.viewer);
			if (verdict.kind === "refuse") throw refusal(tool, verdict.reason);
			const backend = backends[tool.backend.kind];
			if (backend === undefined)
				throw new ToolError("no_backends", `Nothing here runs ${tool.backend.kind} tools.`, {
					...known,
					op: "select_backend",
				});
			checkInput(tool, request.args);
			const result = await execute(backend, tool, request, limit, performance.now() - started);
			checkOutput(tool, result);
			return { ...result, tool, durationMs: Math.round(performance.now() - started) };
		},
	};
}

/** The visible tool that an id stands for; a hidden tool gives the same error as a missing one. */
export function resolveTool(catalog: Catalog, gates: readonly Gate[], id: string, viewer: Viewer): CatalogTool {
	// No tool has a longer id, and comparing a long one with every name for a suggestion is slow.
	if (id.length > MAX_ASKED_LENGTH || parseToolId(id) === undefined)
		throw new ToolError(
			"tool_not_found",
			`tool_id: expected name, namespace:name or namespace:name:version, got ${shown(id)}`,
			{
				tool_id: cut(id, MAX_ID_LENGTH),
				op: "validate_tool_id",
			},
		);
	const found = catalog.resolve(id).filter((tool) => checkAll(gates, tool, viewer).kind !== "hide");
	const [only, ...others] = found;
	if (only !== undefined && others.length === 0) return only;
	const candidates = found.map((tool) => tool.id).slice(0, 10);
	const message =
		only === undefined
			? `No tool is called ${id}; ${meant(catalog, gates, id, viewer) ?? "search_tools finds tools by what they do."}`
			: `${id} may be ${candidates.join(" or ")}; name one.`;
	throw new ToolError("tool_not_found", message, {
		tool_id: id,
		op: "resolve",
		...(candidates.length > 0 && { details: { candidates } }),
	});
}

const MAX_ASKED_LENGTH = 2 * MAX_ID_LENGTH;
/** With more names than this no suggestion is made, so as not to delay the answer. */
const MOST_COMPARED = 2_000;

/** The tool of that name on the same server, or those on others, or the one whose id is hardly different. */
function meant(catalog: Catalog, gates: readonly Gate[], id: string, viewer: Viewer): string | undefined {
	const visible = (tools: readonly CatalogTool[]): readonly CatalogTool[] =>
		tools.filter((tool) => checkAll(gates, tool, viewer).kind !== "hide");
	const name = id.split(SEPARATORS).at(-1) ?? "";
	const declared = catalog.tools.filter(
		({ definition }) => definition.name === name || id.endsWith(`:${definition.name}`),
	);
	const namesakes = visible([...new Set([...catalog.resolve(name), ...declared])]);
	const there = namesakes.filter(
		({ namespace }) =>
			spelled(id).startsWith(spelled(namespace)) && id.slice(namespace.length).search(SEPARATORS) === 0,
	);
	const suggested = idsOf(there.length > 0 ? there : namesakes).slice(0, MOST_SUGGESTED);
	if (suggested.length > 0) return `did you mean ${suggested.join(" or ")}?`;
	const found = nearest(id, idsOf(visible(catalog.tools.slice(0, MOST_COMPARED))));
	return found === undefined ? undefined : `did you mean ${found}?`;
}

/** Without what models confuse in a name; of the same length. */
function spelled(name: string): string {
	return name.replaceAll(/[^A-Za-z0-9]/g, "_").toLowerCase();
}

function idsOf(tools: readonly CatalogTool[]): string[] {
	return tools.map((tool) => tool.id);
}

/** What other gateways and clients put between a server and its tool. */
const SEPARATORS = /[:./]|__/;
const MOST_SUGGESTED = 3;

function foundInTime(
	find: RunnerOptions["find"] & {},
	{ toolId, viewer, signal }: RunRequest,
	timeoutMs: number,
): Promise<CatalogTool> {
	return patiently(timeoutMs, signal, async (either) => {
		try {
			return await find(toolId, viewer, either);
		} catch (thrown) {
			throw either.aborted ? toolErrorFromAbort(either, { tool_id: toolId, op: "resolve" }) : thrown;
		}
	});
}

async function execute(
	backend: BackendRunner,
	tool: CatalogTool,
	request: RunRequest,
	timeoutMs: number,
	spentMs: number,
): Promise<BackendResult> {
	const known = { tool_id: tool.id, backend_kind: tool.backend.kind, op: "execute" } as const;
	const controller = new AbortController();
	const stop = () => controller.abort(request.signal.reason);
	if (request.signal.aborted) throw toolErrorFromAbort(request.signal, known);
	request.signal.addEventListener("abort", stop, { once: true });
	const said = `${tool.id} did not answer within ${timeoutMs} ms; timeout_ms of the call, or execution.timeout, gives it longer.`;
	const late = new ToolError("timeout", said, known);
	const leftMs = Math.max(1, timeoutMs - spentMs);
	const waiting = patience(leftMs, () => controller.abort(late));
	const { signal } = controller;
	try {
		const call = backend.run({
			tool,
			args: request.args,
			signal,
			deadline: Date.now() + leftMs,
			...(request.onProgress !== undefined && { onProgress: request.onProgress }),
			...(request.ask !== undefined && { ask: request.ask }),
			...(request.caller !== undefined && { caller: request.caller }),
		});
		return await Promise.race([call, rejection(signal)]);
	} catch (thrown) {
		// After an abort, report the reason of the abort and not what the backend said about it.
		throw signal.aborted ? toolErrorFromAbort(signal, known) : toolErrorFrom(thrown, known);
	} finally {
		waiting.end();
		request.signal.removeEventListener("abort", stop);
	}
}

function rejection(signal: AbortSignal): Promise<never> {
	return new Promise((_resolve, reject) => {
		signal.addEventListener("abort", () => reject(signal.reason), { once: true });
	});
}

function checkInput(tool: CatalogTool, args: JsonObject): void {
	const { inputSchema } = tool.definition;
	const found = argumentsCheckOf(inputSchema)(args);
	if (found.length === 0) return;
	const told = taken(inputSchema, args, found);
	const problems = told.problems.map((problem) => problemText(problem, "args"));
	throw new ToolError("validation_input", [...problems, ...told.hints].join("; "), {
		tool_id: tool.id,
		backend_kind: tool.backend.kind,
		op: "validate_input",
		details: { problems },
	});
}

function checkOutput(tool: CatalogTool, result: BackendResult): void {
	if (tool.definition.outputSchema === undefined) return;
	const missing = result.mcpResult !== undefined && result.mcpResult.structuredContent === undefined;
	const problems = missing
		? ["structured: expected structuredContent, as the tool's output schema promises, got none"]
		: checkOf(tool.definition.outputSchema)(result.structured).map((problem) => problemText(problem, "structured"));
	if (problems.length > 0)
		throw new ToolError("validation_output", problems.join("; "), {
			tool_id: tool.id,
			backend_kind: tool.backend.kind,
			op: "validate_output",
			details: { problems },
		});
}
