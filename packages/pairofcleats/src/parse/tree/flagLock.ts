import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";

const KEY = "pairofcleats.flagLock";
const [FREE, HELD] = [0, 1];
/** A thread that is terminated cannot release the lock; what it is held for takes milliseconds. */
const LONGEST_WAIT_MS = 2_000;

/** Runs an action that changes V8's flags, which all threads of the process share, while no other one does. */
export function holdingFlags(action: () => void): void {
	const lock = shareFlagLock();
	const until = performance.now() + LONGEST_WAIT_MS;
	while (Atomics.compareExchange(lock, 0, FREE, HELD) === HELD && performance.now() < until)
		Atomics.wait(lock, 0, HELD, LONGEST_WAIT_MS);
	try {
		action();
	} finally {
		Atomics.store(lock, 0, FREE);
		Atomics.notify(lock, 0);
	}
}

/** Threads inherit the lock from the thread that starts them, if it has it by then. */
export function shareFlagLock(): Int32Array {
	const known = getEnvironmentData(KEY);
	if (known instanceof Int32Array) return known;
	const lock = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	setEnvironmentData(KEY, lock);
	return lock;
}
