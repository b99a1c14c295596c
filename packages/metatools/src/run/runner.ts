import type { Catalog } from "../catalog/catalog.ts";
import { cutText, toPlainBlock } from "../catalog/text.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { parseToolId } from "../catalog/toolId.ts";
import { type BackendKind, isDeadline, ToolError, toolErrorFrom, toolErrorFromAbort } from "../contract/errors.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import { checkAll, type Gate, throwIfRefused, type Viewer } from "./access.ts";
import { type BackendCall, type BackendResult, type BackendRunner, isRepeatable } from "./backend.ts";
import { type CallLimits, LateCall } from "./lateCall.ts";
import { CallClock } from "./patience.ts";
import { type FindTool, findInTime, resolveTool } from "./resolveTool.ts";
import { describeProblem, hintAtArguments } from "./schema/problemText.ts";
import { compileArgumentsCheck, compileCheck } from "./schema/schemaCheck.ts";
import { ANSWER_MS } from "./suspendedCalls.ts";

export type RunRequest = {
	readonly toolId: string;
	readonly args: JsonObject;
	readonly viewer: Viewer;
	readonly signal: AbortSignal;
	readonly timeoutMs?: number;
} & Pick<BackendCall, "onProgress" | "ask" | "caller" | "dispatching">;

export type RunResult = BackendResult & {
	readonly tool: CatalogTool;
	readonly durationMs: number;
	/** Resources that the tool linked to, each with how to read it. */
	readonly links?: readonly JsonObject[];
};

/** A run that is not made yet; its arguments may not be known. */
export type CheckRequest = Pick<RunRequest, "toolId" | "viewer" | "signal" | "timeoutMs"> &
	Partial<Pick<RunRequest, "args">>;

/** Runs one tool of the catalogue. run_tool, run_chain, run_skill and execute_code all go through it. */
export type ToolRunner = {
	/** Rejects with ToolError only. */
	run(request: RunRequest): Promise<RunResult>;
	/** Rejects as a run would that fails before its tool is called. Calls nothing. */
	check?(request: CheckRequest): Promise<void>;
};

export type RunnerOptions = {
	readonly catalog: Catalog;
	readonly backends: Partial<Record<BackendKind, BackendRunner>>;
	readonly gates?: readonly Gate[];
	/** The default timeout of a run of a tool in this namespace, if the id names one. */
	readonly timeoutMs: (namespace: string | undefined) => number;
	/** How long such a run may take in all if its server reports progress in time; as long as without progress unless given. */
	readonly totalTimeoutMs?: (namespace: string | undefined) => number;
	/** How long a caller may take to answer a tool's question; ten minutes unless given. */
	readonly answerMs?: number;
	/** By default from the catalogue. */
	readonly find?: FindTool;
};

/** The default runner: resolve, authorize, check the arguments, execute before the deadline, check the result. */
export function createRunner(options: RunnerOptions): ToolRunner {
	const { catalog, backends, gates = [], timeoutMs, totalTimeoutMs, answerMs = ANSWER_MS, find } = options;
	const prepare = async (request: CheckRequest) => {
		const { toolId, viewer } = request;
		const limitOf = (namespace: string | undefined) => request.timeoutMs ?? timeoutMs(namespace);
		const tool =
			find === undefined || catalog.get(toolId) !== undefined
				? resolveTool(catalog, gates, toolId, viewer)
				: await findInTime(find, request, limitOf(parseToolId(toolId)?.namespace));
		throwIfRefused(tool, checkAll(gates, tool, viewer));
		const backend = backends[tool.backend.kind];
		if (backend === undefined)
			throw new ToolError("no_backends", `Nothing here runs ${tool.backend.kind} tools.`, {
				tool_id: tool.id,
				backend_kind: tool.backend.kind,
				op: "select_backend",
			});
		if (request.args !== undefined) checkInput(tool, request.args);
		const silenceMs = limitOf(tool.namespace);
		// A caller that says how long it waits means that time, whatever the server reports.
		const extended = request.timeoutMs === undefined ? totalTimeoutMs?.(tool.namespace) : undefined;
		return { tool, backend, silenceMs, callMs: Math.max(silenceMs, extended ?? 0) };
	};
	return {
		async check(request) {
			await prepare(request);
		},
		async run(request) {
			const started = performance.now();
			const { tool, backend, ...times } = await prepare(request);
			const limits = { ...times, spentMs: performance.now() - started, answerMs };
			const result = await execute(backend, tool, request, limits);
			checkOutput(tool, request.args, result);
			return { ...result, tool, durationMs: Math.round(performance.now() - started) };
		},
	};
}

async function execute(
	backend: BackendRunner,
	tool: CatalogTool,
	request: RunRequest,
	limits: CallLimits,
): Promise<BackendResult> {
	const known = { tool_id: tool.id, backend_kind: tool.backend.kind, op: "execute" } as const;
	if (request.signal.aborted) throw toolErrorFromAbort(request.signal, known);
	const { onProgress, ask, caller, args, viewer } = request;
	const late = new LateCall(tool, args, limits, onProgress !== undefined);
	const controller = new AbortController();
	const { signal } = controller;
	const stop = () => {
		const { reason } = request.signal;
		controller.abort(isDeadline(reason) ? late.createErrorOfRun() : reason);
	};
	request.signal.addEventListener("abort", stop, { once: true });
	const clock = new CallClock({ ...limits, over: (reason) => controller.abort(late.createError(reason)) });
	const { silenceMs, callMs, spentMs } = limits;
	const hearProgress: BackendCall["onProgress"] = (update) => {
		late.markReported();
		clock.hear();
		onProgress?.(update);
	};
	// Also for callers that want no progress: a server at work is given longer than one that may hang.
	const asksForProgress = onProgress !== undefined || callMs > silenceMs;
	try {
		const call = backend.run({
			tool,
			args,
			viewer,
			signal,
			deadline: Date.now() + Math.max(1, callMs - spentMs),
			silenceMs,
			onRepeat: late.markHeard(() => {}),
			onWaiting: (waits) => {
				late.isWaiting = waits;
			},
			...(asksForProgress && { onProgress: late.markHeard(hearProgress) }),
			...(ask !== undefined && {
				ask: late.markHeard((...asked: Parameters<typeof ask>) => clock.asking(() => ask(...asked))),
			}),
			...(caller !== undefined && { caller }),
			...(request.dispatching !== undefined && { dispatching: request.dispatching }),
		});
		return await Promise.race([call, rejectOnAbort(signal)]);
	} catch (thrown) {
		// After an abort, report the reason of the abort and not what the backend said about it.
		throw signal.aborted ? toolErrorFromAbort(signal, known) : toolErrorFrom(thrown, known);
	} finally {
		clock.end();
		request.signal.removeEventListener("abort", stop);
	}
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
	return new Promise((_resolve, reject) => {
		signal.addEventListener("abort", () => reject(signal.reason), { once: true });
	});
}

function checkInput(tool: CatalogTool, args: JsonObject): void {
	const { inputSchema } = tool.definition;
	const found = compileArgumentsCheck(inputSchema)(args);
	if (found.length === 0) return;
	const told = hintAtArguments(inputSchema, args, found);
	const problems = told.problems.map((problem) => describeProblem(problem, "args"));
	throw new ToolError("validation_input", [...problems, ...told.hints].join("; "), {
		tool_id: tool.id,
		backend_kind: tool.backend.kind,
		op: "validate_input",
		details: { problems },
	});
}

/** Says that the tool has run, and what it gave: a caller that takes this for refused arguments would repeat the effect. */
function checkOutput(tool: CatalogTool, args: JsonObject, result: BackendResult): void {
	const { outputSchema } = tool.definition;
	// Servers that write every member give null where they have no schema.
	if (!isObject(outputSchema)) return;
	const missing = result.mcpResult !== undefined && result.mcpResult.structuredContent === undefined;
	const problems = missing
		? ["structured: expected structuredContent, as the tool's output schema promises, got none"]
		: compileCheck(outputSchema)(result.structured).map((problem) => describeProblem(problem, "structured"));
	if (problems.length === 0) return;
	const { structured, mcpResult } = result;
	const given = typeof structured === "string" ? structured : JSON.stringify(structured ?? null);
	const advice = isRepeatable(tool, args) ? "" : "; to call it again may repeat its effect";
	const message = `${tool.id} has run, but its result does not fit its output schema: ${problems.join("; ")}${advice}. It gave: ${cutText(toPlainBlock(given), MAX_GIVEN)}`;
	throw new ToolError("validation_output", message, {
		tool_id: tool.id,
		backend_kind: tool.backend.kind,
		op: "validate_output",
		details: { problems, outcome: "completed", ...(mcpResult !== undefined && { upstream: mcpResult }) },
	});
}

const MAX_GIVEN = 1_000;
