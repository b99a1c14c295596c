export type BurstTimes = {
	/** A burst is over after this time without a touch. */
	readonly quietMs: number;
	/** One that does not end counts as over this long after its first touch, so that it cannot delay the run for ever. */
	readonly mostMs: number;
};

/** Runs once for each burst of touches. */
export function burst(run: () => void, { quietMs, mostMs }: BurstTimes): { touch(): void; stop(): void } {
	let timer: NodeJS.Timeout | undefined;
	let until = 0;
	const over = (): void => {
		timer = undefined;
		run();
	};
	return {
		touch() {
			if (timer === undefined) until = performance.now() + mostMs;
			clearTimeout(timer);
			timer = setTimeout(over, Math.max(0, Math.min(quietMs, until - performance.now()))).unref();
		},
		stop() {
			clearTimeout(timer);
		},
	};
}
