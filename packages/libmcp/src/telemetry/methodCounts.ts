import type { MethodError } from "./callOutcome.ts";
import { LatencyHistogram, type LatencyState, type LatencySummary } from "./latencyHistogram.ts";

export type CallCounts = {
	readonly requests: number;
	readonly successes: number;
	readonly errors: number;
	readonly cancelled: number;
	readonly inFlight: number;
	/** How many repetitions were really sent. */
	readonly retries: number;
};

export type MethodTelemetry = CallCounts & {
	readonly method: string;
	readonly latency: LatencySummary;
	readonly lastError: MethodError | null;
};

export type MethodState = {
	readonly method: string;
	readonly successes: number;
	readonly errors: number;
	readonly cancelled: number;
	readonly retries: number;
	readonly latency: LatencyState;
	readonly lastError: MethodError | null;
};

/** The counters of one method. Calls in flight are computed as begun minus ended, so the numbers always add up. */
export class MethodCounts {
	readonly method: string;
	latency: LatencyHistogram = new LatencyHistogram();
	requests = 0;
	successes = 0;
	errors = 0;
	cancelled = 0;
	retries = 0;
	lastError: MethodError | null = null;

	constructor(method: string) {
		this.method = method;
	}

	telemetry(): MethodTelemetry {
		const { method, requests, successes, errors, cancelled, retries, lastError } = this;
		const inFlight = requests - successes - errors - cancelled;
		return {
			method,
			requests,
			successes,
			errors,
			cancelled,
			inFlight,
			retries,
			latency: this.latency.summary(),
			lastError,
		};
	}

	/** Leaves out requests in flight: the successor counts them when it begins them. */
	state(): MethodState {
		const { method, successes, errors, cancelled, retries, lastError } = this;
		return { method, successes, errors, cancelled, retries, lastError, latency: this.latency.state() };
	}

	static restore(state: MethodState): MethodCounts {
		const counts = new MethodCounts(state.method);
		counts.successes = state.successes;
		counts.errors = state.errors;
		counts.cancelled = state.cancelled;
		counts.requests = state.successes + state.errors + state.cancelled;
		counts.retries = state.retries;
		counts.lastError = state.lastError;
		counts.latency = LatencyHistogram.restore(state.latency);
		return counts;
	}
}
