import type { Buffer } from "node:buffer";
import { makeRoom } from "../../admission/boundedQueue.ts";
import { RPC_CODES } from "../../fault/rpcError.ts";
import { isRecord } from "../../server/protocol/protocol.ts";
import type { ErrorResponseEnvelope, ResponseEnvelope } from "../../wire/envelope.ts";
import { readSpan } from "../../wire/members.ts";
import { type Call, readTaskId } from "./call.ts";

/** `repeatable`: the call that began it may run again. */
type Task = { answeredAt: number; isOver: boolean; readonly repeatable: boolean };

const MAX_TASKS = 1_024;
/** An answer that announces a task is small; larger answers are not parsed. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** Clients poll their tasks. A task not asked about for this long counts as forgotten. */
const FORGOTTEN_MS = 600_000;

/** The tasks that one worker runs for the client. No other worker knows them, so it must outlive its replacement. */
export class HeldTasks {
	readonly #byId = new Map<string, Task>();

	get size(): number {
		return this.#byId.size;
	}

	/** The number of tasks whose end the client has not seen yet. */
	get open(): number {
		const since = performance.now() - FORGOTTEN_MS;
		return [...this.#byId.values()].filter(({ answeredAt, isOver }) => !isOver && answeredAt > since).length;
	}

	/** The tasks whose end the client has not seen, however long ago it asked. */
	unfinished(): { readonly id: string; readonly repeatable: boolean }[] {
		const all = [...this.#byId].map(([id, { isOver, repeatable }]) => ({ id, isOver, repeatable }));
		return all.filter(({ isOver }) => !isOver);
	}

	/** Whether a request is about one of these tasks. */
	has(call: Call): boolean {
		return this.#of(call) !== undefined;
	}

	/** Updates the tasks from an answer; true when the answer says that the call goes on as a task. */
	answered(
		call: Call,
		frame: Buffer,
		envelope: ResponseEnvelope | ErrorResponseEnvelope,
		isRepeatable: () => boolean,
	): boolean {
		const result = envelope.kind === "response" ? envelope.result : undefined;
		if (call.tool !== undefined) return result !== undefined && this.#begun(frame, result, isRepeatable);
		const task = this.#of(call);
		if (task === undefined) return false;
		task.answeredAt = performance.now();
		const isOver =
			envelope.kind === "response"
				? isEnd(call.method, readSpan(frame, envelope.result))
				: isEndByError(call.method, readSpan(frame, envelope.error.code));
		task.isOver = isOver ?? task.isOver;
		return false;
	}

	#begun(frame: Buffer, span: ResponseEnvelope["result"], isRepeatable: () => boolean): boolean {
		if (frame.length > MAX_ANSWER_BYTES || !frame.includes('"taskId"')) return false;
		const result = readSpan(frame, span);
		if (!isRecord(result)) return false;
		const task = result.resultType === "task" ? result : result.task;
		if (!isRecord(task) || typeof task.taskId !== "string") return false;
		makeRoom(this.#byId, MAX_TASKS);
		this.#byId.set(task.taskId, { answeredAt: performance.now(), isOver: false, repeatable: isRepeatable() });
		return true;
	}

	#of(call: Call): Task | undefined {
		const id = this.#byId.size === 0 ? undefined : readTaskId(call);
		return id === undefined ? undefined : this.#byId.get(id);
	}
}

/**
 * Whether the client is done with the task; undefined when the answer does not tell. A completed task's result must
 * still be fetched, unless it came along. To cancel a task is a wish: only its status tells whether it has ended.
 */
function isEnd(method: string, result: unknown): boolean | undefined {
	if (method === "tasks/result") return true;
	if ((method !== "tasks/get" && method !== "tasks/cancel") || !isRecord(result)) return undefined;
	switch (result.status) {
		case "failed":
		case "cancelled":
			return true;
		case "completed":
			return "result" in result || undefined;
		case "working":
		case "input_required":
			return false;
		default:
			return undefined;
	}
}

/** Of a request about the task that was refused: only these two errors are about the task and not about the request. */
function isEndByError(method: string, code: unknown): boolean | undefined {
	return method === "tasks/result" || (method === "tasks/get" && code === RPC_CODES.invalidParams) || undefined;
}
