import type { Fault } from "../fault/fault.ts";
import { type CallCounts, MethodCounts, type MethodState, type MethodTelemetry } from "./methodCounts.ts";
import { type CallOutcome, clipText, type MethodError, readMethodError } from "./record.ts";

/** The base payload every consumer can show. `requests = successes + errors + cancelled + inFlight` holds at every instant. */
export type TelemetrySnapshot = {
	readonly uptimeMs: number;
	readonly totals: CallCounts;
	/** Sorted by name; they add up to the totals. */
	readonly methods: readonly MethodTelemetry[];
	readonly lastMethodError: (MethodError & { readonly method: string }) | null;
	/** How often each fault occurred, by `class.code`, sorted. */
	readonly faults: Readonly<Record<string, number>>;
	/** The most recent fault that led to a restart. */
	readonly restartFault: Fault | null;
};

export type TelemetryState = {
	readonly methods: readonly MethodState[];
	readonly lastMethodError: TelemetrySnapshot["lastMethodError"];
	readonly faults: Readonly<Record<string, number>>;
	readonly restartFault: Fault | null;
};

/** A call that has begun. It ends once; ending it again is not counted. */
export interface CountedCall {
	readonly method: string;
	readonly beganAt: number;
	readonly ended: boolean;
}

/** More distinct names than this point to an attack or a bug; the rest share one entry. */
export const MAX_METHODS = 256;
const OTHER_METHODS = "(other)";

/** The counters behind the telemetry payload. */
export class TelemetryLedger {
	readonly #methods = new Map<string, MethodCounts>();
	readonly #faults = new Map<string, number>();
	readonly #now: () => number;
	readonly #bornAt: number;
	#lastMethodError: TelemetrySnapshot["lastMethodError"] = null;
	#restartFault: Fault | null = null;

	/** `now` counts milliseconds and never goes back. */
	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
		this.#bornAt = now();
	}

	began(method: string): CountedCall {
		this.#of(method).requests++;
		return new OpenCall(method, this.#now());
	}

	/** Returns the latency in milliseconds; undefined when the call had already ended. */
	ended(call: CountedCall, outcome: CallOutcome): number | undefined {
		if (call.ended || !(call instanceof OpenCall)) return undefined;
		call.ended = true;
		const counts = this.#of(call.method);
		const latencyMs = this.#now() - call.beganAt;
		counts.latency.record(latencyMs);
		if (outcome.kind === "ok") counts.successes++;
		else if (outcome.kind === "cancelled") counts.cancelled++;
		else counts.errors++;
		const error = readMethodError(outcome, Date.now());
		if (error !== undefined) {
			counts.lastError = error;
			this.#lastMethodError = { ...error, method: this.#label(call.method) };
		}
		return latencyMs;
	}

	/** Counts a call that was actually sent again. */
	retried(method: string): void {
		this.#of(method).retries++;
	}

	faulted(fault: Fault): void {
		const name = `${fault.class}.${fault.code}`;
		this.#faults.set(name, (this.#faults.get(name) ?? 0) + 1);
	}

	restarted(fault: Fault): void {
		this.#restartFault = fault;
	}

	snapshot(): TelemetrySnapshot {
		const methods = [...this.#methods].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, counts]) => counts.telemetry());
		return {
			uptimeMs: Math.round(this.#now() - this.#bornAt),
			totals: sum(methods),
			methods,
			lastMethodError: this.#lastMethodError,
			faults: Object.fromEntries([...this.#faults].toSorted(([a], [b]) => (a < b ? -1 : 1))),
			restartFault: this.#restartFault,
		};
	}

	/** What a successor needs to continue counting; it begins calls in flight again. */
	state(): TelemetryState {
		return {
			methods: [...this.#methods.values()].map((counts) => counts.state()),
			lastMethodError: this.#lastMethodError,
			faults: Object.fromEntries(this.#faults),
			restartFault: this.#restartFault,
		};
	}

	static restore(state: TelemetryState, now?: () => number): TelemetryLedger {
		const ledger = new TelemetryLedger(now);
		for (const method of state.methods) ledger.#methods.set(method.method, MethodCounts.restore(method));
		for (const [name, count] of Object.entries(state.faults)) ledger.#faults.set(name, count);
		ledger.#lastMethodError = state.lastMethodError;
		ledger.#restartFault = state.restartFault;
		return ledger;
	}

	#of(method: string): MethodCounts {
		const known = this.#methods.get(method);
		if (known !== undefined) return known;
		const label = this.#label(method);
		const counts = this.#methods.get(label) ?? new MethodCounts(label);
		this.#methods.set(label, counts);
		return counts;
	}

	#label(method: string): string {
		const name = clipText(method);
		return this.#methods.has(name) || this.#methods.size < MAX_METHODS ? name : OTHER_METHODS;
	}
}

class OpenCall implements CountedCall {
	readonly method: string;
	readonly beganAt: number;
	ended = false;

	constructor(method: string, beganAt: number) {
		this.method = method;
		this.beganAt = beganAt;
	}
}

function sum(methods: readonly CallCounts[]): CallCounts {
	const totals = { requests: 0, successes: 0, errors: 0, cancelled: 0, inFlight: 0, retries: 0 };
	for (const counts of methods) {
		totals.requests += counts.requests;
		totals.successes += counts.successes;
		totals.errors += counts.errors;
		totals.cancelled += counts.cancelled;
		totals.inFlight += counts.inFlight;
		totals.retries += counts.retries;
	}
	return totals;
}
