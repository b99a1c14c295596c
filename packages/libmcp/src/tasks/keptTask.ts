import type { ClientDescription } from "../server/protocol/dispatcher.ts";
import type { ErrorBody } from "../server/protocol/rpcErrors.ts";

/** The extension under which a client declares that it understands tasks, and a server that it makes them. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** What is kept of a call that has become a task. */
export type KeptTask = {
	readonly taskId: string;
	/** The caller's id; absent if callers are not told apart. */
	readonly owner?: string;
	/** The process that runs it. */
	readonly runner: string;
	/** How often it was begun. */
	readonly attempts: number;
	/** The call, for a process that has to begin it again. */
	readonly params: unknown;
	readonly client: ClientDescription;
	readonly status: TaskStatus;
	readonly createdAt: string;
	readonly lastUpdatedAt: string;
	readonly ttlMs: number;
	/** What its client is asked and has not answered, and what it has. */
	readonly inputRequests: Readonly<Record<string, unknown>>;
	readonly inputResponses: Readonly<Record<string, unknown>>;
	readonly result?: unknown;
	readonly error?: ErrorBody;
};

const POLL_MS = 500;

export function isOver({ status }: Pick<KeptTask, "status">): boolean {
	return status === "completed" || status === "failed" || status === "cancelled";
}

/** The answer to the call that became a task. */
export function createdResult(task: KeptTask): Record<string, unknown> {
	return { resultType: "task", ...common(task) };
}

/** The answer to `tasks/get`. */
export function detailedTask(task: KeptTask): Record<string, unknown> {
	const { status, result, error, inputRequests } = task;
	return {
		resultType: "complete",
		...common(task),
		...(status === "completed" && { result }),
		...(status === "failed" && { error }),
		...(status === "input_required" && { inputRequests }),
	};
}

function common({ taskId, status, createdAt, lastUpdatedAt, ttlMs }: KeptTask): Record<string, unknown> {
	return { taskId, status, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs: POLL_MS };
}
