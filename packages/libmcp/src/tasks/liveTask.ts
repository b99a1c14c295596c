import { createHash } from "node:crypto";
import type { RpcContext } from "../server/protocol/dispatcher.ts";
import { isRecord } from "../server/protocol/protocol.ts";
import { errorBody } from "../server/protocol/rpcErrors.ts";
import type { World } from "../world/world.ts";
import { isOver, type KeptTask } from "./keptTask.ts";
import type { TaskShelf } from "./taskShelf.ts";

/** A task that this process runs. Whatever its client is told of it is kept before. */
export class LiveTask {
	#kept: KeptTask;
	readonly #shelf: TaskShelf;
	readonly #world: World;
	readonly #stop = new AbortController();
	readonly #waiting = new Map<string, (answer: unknown) => void>();
	readonly #asked = new Map<string, number>();
	#saved: Promise<void> = Promise.resolve();

	constructor(kept: KeptTask, shelf: TaskShelf, world: World) {
		this.#kept = kept;
		this.#shelf = shelf;
		this.#world = world;
	}

	get kept(): KeptTask {
		return this.#kept;
	}

	/** Resolves when the last change is kept; rejects if it cannot be. */
	saved(): Promise<void> {
		return this.#saved;
	}

	/** What the handler works with: its client is asked by `tasks/get`, and a connection that closes stops nothing. */
	context(request: Pick<RpcContext, "id" | "client" | "principal" | "paramHeaders">): RpcContext {
		const context: RpcContext = {
			// Whoever asks waits for the answer, as with a handshake.
			era: "legacy",
			id: request.id,
			client: request.client,
			...(request.principal !== undefined && { principal: request.principal }),
			...(request.paramHeaders !== undefined && { paramHeaders: request.paramHeaders }),
			signal: this.#stop.signal,
			wantsProgress: false,
			progress: () => {},
			notify: () => {},
			request: (method, params, signal) => this.#ask({ method, ...(params && { params }) }, signal),
			beginTask: async () => context,
		};
		return context;
	}

	/** Waits for the handler, whose outcome is the task's. */
	async settle(work: Promise<unknown>): Promise<void> {
		const outcome = await work.then(
			(result) => ({ status: "completed", result: isRecord(result) ? result : {} }) as const,
			(error: unknown) => ({ status: "failed", error: errorBody(error) }) as const,
		);
		this.#change({ ...outcome, inputRequests: {} });
		await this.#saved.catch(() => {});
	}

	/** Passes on what its client answered; answers to nothing that was asked are ignored. */
	answer(responses: Readonly<Record<string, unknown>>): void {
		const known = Object.entries(responses).filter(([key]) => this.#waiting.has(key));
		if (known.length === 0) return;
		const left = Object.entries(this.#kept.inputRequests).filter(([key]) => !known.some(([given]) => given === key));
		this.#change({
			status: left.length === 0 ? "working" : "input_required",
			inputRequests: Object.fromEntries(left),
			inputResponses: { ...this.#kept.inputResponses, ...Object.fromEntries(known) },
		});
		for (const [key, answer] of known) {
			this.#waiting.get(key)?.(answer);
			this.#waiting.delete(key);
		}
	}

	cancel(): void {
		this.#change({ status: "cancelled", inputRequests: {} });
		this.#stop.abort(new DOMException("the client cancelled the task", "AbortError"));
	}

	/** Found by the question itself, so that a call which begins again gets the answers that it had. */
	async #ask(question: { method: string; params?: Record<string, unknown> }, signal?: AbortSignal): Promise<unknown> {
		const print = createHash("sha256").update(JSON.stringify(question)).digest("hex").slice(0, 32);
		const times = (this.#asked.get(print) ?? 0) + 1;
		this.#asked.set(print, times);
		const key = `${print}-${times}`;
		if (Object.hasOwn(this.#kept.inputResponses, key)) return this.#kept.inputResponses[key];
		const over = signal === undefined ? this.#stop.signal : AbortSignal.any([this.#stop.signal, signal]);
		over.throwIfAborted();
		this.#change({ status: "input_required", inputRequests: { ...this.#kept.inputRequests, [key]: question } });
		return new Promise((resolve, reject) => {
			this.#waiting.set(key, resolve);
			const withdraw = (): void => {
				this.#waiting.delete(key);
				reject(over.reason);
			};
			over.addEventListener("abort", withdraw, { once: true });
		});
	}

	/** The end of a task is final. */
	#change(changes: Partial<KeptTask>): void {
		if (isOver(this.#kept)) return;
		this.#kept = { ...this.#kept, ...changes, lastUpdatedAt: new Date(this.#world.now()).toISOString() };
		const kept = this.#kept;
		this.#saved = this.#saved.catch(() => {}).then(() => this.#shelf.put(kept));
		this.#saved.catch(() => {});
	}
}
