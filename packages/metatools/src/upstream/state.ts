import { waitUnlessAborted } from "./waiting.ts";

/** The state of a namespace. Its tools stay listed while its server is away. */
export type UpstreamState =
	/** `reason` says why the last attempt failed, or, during the first one, what the server printed instead of answering. */
	| { readonly kind: "connecting"; readonly since: string; readonly reason?: string }
	| { readonly kind: "ready"; readonly since: string; readonly tools: number }
	| { readonly kind: "failed"; readonly since: string; readonly reason: string; readonly retryAt?: string }
	| { readonly kind: "needs_auth"; readonly since: string; readonly reason: string }
	| { readonly kind: "stopped"; readonly since: string };

/** Why a server is not ready; if it needs a login, with the command for it. */
export function describeRemedy(state: UpstreamState, login: string): string | undefined {
	if (!("reason" in state)) return undefined;
	return state.kind === "needs_auth" ? `${state.reason}; a person can log in with: ${login}` : state.reason;
}

/** The state of one server, and those who wait for it to change. `stopped` is its last. */
export class WatchedState {
	readonly #onChange: (state: UpstreamState) => void;
	readonly #waiters = new Set<() => void>();
	#current: UpstreamState = { kind: "connecting", since: readTime() };

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
		await waitUnlessAborted(this.change(), signal, () => {}).catch(() => {});
		signal.throwIfAborted();
	}
}

export function readTime(): string {
	return new Date().toISOString();
}
