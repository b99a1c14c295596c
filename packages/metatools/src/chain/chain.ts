import type { CatalogTool } from "../catalog/tool.ts";
import { type ErrorObject, ToolError, toolErrorFrom } from "../contract/errors.ts";
import { countChars, isObject, type JsonObject, readKind } from "../contract/json.ts";
import type { Viewer } from "../run/access.ts";
import type { BackendCall, ToolProgress } from "../run/backend.ts";
import type { ToolRunner } from "../run/runner.ts";
import { MAX_PARALLEL, mapItems } from "./mapStep.ts";
import { readConstantArgs, resolveReferences, type Scope } from "./references.ts";
import type { ChainStep } from "./steps.ts";

export type ChainOptions = {
	readonly runner: ToolRunner;
	readonly viewer: Viewer;
	readonly signal: AbortSignal;
	readonly timeoutMs?: number;
	readonly onProgress?: (update: ToolProgress) => void;
	readonly ask?: BackendCall["ask"] & {};
	readonly caller?: BackendCall["caller"] & {};
	/** Counts calls against a caller's budget; throws when it is spent. */
	readonly onCall?: () => void;
};

export type ChainStepResult = {
	readonly tool_id: string;
	readonly tool?: CatalogTool;
	readonly structured?: unknown;
	readonly error?: ErrorObject;
};

/** The results of the steps, up to the first error. */
export type ChainResult = {
	readonly results: readonly ChainStepResult[];
	readonly final?: unknown;
	readonly error?: ErrorObject;
};

/** The progress message of the step that ends a chain by failing. */
export const STEP_ERROR = "step_error";

/**
 * Runs steps in order and stops at the first failure; returns the earlier results beside the error. Runs none if one of them
 * is bound to fail, since whoever corrects it would do the others twice.
 */
export async function runChain(steps: readonly ChainStep[], given: ChainOptions): Promise<ChainResult> {
	const options = { ...given, runner: createResultKeeper(given.runner) };
	const doomed = await doomedStep(steps, options);
	if (doomed !== undefined) return { results: [], error: doomed };
	const results: ChainStepResult[] = [];
	// No prototype, so that a step called __proto__ works like any other.
	const done: Record<string, unknown> = Object.create(null);
	let previous: unknown;
	for (const [index, step] of steps.entries()) {
		const scope: Scope = { steps: done, ...(index > 0 && { previous }) };
		const result = await runStep(step, scope, options, (update) => forward(options, index, steps.length, update));
		results.push(result);
		const entry = { tool_id: result.tool_id, structured: result.structured };
		done[String(index)] = entry;
		if (step.id !== undefined) done[step.id] = entry;
		options.onProgress?.({
			progress: index + 1,
			total: steps.length,
			message: result.error ? STEP_ERROR : "step_completed",
		});
		if (result.error !== undefined)
			return { results, ...(index > 0 && { final: previous }), error: chainError(result.error, index) };
		previous = result.structured;
	}
	return { results, final: previous };
}

/** The error of the first step that the runner would refuse, whatever the steps before it give. */
async function doomedStep(steps: readonly ChainStep[], options: ChainOptions): Promise<ErrorObject | undefined> {
	const problems = steps.map(async (step) => {
		try {
			await checkRun(step, step.use_previous === true ? undefined : readConstantArgs(step.args), options);
			return undefined;
		} catch (thrown) {
			return toolErrorFrom(thrown, { tool_id: step.tool_id }).object;
		}
	});
	const found = await Promise.all(problems);
	const index = found.findIndex((problem) => problem !== undefined);
	const problem = found[index];
	return problem && chainError(problem, index, "would fail, so no step was run");
}

/** Throws if the runner would refuse a run with these arguments, or whatever they are. */
async function checkRun(
	{ tool_id: toolId }: ChainStep,
	args: JsonObject | undefined,
	{ runner, viewer, signal, timeoutMs }: ChainOptions,
): Promise<void> {
	await runner.check?.({
		toolId,
		...(args !== undefined && { args }),
		viewer,
		signal,
		...(timeoutMs !== undefined && { timeoutMs }),
	});
}

async function runStep(
	step: ChainStep,
	scope: Scope,
	options: ChainOptions,
	onProgress: (update: ToolProgress) => void,
): Promise<ChainStepResult> {
	let tool: CatalogTool | undefined;
	const call = async (inner: Scope, signal: AbortSignal): Promise<unknown> => {
		options.onCall?.();
		const { runner, viewer, timeoutMs } = options;
		const args = argumentsOf(step, inner);
		const done = await runner.run({
			toolId: step.tool_id,
			args,
			viewer,
			signal,
			...(timeoutMs !== undefined && { timeoutMs }),
			...(step.map === undefined && options.onProgress !== undefined && { onProgress }),
			...(options.ask !== undefined && { ask: options.ask }),
			...(options.caller !== undefined && { caller: options.caller }),
		});
		tool = done.tool;
		return done.structured;
	};
	try {
		if (step.map === undefined) {
			const structured = await call(scope, options.signal);
			return { tool_id: step.tool_id, structured, ...(tool && { tool }) };
		}
		const items = resolveReferences(step.map.over, scope);
		if (!Array.isArray(items))
			throw new ToolError("validation_input", `map/over: expected an array, got ${readKind(items)}`, {
				op: "validate_input",
			});
		const parallel = Math.min(Math.max(step.map.parallel ?? 4, 1), MAX_PARALLEL);
		const { values, error } = await mapItems(
			items,
			parallel,
			options.signal,
			(item, index, signal) => call({ ...scope, item, index }, signal),
			async (item, index) => checkRun(step, argumentsOf(step, { ...scope, item, index }), options),
		);
		return {
			tool_id: step.tool_id,
			structured: values,
			...(tool && { tool }),
			...(error && { error: error.within({ tool_id: step.tool_id }).object }),
		};
	} catch (thrown) {
		return { tool_id: step.tool_id, error: toolErrorFrom(thrown, { tool_id: step.tool_id }).object };
	}
}

function argumentsOf(step: ChainStep, scope: Scope): JsonObject {
	const args = resolveReferences(step.args ?? {}, scope);
	if (!isObject(args))
		throw new ToolError("validation_input", `args: expected an object, got ${readKind(args)}`, {
			op: "validate_input",
		});
	return step.use_previous === true ? { ...args, previous: scope.previous ?? null } : args;
}

// A step's own progress moves the chain by a fraction of one step.
function forward(options: ChainOptions, index: number, total: number, update: ToolProgress): void {
	const share = update.total !== undefined && update.total > 0 ? Math.min(update.progress / update.total, 1) : 0;
	options.onProgress?.({
		progress: index + share,
		total,
		...(update.message !== undefined && { message: update.message }),
	});
}

// `cancelled` and `timeout` keep their code; any other failure becomes chain_step_failed, with its cause in the details.
function chainError(cause: ErrorObject, step_index: number, verb: string = "failed"): ErrorObject {
	if (cause.code === "cancelled" || cause.code === "timeout") return { ...cause, step_index };
	return new ToolError(
		"chain_step_failed",
		`Step ${step_index} (${cause.tool_id ?? "unknown tool"}) ${verb}: ${cause.message}`,
		{
			...(cause.tool_id !== undefined && { tool_id: cause.tool_id }),
			...(cause.op !== undefined && { op: cause.op }),
			step_index,
			details: { cause_code: cause.code, cause_op: cause.op ?? null, cause_backend_kind: cause.backend_kind ?? null },
		},
	).object;
}

/** A chain holds all its results to the end; those of a thousand items could exceed the memory. */
const MOST_CHARS = 64_000_000;

/** Wraps the runner for one chain: a run fails once all results together exceed the limit. */
function createResultKeeper(runner: ToolRunner): ToolRunner {
	let held = 0;
	return {
		...runner,
		async run(request) {
			const result = await runner.run(request);
			held += countChars(result.structured);
			if (held <= MOST_CHARS) return result;
			throw new ToolError(
				"validation_output",
				`The results of this chain are more than ${MOST_CHARS} characters; run it over fewer items at a time.`,
				{ tool_id: result.tool.id, op: "validate_output", details: { max_chars: MOST_CHARS } },
			);
		},
	};
}
