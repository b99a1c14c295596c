import { createFaultResponse } from "../fault/faultResponse.ts";
import { makeFault } from "../fault/faultTable.ts";
import { RPC_CODES, RpcError } from "../fault/rpcError.ts";
import type { ReplayContract } from "../replay/decide.ts";
import {
	type ClientDescription,
	copyContext,
	type Dispatcher,
	type RpcContext,
} from "../server/protocol/dispatcher.ts";
import { describeKind, isRecord } from "../server/protocol/protocol.ts";
import { protocolError, unknownMethod } from "../server/protocol/rpcErrors.ts";
import { fateOfCall } from "../sessions/fateOfCall.ts";
import type { Store } from "../store/store.ts";
import { REAL_WORLD, type World } from "../world/world.ts";
import { createdResult, detailedTask, isOver, type KeptTask, TASKS_EXTENSION } from "./keptTask.ts";
import { LiveTask } from "./liveTask.ts";
import { TaskShelf } from "./taskShelf.ts";

/** Whether calls of a tool become tasks for clients that understand them. */
export type TaskSupport = {
	/** Refused for other clients; else those wait for the result. */
	readonly required?: boolean;
	/** The handler calls `context.beginTask` when it has asked what must be asked before. Default: it is a task at once. */
	readonly beginsLater?: boolean;
};

export type TaskOptions = {
	readonly store: Store;
	/** Tells its tasks from those of other servers in the same store. */
	readonly scope: string;
	readonly support: (tool: string) => TaskSupport | undefined;
	/** What may be done with a call that was running when its process ended. Default: nothing. */
	readonly contract?: (tool: string, args: unknown) => ReplayContract;
	/** How long a task can be asked for after it was created. */
	readonly ttlMs?: number;
	readonly world?: World;
};

const TTL_MS = 60 * 60_000;
const MOST_RUNNING = 1_000;
const ID_BYTES = 24;

/**
 * Lets calls of some tools become tasks (SEP-2663) for clients of 2026-07-28 that declare the extension. A task is kept in
 * the store before its client hears of it, belongs to its caller alone, and outlives the process: another one ends it as
 * its tool's contract says.
 */
export function taskDispatcher(inner: Dispatcher, options: TaskOptions): Dispatcher {
	const { store, scope, support, contract = () => "never_replay", ttlMs = TTL_MS, world = REAL_WORLD } = options;
	const shelf = new TaskShelf(store, scope);
	const runner = world.randomId(ID_BYTES);
	const running = new Map<string, LiveTask>();
	const returning = new Map<string, Promise<KeptTask>>();

	const watch = (task: LiveTask, work: Promise<unknown>): void => {
		const { taskId } = task.kept;
		void task.settle(work).finally(() => running.delete(taskId));
	};
	const begin = async (params: unknown, context: RpcContext): Promise<LiveTask> => {
		if (running.size >= MOST_RUNNING)
			throw new RpcError(RPC_CODES.overloaded, `at most ${MOST_RUNNING} tasks run at once`, {
				code: "QUEUE_OVERLOADED",
			});
		const now = new Date(world.now()).toISOString();
		const kept: KeptTask = {
			taskId: world.randomId(ID_BYTES),
			...(context.principal !== undefined && { owner: context.principal.id }),
			runner,
			attempts: 1,
			params,
			client: context.client,
			status: "working",
			createdAt: now,
			lastUpdatedAt: now,
			ttlMs,
			inputRequests: {},
			inputResponses: {},
		};
		await shelf.put(kept);
		const task = new LiveTask(kept, shelf, world);
		running.set(kept.taskId, task);
		world.after(ttlMs, () => void shelf.drop(kept.taskId).catch(() => {}));
		return task;
	};

	const call = async (params: unknown, context: RpcContext): Promise<unknown> => {
		const tool = isRecord(params) ? String(params.name) : "";
		const supported = support(tool);
		if (supported === undefined || context.era !== "modern") return inner("tools/call", params, context);
		if (!understandsTasks(context.client)) {
			if (supported.required === true) throw needsExtension(tool);
			return inner("tools/call", params, context);
		}
		if (supported.beginsLater !== true) {
			const task = await begin(params, context);
			const answer = createdResult(task.kept);
			watch(task, inner("tools/call", params, task.context(context)));
			return answer;
		}
		const begun = Promise.withResolvers<unknown>();
		let task: LiveTask | undefined;
		const beginTask = async (): Promise<RpcContext> => {
			task ??= await begin(params, context);
			begun.resolve(createdResult(task.kept));
			return task.context(context);
		};
		const work = inner("tools/call", params, { ...copyContext(context), beginTask });
		// Once it is a task, its outcome is the task's and no answer any more.
		work.then(
			(result) => (task === undefined ? begun.resolve(result) : watch(task, Promise.resolve(result))),
			(error: unknown) => (task === undefined ? begun.reject(error) : watch(task, Promise.reject(error))),
		);
		return begun.promise;
	};

	/** The state of a task, which this process takes over if the one that ran it has ended. */
	const find = async (taskId: string, context: RpcContext): Promise<KeptTask> => {
		const live = running.get(taskId);
		const kept = live?.kept ?? (await shelf.find(taskId));
		if (kept === undefined || kept.owner !== context.principal?.id) throw unknownTask(taskId);
		if (live !== undefined || isOver(kept) || kept.runner === runner) return kept;
		const known = returning.get(taskId);
		if (known !== undefined) return known;
		const taken = takeOver(kept, context).finally(() => returning.delete(taskId));
		returning.set(taskId, taken);
		return taken;
	};
	const takeOver = async (kept: KeptTask, context: RpcContext): Promise<KeptTask> => {
		const { name, arguments: args } = isRecord(kept.params) ? kept.params : {};
		const { attempts } = kept;
		const fate = fateOfCall({ state: "dispatched", attempts, contract: contract(String(name), args) });
		const task = new LiveTask(
			{ ...kept, runner, attempts: attempts + 1, inputRequests: {}, status: "working" },
			shelf,
			world,
		);
		if (fate !== "replay") {
			const detail = `${String(name).slice(0, 64)} was begun and not ended: the process that ran it was ended`;
			const fault = makeFault(fate === "reject_exhausted" ? "replay_exhausted" : "outcome_unknown", { detail });
			const { code, message, data } = createFaultResponse(fault);
			await task.settle(Promise.reject(new RpcError(code, message, data)));
			return task.kept;
		}
		await shelf.put(task.kept);
		running.set(kept.taskId, task);
		watch(task, inner("tools/call", kept.params, task.context({ ...copyContext(context), client: kept.client })));
		return task.kept;
	};

	const aboutTask = async (method: string, params: unknown, context: RpcContext): Promise<unknown> => {
		if (!understandsTasks(context.client)) throw needsExtension(method);
		const { taskId, inputResponses = {} } = isRecord(params) ? params : {};
		if (typeof taskId !== "string")
			throw protocolError("INVALID_PARAMS", `taskId: expected a string, got ${describeKind(taskId)}`);
		if (!isRecord(inputResponses))
			throw protocolError("INVALID_PARAMS", `inputResponses: expected an object, got ${describeKind(inputResponses)}`);
		const kept = await find(taskId, context);
		if (method === "tasks/get") {
			await running.get(taskId)?.saved();
			return detailedTask(running.get(taskId)?.kept ?? kept);
		}
		const live = running.get(taskId);
		if (method === "tasks/cancel") live?.cancel();
		else live?.answer(inputResponses);
		await live?.saved();
		return { resultType: "complete" };
	};

	return async (method, params, context) => {
		if (method === "tools/call") return call(params, context);
		if (context.era !== "modern" || !method.startsWith("tasks/")) return inner(method, params, context);
		if (!TASK_METHODS.has(method)) throw unknownMethod(method);
		return aboutTask(method, params, context);
	};
}

const TASK_METHODS: ReadonlySet<string> = new Set(["tasks/get", "tasks/update", "tasks/cancel"]);

/** The capability with which a server tells that it makes tasks. */
export const TASK_CAPABILITY: { readonly extensions: Readonly<Record<string, unknown>> } = {
	extensions: { [TASKS_EXTENSION]: {} },
};

function understandsTasks({ capabilities }: ClientDescription): boolean {
	return isRecord(capabilities.extensions) && isRecord(capabilities.extensions[TASKS_EXTENSION]);
}

function needsExtension(what: string): RpcError {
	return protocolError("MISSING_CAPABILITY", `${what.slice(0, 64)}: needs a client that declares ${TASKS_EXTENSION}`, {
		requiredCapabilities: TASK_CAPABILITY,
	});
}

/** In the same words whether it never was or is another caller's. */
function unknownTask(taskId: string): RpcError {
	return protocolError("INVALID_PARAMS", `taskId: there is no task ${JSON.stringify(taskId.slice(0, 64))}`);
}
