import { EventEmitter } from "node:events";
import { failureText } from "libmcp/command";
import { type Gateway, LOCAL_VIEWER, ToolError } from "metatools";
import type { IndexJobState } from "./answers.ts";
import { ApiError, unwrapCodeError } from "./apiError.ts";

/** The gateway's name for the code search server. */
export const CODE_SERVER = "pairofcleats";
const TIMEOUT_MS = 3_600_000;

type OnProgress = (update: Pick<IndexJobState, "progress" | "total" | "message">) => void;

/** Builds the index, one build at a time, and reports progress. */
export class IndexJob extends EventEmitter<{ change: [state: IndexJobState] }> {
	readonly #gateway: Gateway;
	readonly #stop = new AbortController();
	#state: IndexJobState | undefined;
	#building: Promise<unknown> = Promise.resolve();

	constructor(gateway: Gateway) {
		super();
		this.#gateway = gateway;
		this.setMaxListeners(0);
	}

	get state(): IndexJobState | undefined {
		return this.#state;
	}

	/** How far a running build is, for people. */
	get underWay(): string | undefined {
		if (this.#state?.state !== "running") return undefined;
		const { progress = 0, total = 0 } = this.#state;
		return `indexing${total > 0 ? `, ${Math.floor((100 * progress) / total)} %` : ""}`;
	}

	/** Why there may be no index, for people. */
	get problem(): string | undefined {
		if (this.#state?.state !== "failed") return undefined;
		return `indexing failed: ${this.#state.error?.message ?? "the reason is unknown"}`;
	}

	/** Aborted by `stop`. */
	get stopped(): AbortSignal {
		return this.#stop.signal;
	}

	start(full: boolean): IndexJobState {
		const toolId = `${CODE_SERVER}:build_index`;
		if (this.#gateway.catalog.get(toolId) === undefined)
			throw new ApiError("unavailable", "code search is not connected, so there is no index to rebuild");
		this.run((onProgress, signal) =>
			this.#gateway.runner.run({
				toolId,
				args: full ? {} : { incremental: true },
				viewer: this.#gateway.confine(LOCAL_VIEWER),
				signal,
				timeoutMs: TIMEOUT_MS,
				onProgress,
			}),
		).catch(() => {});
		return { state: "running" };
	}

	/** Reports a build that the caller does; `stop` aborts its signal. Throws if another one runs. */
	run<Report>(build: (onProgress: OnProgress, signal: AbortSignal) => Promise<Report>): Promise<Report> {
		if (this.#state?.state === "running") throw new ApiError("conflict", "the index is being rebuilt already");
		this.#set({ state: "running" });
		const building = build((update) => this.#set({ state: "running", ...update }), this.#stop.signal);
		this.#building = building.then(
			() => this.#set({ state: "done" }),
			(thrown: unknown) => this.#set({ state: "failed", error: errorOf(unwrapCodeError(thrown)) }),
		);
		return building;
	}

	async stop(): Promise<void> {
		this.#stop.abort();
		await this.#building;
	}

	#set(state: IndexJobState): void {
		this.#state = state;
		this.emit("change", state);
	}
}

function errorOf(thrown: unknown): NonNullable<IndexJobState["error"]> {
	return thrown instanceof ToolError ? thrown.object : { code: "internal", message: failureText(thrown) };
}
