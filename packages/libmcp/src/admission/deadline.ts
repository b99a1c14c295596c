/** How long a call may take in all, and how long it may be silent. Absent or 0 means no limit. */
export type DeadlineLimits = { readonly hardMs?: number; readonly inactivityMs?: number };

/** Node fires a timer longer than this immediately. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/** `hard`: the limit on the whole call. `inactivity`: the limit on the time without progress. */
export type DeadlineKind = "hard" | "inactivity";

/** One call's time limits. Progress resets only the inactivity limit, so a call that reports forever still ends. */
export class Deadline {
	#inactivityMs: number;
	readonly #expired: (kind: DeadlineKind) => void;
	readonly #isExcused: () => boolean;
	#hardAt = 0;
	/** What was left of the hard limit when the clock was stopped; 0 if it had none. */
	#stoppedWithMs = 0;
	#hard: NodeJS.Timeout | undefined;
	#inactivity: NodeJS.Timeout | undefined;

	/** While `isExcused` returns true, the call waits for somebody else and its silence does not count. */
	constructor(limits: DeadlineLimits, expired: (kind: DeadlineKind) => void, isExcused: () => boolean = () => false) {
		this.#expired = expired;
		this.#isExcused = isExcused;
		this.#inactivityMs = limits.inactivityMs ?? 0;
		this.#armHard(limits.hardMs ?? 0);
		this.#inactivity = this.#arm("inactivity", this.#inactivityMs);
	}

	progress(): void {
		clearTimeout(this.#inactivity);
		this.#inactivity = this.#arm("inactivity", this.#inactivityMs);
	}

	/** Stops the inactivity limit until the next progress: nobody is working on the call now. */
	rest(): void {
		clearTimeout(this.#inactivity);
		this.#inactivity = undefined;
	}

	/** What is left of the hard limit; 0 without one. A limit that has passed in this instant has a millisecond left. */
	get hardLeftMs(): number {
		return this.#hard === undefined ? this.#stoppedWithMs : Math.max(1, Math.ceil(this.#hardAt - performance.now()));
	}

	/** Stops both limits: nothing may expire until `resume`, which goes on with what is left of the hard one. */
	pause(): void {
		this.#stoppedWithMs = this.hardLeftMs;
		clearTimeout(this.#hard);
		this.#hard = undefined;
		this.rest();
	}

	resume(): void {
		if (this.#hard === undefined) this.#armHard(this.#stoppedWithMs);
	}

	clear(): void {
		this.pause();
		this.#stoppedWithMs = 0;
		this.#inactivityMs = 0;
	}

	#armHard(milliseconds: number): void {
		this.#hardAt = performance.now() + milliseconds;
		this.#hard = this.#arm("hard", milliseconds);
	}

	#arm(kind: DeadlineKind, milliseconds: number): NodeJS.Timeout | undefined {
		if (milliseconds <= 0) return undefined;
		const timer = setTimeout(
			// After a pause (SIGSTOP, a busy machine) timers fire before pending input is read; let that input be read first.
			() => setImmediate(() => this.#passed(kind, timer)),
			Math.min(milliseconds, LONGEST_TIMER_MS),
		);
		return timer;
	}

	#passed(kind: DeadlineKind, timer: NodeJS.Timeout): void {
		if (timer !== (kind === "hard" ? this.#hard : this.#inactivity)) return;
		if (kind === "inactivity" && this.#isExcused()) {
			this.progress();
			return;
		}
		this.clear();
		this.#expired(kind);
	}
}

/** A client that asks and then closes its input, as a script does, still wants answers, even from a starting server. */
export const END_OF_INPUT_MS = 10_000;

/** SDK clients send SIGTERM two seconds after they close the pipe, and kill the process two seconds later. */
export const TOLD_MS = 1_500;
