import { setTimeout as delay } from "node:timers/promises";
import type { Host } from "libmcp";
import { createUnavailableError } from "../failure/callFailure.ts";
import { type LastWords, logHostFaults, removeChance } from "../failure/serverOutput.ts";
import { waitUntilStored } from "../login/tokenStore.ts";
import type { ReachableSpec, UpstreamSpec } from "../spec.ts";
import { describeRemedy, readTime, type UpstreamState, WatchedState } from "../state.ts";
import type { Connection } from "./connection.ts";
import { ConnectionLife, type Ended, type LifeOptions } from "./connectionLife.ts";

export type KeepOptions = LifeOptions & {
	readonly log: (line: string) => void;
	/** The command that a person types to log in to the server. */
	readonly login: string;
	readonly onState: (state: UpstreamState) => void;
	readonly onHost: (host: Host) => void;
	/** Called when a connection has come to be used. */
	readonly onConnected?: (connection: Connection) => void;
};

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 30_000;
const STABLE_MS = 5_000;

/** The connection to one server, opened in the background and reopened when lost. */
export class KeptConnection {
	readonly #spec: UpstreamSpec;
	readonly #options: KeepOptions;
	readonly #stop = new AbortController();
	readonly #state: WatchedState;
	#connection: Connection | undefined;
	#loop: Promise<void> | undefined;
	#connectedAt: number | undefined;
	/** Whether a call has used the connection. */
	#isUsed: boolean = false;
	#generation = 0;
	/** The reasons for which its questions were put to nobody. */
	readonly #unasked = new Set<string>();
	/** Ends the wait before the next attempt. */
	#wake = new AbortController();
	/** stderr of the last process that ended. */
	#lastWords = "";

	constructor(spec: UpstreamSpec, options: KeepOptions) {
		this.#spec = spec;
		this.#options = options;
		this.#state = new WatchedState(options.onState);
	}

	/** A server whose host has stopped restarting it counts as failed, although the connection to the host is fine. */
	get state(): UpstreamState {
		const { current } = this.#state;
		const host = this.#connection?.host()?.state();
		if (current.kind !== "ready" || host?.breaker !== "open") return current;
		return {
			kind: "failed",
			since: current.since,
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
		this.#state.set({ kind: "stopped", since: readTime() });
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
		while (this.#state.current.kind !== "ready" && this.#state.current.kind !== "stopped") await this.#state.change();
		return this.#state.current.kind === "ready";
	}

	/** Waits until it is connected or could not be. */
	async settled(signal: AbortSignal): Promise<void> {
		while (this.#state.current.kind === "connecting") await this.#state.changeBefore(signal);
	}

	/** Waits for a server that is starting; with `again`, after a loss, also for one attempt to reconnect. */
	async ready(signal: AbortSignal, again: boolean): Promise<Connection> {
		const lost = this.#generation;
		for (;;) {
			const connection = this.#connection;
			if (connection !== undefined) {
				this.#isUsed = true;
				return connection;
			}
			const { kind } = this.#state.current;
			const isReopening = kind === "ready" || (again && kind === "failed" && this.#generation === lost);
			if (kind !== "connecting" && !isReopening)
				throw createUnavailableError(this.#spec.name, this.#state.current, this.#options.login);
			await this.#state.changeBefore(signal);
		}
	}

	async #keep(): Promise<void> {
		const { health, log, login, storedLogin } = this.#options;
		const spec = this.#spec;
		if (spec.kind === "unusable") {
			health.failing();
			this.#state.set({ kind: "failed", since: readTime(), reason: spec.reason });
			log(`${spec.name}: ${spec.reason}`);
			return;
		}
		let told: string | undefined;
		for (let attempt = 0; !this.#stop.signal.aborted; attempt++) {
			const ended = await this.#once(spec);
			if (this.#stop.signal.aborted) return;
			// A server that takes long to fail was never stable. One that fails in a call is back as soon as it answers.
			if (this.#connectedAt !== undefined && (this.#isUsed || performance.now() - this.#connectedAt > STABLE_MS))
				attempt = 0;
			const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt) * (0.75 + Math.random() / 2);
			// An attempt to connect is no restart.
			if (this.#connectedAt !== undefined) health.restarting();
			const retryAt = ended.kind === "failed" && { retryAt: new Date(Date.now() + wait).toISOString() };
			this.#state.set({ ...ended, since: readTime(), ...retryAt });
			// Log a repeated failure only once; the state shows it anyway.
			const said = removeChance(ended.reason);
			if (said !== told || this.#connectedAt !== undefined)
				log(`${this.#spec.name}: ${describeRemedy(this.#state.current, login)}`);
			told = said;
			this.#wake = new AbortController();
			const hurried = this.#wake.signal;
			const signal = AbortSignal.any([this.#stop.signal, hurried]);
			const before = storedLogin?.(spec)?.token;
			// A login ends the wait, because the person who was asked for it tries again at once.
			if (ended.kind === "needs_auth")
				await waitUntilStored(() => storedLogin?.(spec)?.token !== before, { mostMs: LAST_RETRY_MS, signal });
			else await delay(wait, undefined, { signal, ref: false }).catch(() => {});
			// Whoever hurries has removed the cause, so the waits are short again.
			if (hurried.aborted) attempt = -1;
		}
	}

	#once(spec: ReachableSpec): Promise<Ended> {
		this.#begin();
		return new ConnectionLife(spec, this.#options, this.#generation, this.#stop.signal).live({
			onUsable: (connection, tools, words) => this.#use(connection, tools, words),
			onStray: (told) => this.#tellStray(told),
			onUnasked: (why) => this.#tellUnasked(why),
			onOver: () => {
				this.#connection = undefined;
			},
		});
	}

	/** Starts a new generation. What was known before is still shown. */
	#begin(): void {
		const before = this.#state.current;
		if (before.kind !== "needs_auth")
			this.#state.set({ kind: "connecting", since: readTime(), ...("reason" in before && { reason: before.reason }) });
		this.#generation++;
		this.#connectedAt = undefined;
		this.#isUsed = false;
		this.#options.health.starting(this.#generation);
	}

	#use(connection: Connection, tools: number, words: LastWords): void {
		const { health, onHost } = this.#options;
		this.#connection = connection;
		this.#connectedAt = performance.now();
		health.ready(this.#generation);
		health.succeeded();
		const host = connection.host();
		if (host !== undefined) {
			logHostFaults(host, words, {
				log: (text) => this.#options.log(`${this.#spec.name}: ${text}`),
				onEnd: (said) => {
					this.#lastWords = said;
				},
			});
			// A new process serves since it is ready, though the connection to its host is older.
			host.events.on("ready", () => {
				if (this.#connection === connection) this.#state.renew(readTime());
			});
			onHost(host);
		}
		this.#state.set({ kind: "ready", since: readTime(), tools });
		this.#options.onConnected?.(connection);
	}

	/** Logs each reason once; the server takes the dismissal for a person's. */
	#tellUnasked(why: string): void {
		if (this.#unasked.has(why)) return;
		this.#unasked.add(why);
		this.#options.log(`${this.#spec.name}: a question of the server was dismissed without asking anybody: ${why}`);
	}

	/** Shows stray output in the state while we wait for an answer, which replaces it. */
	#tellStray(told: string | undefined): void {
		const { current } = this.#state;
		if (told === undefined || current.kind !== "connecting" || current.reason !== undefined) return;
		this.#state.set({ ...current, reason: told });
	}
}
