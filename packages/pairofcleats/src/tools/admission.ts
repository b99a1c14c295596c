import { BoundedQueue } from "libmcp/serve";
import { CleatsError } from "../contract/errors.ts";

/** Readers run beside a build; builds run one at a time. */
export type Lane = "read" | "write";

const PLACES: Readonly<Record<Lane, number>> = { read: 16, write: 1 };
export const QUEUE_MAX = 64;

type Waiting = { readonly lane: Lane; start(): void };

/** Limits concurrent calls and the queue of waiting ones. */
export class Admission {
	readonly #queue: BoundedQueue<Waiting>;
	readonly #running: Record<Lane, number> = { read: 0, write: 0 };

	constructor(max: number = QUEUE_MAX) {
		this.#queue = new BoundedQueue(max);
	}

	get load(): { readonly running: number; readonly waiting: number } {
		return { running: this.#running.read + this.#running.write, waiting: this.#queue.size };
	}

	/** Resolves with a release function. Rejects at once when the queue is full, and when the signal aborts. */
	enter(lane: Lane, signal: AbortSignal): (() => void) | Promise<() => void> {
		signal.throwIfAborted();
		if (this.#running[lane] < PLACES[lane]) return this.#take(lane);
		return new Promise((resolve, reject) => {
			const onAbort = (): void => {
				this.#queue.remove(waiting);
				reject(signal.reason);
			};
			const waiting: Waiting = {
				lane,
				start: () => {
					signal.removeEventListener("abort", onAbort);
					resolve(this.#take(lane));
				},
			};
			const overload = this.#queue.push(waiting);
			if (overload !== undefined) {
				const { max, size } = overload;
				const message = `${size} calls are waiting and at most ${max} may; try again later`;
				reject(new CleatsError("QUEUE_OVERLOADED", message, { queue: { max, size } }));
				return;
			}
			signal.addEventListener("abort", onAbort, { once: true });
		});
	}

	#take(lane: Lane): () => void {
		this.#running[lane] += 1;
		let held = true;
		return () => {
			if (!held) return;
			held = false;
			this.#running[lane] -= 1;
			this.#next(lane);
		};
	}

	#next(lane: Lane): void {
		for (const waiting of this.#queue) {
			if (waiting.lane !== lane) continue;
			this.#queue.remove(waiting);
			waiting.start();
			return;
		}
	}
}
