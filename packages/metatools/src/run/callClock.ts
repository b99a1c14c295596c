import { type Patience, patience } from "./patience.ts";

/** The most that a caller may ask for. */
export const LONGEST_CALL_MS = 3_600_000;

export type ClockLimits = {
	/** How long the call may take, apart from the time that people take to answer it. */
	readonly callMs: number;
	/** How long a person may take to answer. */
	readonly answerMs: number;
	readonly over: (reason: "call" | "answer") => void;
};

/** The time a call has left. It stands still while the caller is asked something, since a person takes as long as it takes. */
export class CallClock {
	readonly #limits: ClockLimits;
	#leftMs: number;
	#since = performance.now();
	#questions = 0;
	#waiting: Patience;

	constructor(limits: ClockLimits) {
		this.#limits = limits;
		this.#leftMs = limits.callMs;
		this.#waiting = patience(limits.callMs, () => limits.over("call"));
	}

	/** Stops the clock until the question is answered. */
	async asking<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
		if (this.#questions++ === 0) this.#stop();
		try {
			return await ask();
		} finally {
			if (--this.#questions === 0) this.#goOn();
		}
	}

	end(): void {
		this.#waiting.end();
		// A question may still be answered; that must not start the clock again.
		this.#questions = Number.POSITIVE_INFINITY;
	}

	#stop(): void {
		this.#leftMs = Math.max(1, this.#leftMs - (performance.now() - this.#since));
		this.#waiting.end();
		this.#waiting = patience(this.#limits.answerMs, () => this.#limits.over("answer"));
	}

	#goOn(): void {
		this.#since = performance.now();
		this.#waiting.end();
		this.#waiting = patience(this.#leftMs, () => this.#limits.over("call"));
	}
}
