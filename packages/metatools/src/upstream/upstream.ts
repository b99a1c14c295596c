import { setTimeout as delay } from "node:timers/promises";
import { contractOf, effectOfTool, HealthBoard, type Host, TelemetryLedger } from "libmcp";
import type { Catalog } from "../catalog/catalog.ts";
import { patternMatcher } from "../catalog/pattern.ts";
import { ToolError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { BackendCall, BackendResult } from "../run/backend.ts";
import { resultOf } from "../run/mcpResult.ts";
import { abandonable } from "./abandon.ts";
import { callFailure, unavailable } from "./callFailure.ts";
import { Coalesced } from "./coalesced.ts";
import { connectFailure } from "./connectFailure.ts";
import type { Connection } from "./connection.ts";
import type { UpstreamSpec } from "./spec.ts";
import type { UpstreamState } from "./state.ts";
import type { OpenTransport } from "./transport.ts";
import { failureOf, reasonOf } from "./upstreamError.ts";

export type UpstreamOptions = {
	readonly catalog: Catalog;
	readonly open: OpenTransport;
	readonly connectTimeoutMs: number;
	readonly log: (line: string) => void;
	readonly watch?: UpstreamWatch;
};

/** Whoever wants to know what becomes of servers. Neither may throw. */
export type UpstreamWatch = {
	state?(server: string, state: UpstreamState): void;
	/** A server of ours to run got connected; its host tells the rest. */
	host?(server: string, host: Host): void;
};

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 30_000;
const STABLE_MS = 5_000;
const REFRESH_PAUSE_MS = 250;
const REFRESH_MS = 600_000;
const RETIRE_POLL_MS = 25;
const MAX_REPLAYS = 2;
const MAX_PRINTED = 40;

/** One server: connected without anyone waiting, reconnected when it goes, its tools kept in the catalogue. */
export class Upstream {
	readonly spec: UpstreamSpec;
	readonly #options: UpstreamOptions;
	readonly #stop = new AbortController();
	#state: UpstreamState = { kind: "connecting", since: now() };
	#connection: Connection | undefined;
	readonly #waiters = new Set<() => void>();
	readonly #refreshes: Coalesced;
	/** Set once another server answers for this namespace. */
	#retired: boolean = false;
	#problems: readonly string[] = [];
	#loop: Promise<void> | undefined;
	readonly #health = new HealthBoard();
	readonly #ledger = new TelemetryLedger();
	#generation = 0;

	constructor(spec: UpstreamSpec, options: UpstreamOptions) {
		this.spec = spec;
		this.#options = options;
		this.#refreshes = new Coalesced(() => this.#readAgain(), REFRESH_PAUSE_MS, this.#stop.signal);
	}

	/** A server that its host gave up restarting is failed, however well we are connected to the host. */
	get state(): UpstreamState {
		const host = this.#connection?.host()?.state();
		if (this.#state.kind !== "ready" || host?.breaker !== "open") return this.#state;
		return {
			kind: "failed",
			since: this.#state.since,
			reason: "it ends again and again; its host tries less often now",
		};
	}

	/** What runs the server, where it is ours to run and is connected. */
	get host(): Host | undefined {
		return this.#connection?.host();
	}

	/** Drops the connection, which is then made anew. */
	reconnect(): void {
		if (this.#connection !== undefined) this.#drop(this.#connection);
	}

	/** The common payloads of this server: as its host sees it, or as its connection does. */
	health(): JsonObject {
		return { ...this.#health.snapshot(), ...this.#connection?.host()?.health(), connection: this.state };
	}

	telemetry(): JsonObject {
		return { ...this.#ledger.snapshot(), ...this.#connection?.host()?.telemetry() };
	}

	/** What its tool list had that could not be taken. */
	get problems(): readonly string[] {
		return this.#problems;
	}

	start(): void {
		this.#loop ??= this.#keepConnected();
	}

	async stop(): Promise<void> {
		this.#stop.abort();
		this.#setState({ kind: "stopped", since: now() });
		await this.#connection?.close().catch(() => {});
		await this.#loop;
		if (!this.#retired) this.#options.catalog.remove(this.spec.namespace);
	}

	/** Leaves its namespace to a successor, lets its own calls finish for a while, then stops. */
	async retire(graceMs: number): Promise<void> {
		this.#retired = true;
		const deadline = Date.now() + graceMs;
		while (this.#ledger.snapshot().totals.inFlight > 0 && Date.now() < deadline)
			await delay(RETIRE_POLL_MS, undefined, { ref: false });
		await this.stop();
	}

	/** Whether it got connected; false when it was stopped before that. */
	async connected(): Promise<boolean> {
		while (this.#state.kind !== "ready" && this.#state.kind !== "stopped") await this.#change();
		return this.#state.kind === "ready";
	}

	/** Calls a tool; a lost connection is followed by another call only where the tool's contract says that is harmless. */
	async call(call: BackendCall): Promise<BackendResult> {
		const contract = contractOf(effectOfTool(call.tool.definition).recovery, () => call.args);
		for (let attempt = 0; ; attempt++) {
			const connection = await this.#ready(call.signal, attempt > 0);
			const counted = this.#ledger.began(`tools/call ${call.tool.name}`);
			try {
				const answer = await connection.call(call.tool.definition, call.args, {
					signal: call.signal,
					timeoutMs: Math.max(1, call.deadline - Date.now()),
					...(call.onProgress !== undefined && { onProgress: call.onProgress }),
					...(call.ask !== undefined && { ask: call.ask }),
				});
				const result = resultOf(answer);
				this.#ledger.ended(counted, { kind: "ok" });
				this.#health.succeeded();
				return result;
			} catch (thrown) {
				const stopped = call.signal.aborted;
				const failure = failureOf(thrown);
				this.#ledger.ended(
					counted,
					stopped
						? { kind: "cancelled" }
						: { kind: "error", code: failure.kind === "refused" ? failure.code : undefined },
				);
				if (thrown instanceof ToolError || stopped) throw thrown;
				if (failure.kind === "lost") this.#drop(connection);
				// Whether all it offers needs a login now, or this call alone, shows when its list is asked for.
				if (failure.kind === "unauthorized") this.refresh();
				const harmless = failure.kind === "lost" && (failure.undone || contract === "convergent");
				if (!harmless || attempt >= MAX_REPLAYS) throw callFailure(this.spec.name, failure, contract === "convergent");
				this.#ledger.retried(`tools/call ${call.tool.name}`);
			}
		}
	}

	/** Reads the list again. */
	refresh(): void {
		if (this.#connection !== undefined) this.#refreshes.request();
	}

	async #readAgain(): Promise<void> {
		const connection = this.#connection;
		try {
			if (connection !== undefined) await this.#takeTools(connection);
		} catch (thrown) {
			const failure = failureOf(thrown);
			this.#options.log(`${this.spec.name}: listing tools failed: ${reasonOf(failure)}`);
			if (failure.kind === "unauthorized" && connection !== undefined) this.#drop(connection);
		}
	}

	async #keepConnected(): Promise<void> {
		for (let attempt = 0; !this.#stop.signal.aborted; attempt++) {
			const started = Date.now();
			const reason = await this.#connectOnce();
			if (this.#stop.signal.aborted) return;
			if (Date.now() - started > STABLE_MS) attempt = 0;
			const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt) * (0.75 + Math.random() / 2);
			this.#health.restarting();
			if (this.#state.kind !== "needs_auth")
				this.#setState({ kind: "failed", since: now(), reason, retryAt: new Date(Date.now() + wait).toISOString() });
			this.#options.log(`${this.spec.name}: ${reason}`);
			await delay(this.#state.kind === "needs_auth" ? LAST_RETRY_MS : wait, undefined, {
				signal: this.#stop.signal,
				ref: false,
			}).catch(() => {});
		}
	}

	// Resolves with the reason when the connection is over or could not be made.
	async #connectOnce(): Promise<string> {
		if (this.#state.kind !== "needs_auth") this.#setState({ kind: "connecting", since: now() });
		this.#generation++;
		this.#health.starting(this.#generation);
		const printed: string[] = [];
		let connection: Connection | undefined;
		let refreshing: NodeJS.Timeout | undefined;
		let changes = 0;
		try {
			const { connect } = await import("./connection.ts");
			const patience = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(this.#options.connectTimeoutMs)]);
			const connecting = connect(this.spec, {
				signal: patience,
				open: this.#options.open,
				timeoutMs: this.#options.connectTimeoutMs,
				onToolsChanged: () => {
					changes++;
					this.refresh();
				},
				onStderr: (line) => {
					printed.push(line);
					if (printed.length > MAX_PRINTED) printed.shift();
				},
			});
			connection = await abandonable(connecting, patience, (late) => void late.close().catch(() => {}));
			const tools = await abandonable(this.#takeTools(connection), patience, () => {});
			this.#connection = connection;
			// Whatever changed while the list was being read may be missing from it.
			if (changes > 0) this.refresh();
			this.#health.ready(this.#generation);
			const host = connection.host();
			if (host !== undefined) this.#options.watch?.host?.(this.spec.name, host);
			this.#setState({ kind: "ready", since: now(), tools });
			// Not every server over HTTP has a way to say that its list changed.
			if (this.spec.kind !== "stdio") refreshing = setInterval(() => this.refresh(), REFRESH_MS).unref();
			return await connection.closed;
		} catch (thrown) {
			const failure = failureOf(thrown);
			if (failure.kind === "unauthorized")
				this.#setState({ kind: "needs_auth", since: now(), reason: failure.message });
			return connectFailure(failure, this.spec, printed);
		} finally {
			clearInterval(refreshing);
			this.#connection = undefined;
			await connection?.close().catch(() => {});
		}
	}

	#drop(connection: Connection): void {
		if (this.#connection === connection) this.#connection = undefined;
		void connection.close().catch(() => {});
	}

	async #takeTools(connection: Connection): Promise<number> {
		const { definitions, problems } = await connection.list();
		if (this.#stop.signal.aborted || this.#retired) return 0;
		const { name, namespace } = this.spec;
		const wanted = definitions.filter((definition) => isWanted(definition.name, this.spec));
		this.#problems = problems;
		this.#options.catalog.set({
			namespace,
			description: connection.description,
			definitions: wanted,
			backendOf: () => ({ kind: "mcp", mcp: { serverName: name } }),
		});
		return wanted.length;
	}

	// A call that comes while the server starts waits for it, as long as its own deadline allows; one that is to be
	// repeated waits for the next connection too.
	async #ready(signal: AbortSignal, patient: boolean): Promise<Connection> {
		for (;;) {
			const connection = this.#connection;
			if (connection !== undefined) return connection;
			const { kind } = this.#state;
			if (kind !== "connecting" && !(patient && (kind === "failed" || kind === "ready")))
				throw unavailable(this.spec.name, this.#state);
			await abandonable(this.#change(), signal, () => {}).catch(() => {});
			signal.throwIfAborted();
		}
	}

	/** Resolves at the next change of state. */
	#change(): Promise<void> {
		return new Promise((resolve) => this.#waiters.add(resolve));
	}

	#setState(state: UpstreamState): void {
		if (this.#stop.signal.aborted && state.kind !== "stopped") return;
		this.#state = state;
		this.#options.watch?.state?.(this.spec.name, state);
		const waiters = [...this.#waiters];
		this.#waiters.clear();
		for (const wake of waiters) wake();
	}
}

function isWanted(name: string, { include, exclude }: UpstreamSpec): boolean {
	const matches = (pattern: string) => patternMatcher(pattern)(name);
	return (include === undefined || include.some(matches)) && exclude?.some(matches) !== true;
}

function now(): string {
	return new Date().toISOString();
}
