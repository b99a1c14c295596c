import { EventEmitter } from "node:events";
import { type Gateway, LOCAL_VIEWER, ToolError } from "metatools";
import type { IndexJobState } from "./answers.ts";
import { ApiError } from "./apiError.ts";

/** The gateway's name for the code search server. */
export const CODE_SERVER = "pairofcleats";
const TIMEOUT_MS = 3_600_000;

/** Rebuilds the index, one rebuild at a time, and reports progress. */
export class IndexJob extends EventEmitter<{ change: [state: IndexJobState] }> {
	readonly #gateway: Gateway;
	readonly #stop = new AbortController();
	#state: IndexJobState | undefined;

	constructor(gateway: Gateway) {
		super();
		this.#gateway = gateway;
		this.setMaxListeners(0);
	}

	get state(): IndexJobState | undefined {
		return this.#state;
	}

	start(full: boolean): IndexJobState {
		if (this.#state?.state === "running") throw new ApiError("conflict", "the index is being rebuilt already");
		const toolId = `${CODE_SERVER}:build_index`;
		if (this.#gateway.catalog.get(toolId) === undefined)
			throw new ApiError("unavailable", "code search is not connected, so there is no index to rebuild");
		const state = this.#set({ state: "running" });
		this.#gateway.runner
			.run({
				toolId,
				args: full ? {} : { incremental: true },
				viewer: this.#gateway.confine(LOCAL_VIEWER),
				signal: this.#stop.signal,
				timeoutMs: TIMEOUT_MS,
				onProgress: (update) => this.#set({ state: "running", ...update }),
			})
			.then(
				() => this.#set({ state: "done" }),
				(thrown: unknown) =>
					this.#set({
						state: "failed",
						error: thrown instanceof ToolError ? thrown.object : { code: "internal", message: String(thrown) },
					}),
			);
		return state;
	}

	stop(): void {
		this.#stop.abort();
	}

	#set(state: IndexJobState): IndexJobState {
		this.#state = state;
		this.emit("change", state);
		return state;
	}
}
