/** A timer this late means that the process was stopped or starved of CPU. */
const STARVED_MS = 100;
/** Extra time after such a pause, in which pending input is read and handled. */
const GRACE_MS = 1_000;

export type Patience = {
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
