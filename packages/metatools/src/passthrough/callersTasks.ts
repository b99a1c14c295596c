import { type Principal, RPC_CODES, RpcError } from "libmcp";
import { isObject, type JsonObject } from "../contract/json.ts";

const MOST_CALLERS = 1_000;
const MOST_TASKS = 1_000;

/**
 * Which caller was given which task. To the server the gateway is one client, so it cannot keep callers' tasks apart.
 * Callers without credentials are all the same one, and see whatever the server shows.
 */
export class CallersTasks {
	/** The tasks of each caller; those used last come last. */
	readonly #given = new Map<string, Set<string>>();

	/** Refuses a request about a task that this caller was not given, in the same words whether or not it exists. */
	check(method: string, { taskId }: JsonObject, caller: Principal | undefined): void {
		if (caller === undefined || !method.startsWith("tasks/") || method === "tasks/list") return;
		if (typeof taskId !== "string" || !this.#isGiven(taskId, caller))
			throw new RpcError(RPC_CODES.invalidParams, `Unknown task: ${String(taskId).slice(0, 128)}`, {
				code: "INVALID_PARAMS",
			});
		this.#give(taskId, caller);
	}

	/** Notes the task that a call has become, and leaves in a list of tasks only the caller's own. */
	answer(method: string, result: unknown, caller: Principal | undefined): unknown {
		if (caller === undefined || !isObject(result)) return result;
		if (method === "tasks/list" && Array.isArray(result.tasks))
			return { ...result, tasks: result.tasks.filter((task) => this.#isGiven(idOf(task), caller)) };
		if (method.startsWith("tasks/")) return result;
		// In 2026-07-28 the task is the result, before that it is a member of it.
		const made = idOf(result.task) ?? idOf(result);
		if (made !== undefined) this.#give(made, caller);
		return result;
	}

	#isGiven(taskId: string | undefined, { id }: Principal): boolean {
		return taskId !== undefined && this.#given.get(id)?.has(taskId) === true;
	}

	#give(taskId: string, { id }: Principal): void {
		const tasks = this.#given.get(id) ?? new Set<string>();
		tasks.delete(taskId);
		tasks.add(taskId);
		this.#given.delete(id);
		this.#given.set(id, tasks);
		dropOldest(tasks, MOST_TASKS);
		dropOldest(this.#given, MOST_CALLERS);
	}
}

function idOf(task: unknown): string | undefined {
	return isObject(task) && typeof task.taskId === "string" ? task.taskId : undefined;
}

/** The keys of a map or a set come in the order of their arrival. */
function dropOldest(kept: Map<string, unknown> | Set<string>, most: number): void {
	const [oldest] = kept.size > most ? kept.keys() : [];
	if (oldest !== undefined) kept.delete(oldest);
}
