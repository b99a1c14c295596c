import { isObject } from "../../contract/json.ts";
import type { CodeTools } from "../engine.ts";
import { parseBounded } from "../guestMessage.ts";

/** Keeps the first `limit` UTF-16 units of what is appended and says once that the rest was dropped. */
export class CappedText {
	readonly #limit: number;
	readonly #parts: string[] = [];
	#length = 0;
	#truncated: boolean = false;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Returns the part that was kept. */
	append(text: string): string {
		const room = this.#limit - this.#length;
		const kept = text.length <= room ? text : wholeCharacters(text, room);
		if (kept.length < text.length) {
			this.#truncated = true;
			this.#length = this.#limit;
		} else this.#length += kept.length;
		if (kept !== "") this.#parts.push(kept);
		return kept;
	}

	get full(): boolean {
		return this.#length >= this.#limit;
	}

	toString(): string {
		const text = this.#parts.join("");
		return this.#truncated ? `${text}\n[output truncated at ${this.#limit} characters]` : text;
	}
}

/** Never leaves half of a surrogate pair at the cut. */
function wholeCharacters(text: string, length: number): string {
	const last = text.charCodeAt(length - 1);
	return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

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
