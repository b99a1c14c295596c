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
	#hard: NodeJS.Timeout | undefined;
	#inactivity: NodeJS.Timeout | undefined;

	/** While `isExcused` returns true, the call waits for somebody else and its silence does not count. */
	constructor(limits: DeadlineLimits, expired: (kind: DeadlineKind) => void, isExcused: () => boolean = () => false) {
		this.#expired = expired;
		this.#isExcused = isExcused;
		this.#inactivityMs = limits.inactivityMs ?? 0;
		this.#hard = this.#arm("hard", limits.hardMs ?? 0);
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

	clear(): void {
		clearTimeout(this.#hard);
		this.#hard = undefined;
		this.rest();
		this.#inactivityMs = 0;
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
