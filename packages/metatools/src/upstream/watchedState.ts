import { abandonable } from "./abandon.ts";
import type { UpstreamState } from "./state.ts";

/** The state of one server, and those who wait for it to change. `stopped` is its last. */
export class WatchedState {
	readonly #onChange: (state: UpstreamState) => void;
	readonly #waiters = new Set<() => void>();
	#current: UpstreamState = { kind: "connecting", since: now() };

	constructor(onChange: (state: UpstreamState) => void) {
		this.#onChange = onChange;
	}

	get current(): UpstreamState {
		return this.#current;
	}

	set(state: UpstreamState): void {
		if (this.#current.kind === "stopped" && state.kind !== "stopped") return;
		this.#current = state;
		this.#onChange(state);
		const waiters = [...this.#waiters];
		this.#waiters.clear();
		for (const wake of waiters) wake();
	}

	/** Tells from when on the state is as it is, which is no change to those who wait for one. */
	renew(since: string): void {
		this.#current = { ...this.#current, since };
	}

	/** Resolves at the next change. */
	change(): Promise<void> {
		return new Promise((resolve) => this.#waiters.add(resolve));
	}

	/** Resolves at the next change; throws if the signal comes first. */
	async changeBefore(signal: AbortSignal): Promise<void> {
		await abandonable(this.change(), signal, () => {}).catch(() => {});
		signal.throwIfAborted();
	}
}

export function now(): string {
	return new Date().toISOString();
}
