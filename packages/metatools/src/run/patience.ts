/** A timer this late means that the process was stopped or starved of CPU. */
const STARVED_MS = 100;
/** Extra time after such a pause, in which pending input is read and handled. */
const GRACE_MS = 1_000;

type Patience = {
	end(): void;
	/** Does not keep the process from ending. */
	unref(): Patience;
};

/**
 * A timeout that first lets pending input be read. After a process was stopped or starved, its timers fire before its
 * input is read, and it would blame others for its own pause.
 */
export function startPatience(ms: number, over: () => void): Patience {
	const due = performance.now() + ms;
	let isOver = false;
	const finish = (): void => {
		if (!isOver) over();
		isOver = true;
	};
	let timer = setTimeout(() => {
		if (performance.now() - due <= STARVED_MS) setImmediate(finish);
		else {
			const kept = timer.hasRef();
			timer = setTimeout(finish, GRACE_MS);
			if (!kept) timer.unref();
		}
	}, ms);
	const self: Patience = {
		end() {
			isOver = true;
			clearTimeout(timer);
		},
		unref() {
			timer.unref();
			return self;
		},
	};
	return self;
}

/** Like `AbortSignal.timeout`, but lets pending input be read first. */
export function createPatientSignal(ms: number): AbortSignal {
	const controller = new AbortController();
	abortLater(controller, ms);
	return controller.signal;
}

/** Runs work that the signal or such a timeout aborts, and clears the timer when the work is done. */
export async function runPatiently<T>(
	ms: number,
	signal: AbortSignal,
	work: (either: AbortSignal) => Promise<T>,
): Promise<T> {
	const controller = new AbortController();
	const waiting = abortLater(controller, ms);
	try {
		return await work(AbortSignal.any([signal, controller.signal]));
	} finally {
		waiting.end();
	}
}

function abortLater(controller: AbortController, ms: number): Patience {
	const reason = new DOMException("The operation was aborted due to timeout", "TimeoutError");
	return startPatience(ms, () => controller.abort(reason)).unref();
}

/** The most that a caller may ask for. */
export const LONGEST_CALL_MS = 3_600_000;

export type ClockLimits = {
	/** How long the call may take, apart from the time that people take to answer it. */
	readonly callMs: number;
	/** How long its server may be silent in that time; as long as the call unless given. */
	readonly silenceMs?: number;
	/** How much of both has passed already. */
	readonly spentMs?: number;
	/** How long a person may take to answer. */
	readonly answerMs: number;
	readonly over: (reason: "call" | "silence" | "answer") => void;
};

/**
 * The time a call has left, in all and without a sign of its server. It stands still while the caller is asked something,
 * since a person takes as long as it takes.
 */
export class CallClock {
	readonly #limits: ClockLimits;
	#leftMs: number;
	#since = performance.now();
	#heardAt: number;
	#questions = 0;
	#waiting: Patience;
	#listening: Patience | undefined;

	constructor(limits: ClockLimits) {
		this.#limits = limits;
		const { callMs, spentMs = 0 } = limits;
		this.#leftMs = Math.max(1, callMs - spentMs);
		this.#heardAt = this.#since - spentMs;
		this.#waiting = startPatience(this.#leftMs, () => limits.over("call"));
		this.#listen();
	}

	/** Tells that the server is at work. */
	hear(): void {
		this.#heardAt = performance.now();
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
		this.#listening?.end();
		// A question may still be answered; that must not start the clock again.
		this.#questions = Number.POSITIVE_INFINITY;
	}

	/** Looks only when a silence would be too long, since a server may report very often. */
	#listen(): void {
		const { silenceMs, callMs, over } = this.#limits;
		if (silenceMs === undefined || silenceMs >= callMs) return;
		const leftMs = Math.max(1, this.#heardAt + silenceMs - performance.now());
		this.#listening = startPatience(leftMs, () => {
			if (performance.now() - this.#heardAt >= silenceMs) over("silence");
			else this.#listen();
		});
	}

	#stop(): void {
		this.#leftMs = Math.max(1, this.#leftMs - (performance.now() - this.#since));
		this.#waiting.end();
		this.#listening?.end();
		this.#waiting = startPatience(this.#limits.answerMs, () => this.#limits.over("answer"));
	}

	#goOn(): void {
		this.#since = performance.now();
		this.#waiting.end();
		this.#waiting = startPatience(this.#leftMs, () => this.#limits.over("call"));
		this.hear();
		this.#listen();
	}
}
