import { setTimeout as delay } from "node:timers/promises";

/** A random number generator that a seed makes repeatable. */
export function createRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
	};
}

export type ChaosOptions = {
	readonly times: number;
	/** The pause before each strike is between `minMs` and `maxMs`. */
	readonly minMs: number;
	readonly maxMs: number;
	readonly random: () => number;
	/** What to do to the worker; SIGKILL by default. */
	readonly strike?: (pid: number) => void;
};

/** Strikes the current worker at random moments; returns the pids it struck. */
export async function injectChaos(victim: () => number | undefined, options: ChaosOptions): Promise<number[]> {
	const { times, minMs, maxMs, random, strike = (pid: number) => process.kill(pid, "SIGKILL") } = options;
	const struck: number[] = [];
	while (struck.length < times) {
		await delay(minMs + random() * (maxMs - minMs));
		const pid = victim();
		if (pid === undefined || struck.at(-1) === pid) continue;
		try {
			strike(pid);
			struck.push(pid);
		} catch {
			// It had already ended; strike the next one.
		}
	}
	return struck;
}

export type LoadOptions<Outcome> = {
	readonly calls: number;
	readonly inFlight: number;
	/** Limit on the calls begun per second. */
	readonly perSecond?: number;
	readonly run: (index: number) => Promise<Outcome>;
};

/** Keeps a number of calls in flight until all are answered; returns the outcomes in the order the calls were begun. */
export async function applyLoad<Outcome>({
	calls,
	inFlight,
	perSecond,
	run,
}: LoadOptions<Outcome>): Promise<Outcome[]> {
	const outcomes: Promise<Outcome>[] = [];
	const began = performance.now();
	const lane = async (): Promise<void> => {
		while (outcomes.length < calls) {
			const index = outcomes.length;
			const due = perSecond === undefined ? 0 : began + (index * 1_000) / perSecond - performance.now();
			const outcome = due > 0 ? delay(due).then(() => run(index)) : run(index);
			outcomes.push(outcome);
			await outcome;
		}
	};
	await Promise.all(Array.from({ length: inFlight }, lane));
	return Promise.all(outcomes);
}
