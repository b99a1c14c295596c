import type { Fault } from "../fault/fault.ts";

/** The base health payload, available with or without a running worker. */
export type HealthSnapshot = {
	readonly state: LifecycleState;
	/** Of the worker that serves, or is being started to serve. Each new worker has a higher one than all before it. */
	readonly generation: number;
	/** Of this process; replacing a worker does not reset it. */
	readonly uptimeMs: number;
	/** Faults since the last success. */
	readonly consecutiveFailures: number;
	readonly restartCount: number;
	readonly rollout: RolloutStep;
	readonly lastFault: Fault | null;
};

export type HealthState = Pick<HealthSnapshot, "generation" | "consecutiveFailures" | "restartCount" | "lastFault">;

/** Collects the facts behind the health payload. Each method records one event. */
export class HealthBoard {
	readonly #now: () => number;
	readonly #bornAt: number;
	#state: LifecycleState = "cold";
	#generation = 0;
	#highestGeneration = 0;
	#consecutiveFailures = 0;
	#restartCount = 0;
	#rollout: RolloutStep = "stable";
	#lastFault: Fault | null = null;

	/** `now` counts milliseconds and never goes back. */
	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
		this.#bornAt = now();
	}

	/** A worker is being started to serve. */
	starting(generation: number): void {
		this.#advance(generation);
		if (this.#state === "cold") this.#state = "starting";
	}

	/** A worker serves: a new one or, after a rollback, an older one. */
	ready(generation: number): void {
		this.#generation = generation;
		this.#highestGeneration = Math.max(this.#highestGeneration, generation);
		if (!this.#ending) this.#state = "ready";
	}

	/** A call was answered successfully. */
	succeeded(): void {
		this.#consecutiveFailures = 0;
	}

	faulted(fault: Fault): void {
		this.#consecutiveFailures++;
		this.#lastFault = fault;
	}

	/** The worker is lost and will be replaced. */
	restarting(): void {
		this.#restartCount++;
		if (!this.#ending) this.#state = "recovering";
	}

	/** The restart budget is spent. */
	failing(): void {
		if (!this.#ending) this.#state = "failing";
	}

	rollout(step: RolloutStep): void {
		this.#rollout = step;
	}

	stopping(): void {
		if (this.#state !== "stopped") this.#state = "stopping";
	}

	stopped(): void {
		this.#state = "stopped";
	}

	snapshot(): HealthSnapshot {
		return {
			state: this.#state,
			generation: this.#generation,
			uptimeMs: Math.round(this.#now() - this.#bornAt),
			consecutiveFailures: this.#consecutiveFailures,
			restartCount: this.#restartCount,
			rollout: this.#rollout,
			lastFault: this.#lastFault,
		};
	}

	/** Continues from the state of the process that this one replaces. */
	restoreState({ generation, consecutiveFailures, restartCount, lastFault }: HealthState): void {
		this.#generation = generation;
		this.#highestGeneration = generation;
		this.#consecutiveFailures = consecutiveFailures;
		this.#restartCount = restartCount;
		this.#lastFault = lastFault;
	}

	get #ending(): boolean {
		return this.#state === "stopping" || this.#state === "stopped";
	}

	#advance(generation: number): void {
		if (!Number.isSafeInteger(generation) || generation <= this.#highestGeneration) {
			throw new RangeError(`generation: expected an integer above ${this.#highestGeneration}, got ${generation}`);
		}
		this.#generation = generation;
		this.#highestGeneration = generation;
	}
}

/**
 * `cold`: no worker has been asked for. `starting`: the first is on its way. `ready`: one serves. `recovering`: one was
 * lost and the next is on its way. `failing`: the restart budget is spent and calls fail at once. `stopping` and
 * `stopped` end the session.
 */
export const LIFECYCLE_STATES = ["cold", "starting", "ready", "recovering", "failing", "stopping", "stopped"] as const;
export type LifecycleState = (typeof LIFECYCLE_STATES)[number];

/**
 * The steps of a rollout in order; `stable` means that none is running. `restoring` interrupts `waiting` whenever the
 * client has changed the session since the new release was warmed up; if it began it only then, `handshake` does.
 */
export const ROLLOUT_STEPS = [
	"stable",
	"starting",
	"handshake",
	"comparing",
	"restoring",
	"waiting",
	"switching",
	"probation",
	"rolling_back",
	"aborting",
] as const;
export type RolloutStep = (typeof ROLLOUT_STEPS)[number];

/** Adds a consumer's own fields to the base payload; they cannot replace a base field. */
export function extendHealth<Extra extends Record<string, unknown>>(
	base: HealthSnapshot,
	extra: Extra & { readonly [Field in keyof HealthSnapshot]?: never },
): HealthSnapshot & Extra {
	for (const field of Object.keys(extra)) {
		if (Object.hasOwn(base, field))
			throw new TypeError(`health field ${JSON.stringify(field)} belongs to the base payload`);
	}
	return { ...extra, ...base };
}
