/** A timer that comes so late was not slow: the process was stopped, or got no processor. */
const STARVED_MS = 100;
/** What came meanwhile is read in this time, and whatever waited for it goes on. */
const GRACE_MS = 1_000;

export type Patience = {
	end(): void;
	/** Does not keep the process from ending. */
	unref(): Patience;
};

/**
 * Calls back when the time is over, but not before what came in that time was read: a process that was stopped or starved
 * finds its timers due first, and would blame others for its own sleep.
 */
export function patience(ms: number, over: () => void): Patience {
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

/** As `AbortSignal.timeout`, with patience. */
export function patientSignal(ms: number): AbortSignal {
	const controller = new AbortController();
	const reason = new DOMException("The operation was aborted due to timeout", "TimeoutError");
	patience(ms, () => controller.abort(reason)).unref();
	return controller.signal;
}
