import { randomBytes } from "node:crypto";

/** The clock, the timers and the chance that code depends on, so that a simulation can replace them. */
export type World = {
	/** Milliseconds since 1970. */
	now(): number;
	/** Text of this many random bytes, safe in URLs. */
	randomId(bytes: number): string;
	/** Calls `run` after so many milliseconds, unless the returned function is called before. Keeps no process alive. */
	after(ms: number, run: () => void): () => void;
	/** Calls `run` once everything that has already arrived is handled. */
	soon(run: () => void): void;
};

/** The world that programs run in. */
export const REAL_WORLD: World = {
	now: () => Date.now(),
	randomId: (bytes) => randomBytes(bytes).toString("base64url"),
	after: (ms, run) => {
		const timer = setTimeout(run, ms);
		timer.unref();
		return () => clearTimeout(timer);
	},
	soon: (run) => {
		setImmediate(run);
	},
};
