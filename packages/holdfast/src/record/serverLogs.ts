import { join } from "node:path";
import { createFault, DeferredLog, type Fault, fileName, type Host, JsonlLog } from "libmcp";
import type { UpstreamState, UpstreamWatch } from "metatools";

/** Writes a telemetry file for each server behind a gateway, as `holdfast host` does, and how connecting went. */
export class ServerLogs implements Required<UpstreamWatch> {
	readonly #folder: string;
	readonly #onFailure: (why: string) => void;
	readonly #logs = new Map<string, ServerLog>();
	#hasFailed: boolean = false;

	constructor(folder: string, onFailure: (why: string) => void) {
		this.#folder = folder;
		this.#onFailure = onFailure;
	}

	host(server: string, host: Host): void {
		this.#logOf(server).follow(host);
	}

	state(server: string, state: UpstreamState, fault: Fault | null): void {
		this.#logOf(server).changed(state, fault);
	}

	#logOf(server: string): ServerLog {
		const known = this.#logs.get(server) ?? new ServerLog(this.#folder, server, (error) => this.#failed(error));
		this.#logs.set(server, known);
		return known;
	}

	/** Reports only the first failure, because all servers' files are in one folder. */
	#failed(error: Error): void {
		if (!this.#hasFailed) this.#onFailure(`no telemetry file is written: ${error.message}`);
		this.#hasFailed = true;
	}
}

class ServerLog {
	readonly #log: DeferredLog;
	#host: Host | undefined;
	#startedAt = 0;
	/** The last failure recorded, so that retries with the same failure add nothing. */
	#reason: string | undefined;

	constructor(folder: string, name: string, onFailure: (error: Error) => void) {
		this.#log = new DeferredLog(new JsonlLog({ path: join(folder, `${fileName(name)}.jsonl`), name, onFailure }));
	}

	follow(host: Host): void {
		if (host === this.#host) return;
		this.#host = host;
		host.events.addSink(this.#log);
	}

	changed(state: UpstreamState, lastFault: Fault | null): void {
		const at = Date.now();
		const generation = this.#host?.health().generation ?? 0;
		if (state.kind === "connecting") this.#startedAt = at;
		else if (state.kind === "stopped") this.#log.close();
		else if (state.kind === "ready") {
			this.#reason = undefined;
			const latencyMs = at - this.#startedAt;
			const call = { method: "initialize", id: "0", latencyMs, attempts: 1, outcome: "ok" } as const;
			this.#log.record({ event: "call", at, generation, ...call });
		} else if ("reason" in state && state.reason !== this.#reason) {
			this.#reason = state.reason;
			const { class: kind, code } = lastFault ?? { class: "transport", code: "not_connected" };
			const fault = createFault(kind, code, { detail: state.reason });
			this.#log.record({ event: "fault", at, generation, fault });
		}
	}
}
