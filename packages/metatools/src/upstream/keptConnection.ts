import { setTimeout as delay } from "node:timers/promises";
import type { Fault, HealthBoard, Host } from "libmcp";
import { patientSignal } from "../run/patience.ts";
import { abandonable } from "./abandon.ts";
import { unavailable } from "./callFailure.ts";
import { configuredSecrets } from "./configuredSecrets.ts";
import { connectFailure } from "./connectFailure.ts";
import { connectFault } from "./connectFault.ts";
import type { Connection, ConnectOptions } from "./connection.ts";
import { faultOf } from "./faultTable.ts";
import { logHostFaults } from "./hostFaultLog.ts";
import { LastWords } from "./lastWords.ts";
import { untilStored } from "./login/untilStored.ts";
import type { ReachableSpec, UpstreamSpec } from "./spec.ts";
import { remedied, type UpstreamState } from "./state.ts";
import { StrayOutput } from "./strayOutput.ts";
import type { OpenedTransport, OpenTransport } from "./transport.ts";
import { failureOf, type UpstreamFailure } from "./upstreamError.ts";
import { withoutSecrets } from "./withoutSecrets.ts";

export type KeepOptions = {
	readonly open: OpenTransport;
	readonly connectTimeoutMs: number;
	readonly health: HealthBoard;
	readonly log: (line: string) => void;
	/** The command that a person types to log in to the server. */
	readonly login: string;
	/** What a login has stored for the server, if anything: a new one is used at once, and a deleted one no more. */
	readonly storedLogin?: StoredLogin;
	readonly onState: (state: UpstreamState) => void;
	readonly onHost: (host: Host) => void;
	/** Reads the tools of a new connection before it is used; returns their number. */
	readonly welcome: (connection: Connection) => Promise<number>;
	/** Called when the server's tools may have changed. */
	readonly onChanged: () => void;
};

export type StoredLogin = (spec: ReachableSpec) => { readonly token: string | undefined } | undefined;

/** How an attempt to be connected ended. */
type Ended = { readonly kind: "failed" | "needs_auth"; readonly reason: string };

type Connecting = Pick<ConnectOptions, "open" | "onStderr" | "onStray" | "onToolsChanged">;

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 30_000;
const STABLE_MS = 5_000;
const REFRESH_MS = 600_000;
const LOGGED_OUT = { kind: "unauthorized", message: "its login was deleted" } as const;

/** The connection to one server, opened in the background and reopened when lost. */
export class KeptConnection {
	readonly #spec: UpstreamSpec;
	readonly #options: KeepOptions;
	readonly #stop = new AbortController();
	readonly #waiters = new Set<() => void>();
	#state: UpstreamState = { kind: "connecting", since: now() };
	#connection: Connection | undefined;
	#loop: Promise<void> | undefined;
	#connectedAt: number | undefined;
	/** Whether a call has used the connection. */
	#isUsed: boolean = false;
	#generation = 0;
	/** Ends the wait before the next attempt. */
	#wake = new AbortController();
	/** stderr of the last process that ended. */
	#lastWords = "";

	constructor(spec: UpstreamSpec, options: KeepOptions) {
		this.#spec = spec;
		this.#options = options;
	}

	/** A server whose host has stopped restarting it counts as failed, although the connection to the host is fine. */
	get state(): UpstreamState {
		const host = this.#connection?.host()?.state();
		if (this.#state.kind !== "ready" || host?.breaker !== "open") return this.#state;
		return {
			kind: "failed",
			since: this.#state.since,
			reason: `it ends again and again, and is tried less often now${this.#lastWords}`,
		};
	}

	get current(): Connection | undefined {
		return this.#connection;
	}

	/** Aborted when the server is not wanted any more. */
	get stopped(): AbortSignal {
		return this.#stop.signal;
	}

	start(): void {
		this.#loop ??= this.#keep();
	}

	async stop(): Promise<void> {
		this.#stop.abort();
		this.#setState({ kind: "stopped", since: now() });
		await this.#connection?.close().catch(() => {});
		await this.#loop;
	}

	/** Drops a connection, which is then reopened. */
	drop(connection: Connection): void {
		if (this.#connection === connection) this.#connection = undefined;
		void connection.close().catch(() => {});
	}

	/** Makes the next attempt now instead of after its wait. */
	hurry(): void {
		this.#wake.abort();
	}

	/** Resolves when connected; false if it was stopped before that. */
	async connected(): Promise<boolean> {
		while (this.#state.kind !== "ready" && this.#state.kind !== "stopped") await this.#change();
		return this.#state.kind === "ready";
	}

	/** Waits until it is connected or could not be. */
	async settled(signal: AbortSignal): Promise<void> {
		while (this.#state.kind === "connecting") await this.#changeBefore(signal);
	}

	/** Waits for a server that is starting; with `patient`, also for a reconnection. */
	async ready(signal: AbortSignal, patient: boolean): Promise<Connection> {
		for (;;) {
			const connection = this.#connection;
			if (connection !== undefined) {
				this.#isUsed = true;
				return connection;
			}
			const { kind } = this.#state;
			if (kind !== "connecting" && !(patient && (kind === "failed" || kind === "ready")))
				throw unavailable(this.#spec.name, this.#state, this.#options.login);
			await this.#changeBefore(signal);
		}
	}

	async #keep(): Promise<void> {
		const { health, log, login, storedLogin } = this.#options;
		const spec = this.#spec;
		if (spec.kind === "unusable") {
			health.failing();
			this.#setState({ kind: "failed", since: now(), reason: spec.reason });
			log(`${spec.name}: ${spec.reason}`);
			return;
		}
		let told: string | undefined;
		for (let attempt = 0; !this.#stop.signal.aborted; attempt++) {
			const ended = await this.#once(spec);
			if (this.#stop.signal.aborted) return;
			// A server that takes long to fail was never stable. One that fails in a call is back as soon as it answers.
			if (this.#connectedAt !== undefined && (this.#isUsed || Date.now() - this.#connectedAt > STABLE_MS)) attempt = 0;
			const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt) * (0.75 + Math.random() / 2);
			health.restarting();
			const retryAt = ended.kind === "failed" && { retryAt: new Date(Date.now() + wait).toISOString() };
			this.#setState({ ...ended, since: now(), ...retryAt });
			// Log a repeated failure only once; the state shows it anyway.
			if (ended.reason !== told || this.#connectedAt !== undefined)
				log(`${this.#spec.name}: ${remedied(this.#state, login)}`);
			told = ended.reason;
			this.#wake = new AbortController();
			const hurried = this.#wake.signal;
			const signal = AbortSignal.any([this.#stop.signal, hurried]);
			const before = storedLogin?.(spec)?.token;
			// A login ends the wait, because the person who was asked for it tries again at once.
			if (ended.kind === "needs_auth")
				await untilStored(() => storedLogin?.(spec)?.token !== before, { mostMs: LAST_RETRY_MS, signal });
			else await delay(wait, undefined, { signal, ref: false }).catch(() => {});
			// Whoever hurries has removed the cause, so the waits are short again.
			if (hurried.aborted) attempt = -1;
		}
	}

	// Resolves when the connection is over or could not be made.
	async #once(spec: ReachableSpec): Promise<Ended> {
		const { open, connectTimeoutMs, onChanged, welcome } = this.#options;
		this.#begin();
		const words = new LastWords();
		const stray = new StrayOutput();
		let opened: OpenedTransport | undefined;
		let connection: Connection | undefined;
		let refreshing: NodeJS.Timeout | undefined;
		let changes = 0;
		try {
			const patience = AbortSignal.any([this.#stop.signal, patientSignal(connectTimeoutMs)]);
			const connecting = this.#connect(spec, patience, {
				async open(...given) {
					opened = await open(...given);
					return opened;
				},
				// Mask secrets before lines are shortened: half a secret would not be recognised.
				onStderr: (line) => words.add(this.#withoutSecrets(line)),
				onStray: (line) => {
					if (stray.add(this.#withoutSecrets(line))) this.#tellStray(stray);
				},
				onToolsChanged() {
					changes++;
					onChanged();
				},
			});
			connection = await abandonable(connecting, patience, (late) => void late.close().catch(() => {}));
			const tools = await abandonable(welcome(connection), patience, () => {});
			this.#use(connection, tools, words);
			// Changes made while the list was being read may be missing from it.
			if (changes > 0) onChanged();
			// Not every server over HTTP has a way to say that its list changed.
			if (spec.kind !== "stdio") refreshing = setInterval(onChanged, REFRESH_MS).unref();
			return await this.#endOf(connection, spec);
		} catch (thrown) {
			const failure = failureOf(thrown);
			const instead = connection === undefined ? stray.told : undefined;
			const lastFault = opened?.host?.()?.health().lastFault;
			return this.#failed(failure, connectFailure(failure, spec, { words, stray: instead, lastFault }), lastFault);
		} finally {
			clearInterval(refreshing);
			this.#connection = undefined;
			await connection?.close().catch(() => {});
		}
	}

	/** Waits for the end of a connection. Whoever deletes the login wants no more calls to be made with it. */
	async #endOf(connection: Connection, spec: ReachableSpec): Promise<Ended> {
		const over = new AbortController();
		void connection.closed.then(() => over.abort());
		const isLoggedOut = () => this.#options.storedLogin?.(spec) === undefined;
		if (!isLoggedOut() && (await untilStored(isLoggedOut, over))) return this.#failed(LOGGED_OUT, LOGGED_OUT.message);
		return this.#lost(await connection.closed);
	}

	/** Starts a new generation. What was known before is still shown. */
	#begin(): void {
		const before = this.#state;
		if (before.kind !== "needs_auth")
			this.#setState({ kind: "connecting", since: now(), ...("reason" in before && { reason: before.reason }) });
		this.#generation++;
		this.#connectedAt = undefined;
		this.#isUsed = false;
		this.#options.health.starting(this.#generation);
	}

	#use(connection: Connection, tools: number, words: LastWords): void {
		const { health, onHost } = this.#options;
		this.#connection = connection;
		this.#connectedAt = Date.now();
		health.ready(this.#generation);
		health.succeeded();
		const host = connection.host();
		if (host !== undefined) {
			logHostFaults(host, words, {
				log: (text) => this.#options.log(`${this.#spec.name}: ${text}`),
				mask: (text) => this.#withoutSecrets(text),
				onEnd: (said) => {
					this.#lastWords = said;
				},
			});
			onHost(host);
		}
		this.#setState({ kind: "ready", since: now(), tools });
	}

	#lost(why: string): Ended {
		const reason = this.#withoutSecrets(why);
		this.#options.health.faulted(faultOf("connection_lost", { detail: reason, generation: this.#generation }));
		return { kind: "failed", reason };
	}

	#failed(failure: UpstreamFailure, why: string, hostFault?: Fault | null): Ended {
		const reason = this.#withoutSecrets(why);
		this.#options.health.faulted(connectFault(failure, reason, this.#generation, hostFault));
		return failure.kind === "unauthorized"
			? { kind: "needs_auth", reason: this.#withoutSecrets(failure.message) }
			: { kind: "failed", reason };
	}

	/** Shows stray output in the state while we wait for an answer, which replaces it. */
	#tellStray({ told }: StrayOutput): void {
		if (told === undefined || this.#state.kind !== "connecting" || this.#state.reason !== undefined) return;
		this.#setState({ ...this.#state, reason: told });
	}

	#withoutSecrets(text: string): string {
		return withoutSecrets(text, configuredSecrets(this.#spec));
	}

	async #connect(spec: ReachableSpec, signal: AbortSignal, given: Connecting): Promise<Connection> {
		const { connect } = await import("./connection.ts");
		return connect(spec, {
			signal,
			timeoutMs: this.#options.connectTimeoutMs,
			...given,
		});
	}

	async #changeBefore(signal: AbortSignal): Promise<void> {
		await abandonable(this.#change(), signal, () => {}).catch(() => {});
		signal.throwIfAborted();
	}

	/** Resolves at the next change of state. */
	#change(): Promise<void> {
		return new Promise((resolve) => this.#waiters.add(resolve));
	}

	#setState(state: UpstreamState): void {
		if (this.#stop.signal.aborted && state.kind !== "stopped") return;
		this.#state = state;
		this.#options.onState(state);
		const waiters = [...this.#waiters];
		this.#waiters.clear();
		for (const wake of waiters) wake();
	}
}

function now(): string {
	return new Date().toISOString();
}
