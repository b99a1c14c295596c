import { setTimeout as delay } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { ToolDefinition } from "../../catalog/tool.ts";
import { isObject, type JsonObject } from "../../contract/json.ts";
import type { ToolProgress } from "../../run/backend.ts";
import { findHostFault, UpstreamError } from "../failure/failure.ts";
import { toUpstreamError } from "../sdkFailure.ts";
import { waitUnlessAborted } from "../waiting.ts";

export type TaskCall = {
	/** Sends a request; without a signal it is not cancelled. */
	send(method: string, params: JsonObject, signal?: AbortSignal): Promise<unknown>;
	/** Parameters of the tools/call request. */
	readonly params: JsonObject;
	readonly signal: AbortSignal;
	/** Milliseconds since the epoch. */
	readonly deadline: number;
	/** How long nothing may be heard of the task. */
	readonly silenceMs?: number;
	readonly canCancel: boolean;
	/** Called with the id under which the server's questions arrive. */
	onTask(id: string): void;
	/** Called with what the server says of the task's state, whenever it was asked. */
	onState(message: string): void;
};

const DEFAULT_PAUSE_MS = 1_000;
const SHORTEST_PAUSE_MS = 50;
/** How much longer than the call the server is asked to keep its task. */
const KEPT_MS = 60_000;

/** Whether a server of the handshake era runs a tool only as a task. */
export function isTaskNeeded({ execution }: ToolDefinition, serverTasks: unknown): boolean {
	// A server that does not declare tasks must not be asked for one, whatever its tool says.
	const isOffered =
		isObject(serverTasks) &&
		isObject(serverTasks.requests) &&
		isObject(serverTasks.requests.tools) &&
		serverTasks.requests.tools.call !== undefined;
	return isOffered && isObject(execution) && execution.taskSupport === "required";
}

/**
 * Calls a tool as a task: creates it, follows its state, and gives its result. Whoever stops waiting cancels it. A task
 * that was lost with its server is begun once more if the server's host says that this is harmless.
 */
export async function callAsTask(call: TaskCall): Promise<unknown> {
	try {
		return await runTask(call);
	} catch (thrown) {
		const isLost = findHostFault(toUpstreamError(thrown).failure)?.code === "task_lost";
		if (!isLost || call.signal.aborted) throw thrown;
		return runTask(call);
	}
}

async function runTask(call: TaskCall): Promise<unknown> {
	const { send, params, signal, deadline } = call;
	const cancel = (created: unknown): void => {
		const { taskId } = taskOf(created);
		if (call.canCancel && taskId !== undefined) send("tasks/cancel", { taskId }).catch(() => {});
	};
	// The deadline may be a fraction, which servers with integer types refuse.
	const ttl = Math.ceil(Math.max(0, deadline - Date.now())) + KEPT_MS;
	const created = await waitUnlessAborted(send("tools/call", { ...params, task: { ttl } }), signal, cancel);
	const { taskId } = taskOf(created);
	if (taskId === undefined) return created;
	call.onTask(taskId);
	try {
		return await outcome(call, taskId, taskOf(created));
	} catch (thrown) {
		if (signal.aborted) cancel(created);
		throw asBegunCall(toUpstreamError(thrown));
	}
}

async function outcome(call: TaskCall, taskId: string, created: Task): Promise<unknown> {
	const { send, signal, deadline, silenceMs = Number.POSITIVE_INFINITY, onState } = call;
	let task = created;
	for (;;) {
		if (task.statusMessage !== undefined) onState(task.statusMessage);
		if (task.status !== "working") break;
		// Poll as often as the server wishes, but at least once before the deadline or before it counts as silent.
		const mostMs = Math.max(DEFAULT_PAUSE_MS, Math.min(deadline - Date.now(), silenceMs) / 2);
		const pause = Math.min(mostMs, Math.max(SHORTEST_PAUSE_MS, task.pollInterval ?? DEFAULT_PAUSE_MS));
		await delay(pause, undefined, { signal });
		task = taskOf({ task: await send("tasks/get", { taskId }, signal) });
	}
	if (task.status === "cancelled") return failedResult(task, "The server cancelled the task.");
	// A task that needs input asks its questions while we wait for its result.
	const result = send("tasks/result", { taskId }, signal);
	if (task.status !== "failed") return result;
	const told = await result.catch(() => failedResult(task, "The task failed without saying why."));
	return isObject(told) ? { ...told, isError: true } : told;
}

type Task = {
	readonly taskId?: string;
	readonly status?: string;
	readonly statusMessage?: string;
	readonly pollInterval?: number;
};

function taskOf(answer: unknown): Task {
	const { taskId, status, statusMessage, pollInterval } = isObject(answer) && isObject(answer.task) ? answer.task : {};
	return {
		...(typeof taskId === "string" && { taskId }),
		...(typeof status === "string" && { status }),
		...(typeof statusMessage === "string" && { statusMessage }),
		...(typeof pollInterval === "number" && { pollInterval }),
	};
}

function failedResult({ statusMessage }: Task, otherwise: string): JsonObject {
	return { content: [{ type: "text", text: statusMessage ?? otherwise }], isError: true };
}

/** A connection lost after the task began never means that the tool did not run, so the call must not be repeated. */
function asBegunCall(error: UpstreamError): UpstreamError {
	const { failure } = error;
	return failure.kind === "lost" && failure.undone
		? new UpstreamError({ ...failure, undone: false }, { cause: error })
		: error;
}

type Report = (update: ToolProgress) => void;

const OURS = "metatools-task-";

/**
 * The progress of tasks. The SDK forgets a call's progress token when the call is answered, but a task created by it
 * goes on. So tasks get our own tokens, and progress under these is handled here before the SDK sees it.
 */
export class TaskProgress {
	readonly #reports = new Map<string, Report>();
	#given = 0;

	/** The transport must be connected, as this wraps the SDK's listener. */
	constructor(transport: Transport) {
		const deliver = transport.onmessage;
		transport.onmessage = (message, extra) => {
			if (!this.#takes(message)) deliver?.(message, extra);
		};
	}

	/** Runs a task, under a progress token if its caller wants progress. */
	async during<T>(
		onProgress: Report | undefined,
		run: (meta: JsonObject, onState: (message: string) => void) => Promise<T>,
	): Promise<T> {
		if (onProgress === undefined) return run({}, () => {});
		const token = `${OURS}${++this.#given}`;
		const { report, onState } = oneLine(onProgress);
		this.#reports.set(token, report);
		try {
			return await run({ _meta: { progressToken: token } }, onState);
		} finally {
			this.#reports.delete(token);
		}
	}

	#takes(message: JSONRPCMessage): boolean {
		if (!("method" in message) || message.method !== "notifications/progress" || !isObject(message.params))
			return false;
		const { progressToken, progress, total, message: said } = message.params;
		if (typeof progressToken !== "string" || !progressToken.startsWith(OURS)) return false;
		if (typeof progress === "number")
			this.#reports.get(progressToken)?.({
				progress,
				...(typeof total === "number" && { total }),
				...(typeof said === "string" && { message: said }),
			});
		return true;
	}
}

/** Merges a task's own progress and its state messages, which have no numbers, into one increasing sequence. */
function oneLine(onProgress: Report): { report: Report; onState: (message: string) => void } {
	let state: string | undefined;
	let states = 0;
	let reportsItself = false;
	return {
		report(update) {
			reportsItself = true;
			onProgress({ ...(state !== undefined && { message: state }), ...update });
		},
		onState(message) {
			if (message === state) return;
			state = message;
			states++;
			// Small steps, so that the first progress the task itself reports is larger, be it 1 of 100 or 1 of 1.
			if (!reportsItself) onProgress({ progress: states / 100, message });
		},
	};
}
