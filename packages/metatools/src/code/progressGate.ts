import { isObject } from "../contract/json.ts";
import type { CodeTools } from "./engine.ts";
import { parseBounded } from "./guestMessage.ts";

type Update = Parameters<CodeTools["progress"]>[0];

const MIN_INTERVAL_MS = 100;
const MAX_MESSAGE_LENGTH = 500;

/** Lets increasing progress through at most ten times a second; the newest held-back update is sent by `flush`. */
export class ProgressGate {
	readonly #forward: (update: Update) => void;
	#last = Number.NEGATIVE_INFINITY;
	#sentAt = Number.NEGATIVE_INFINITY;
	#held: Update | undefined;

	constructor(forward: (update: Update) => void) {
		this.#forward = forward;
	}

	offer(text: string): void {
		const update = updateOf(text);
		if (update === undefined || update.progress <= this.#last) return;
		this.#last = update.progress;
		if (performance.now() - this.#sentAt >= MIN_INTERVAL_MS) this.#send(update);
		else this.#held = update;
	}

	flush(): void {
		if (this.#held !== undefined) this.#send(this.#held);
	}

	#send(update: Update): void {
		this.#held = undefined;
		this.#sentAt = performance.now();
		try {
			this.#forward(update);
		} catch {
			// A listener that fails must not end the run.
		}
	}
}

function updateOf(text: string): Update | undefined {
	const value = parseBounded(text, 10_000, 2)?.value;
	if (!isObject(value) || typeof value.progress !== "number") return undefined;
	return {
		progress: value.progress,
		...(typeof value.total === "number" ? { total: value.total } : {}),
		...(typeof value.message === "string" ? { message: value.message.slice(0, MAX_MESSAGE_LENGTH) } : {}),
	};
}
