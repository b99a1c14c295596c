import { setTimeout as delay } from "node:timers/promises";
import { type Fault, HealthBoard, type HealthSnapshot, type Host, TelemetryLedger } from "libmcp";
import type { Catalog } from "../catalog/catalog.ts";
import { createTypedCommand, type TypedCommand, toPlainLine } from "../catalog/text.ts";
import { ToolError, toolErrorFromAbort } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import { type BackendCall, type BackendResult, isRepeatable } from "../run/backend.ts";
import { readToolResult } from "../run/toolResult.ts";
import type { Connection } from "./connect/connection.ts";
import { KeptConnection } from "./connect/keptConnection.ts";
import { SessionHosts } from "./connect/sessionHosts.ts";
import { createCallError } from "./failure/callFailure.ts";
import { describeFailure, readFailure, type UpstreamFailure } from "./failure/failure.ts";
import type { StoredLogin } from "./login/tokenStore.ts";
import { type OfferKind, type OfferNews, ServerOffers } from "./offers.ts";
import type { ReachableSpec, UpstreamSpec } from "./spec.ts";
import { describeRemedy, type UpstreamState } from "./state.ts";
import { ToolListing } from "./toolListing.ts";
import type { OpenTransport } from "./transport.ts";
import { Coalesced, waitUnlessAborted } from "./waiting.ts";

export type UpstreamOptions = {
	readonly catalog: Catalog;
	readonly open: OpenTransport;
	readonly connectTimeoutMs: number;
	readonly log: (line: string) => void;
	readonly watch?: UpstreamWatch;
	/** Writes the command that a person types. */
	readonly command?: TypedCommand;
	readonly storedLogin?: StoredLogin;
	/** Called with what a server tells of its prompts and resources, and when it is connected and has some. */
	readonly onNews?: (upstream: Upstream, news: OfferNews) => void;
};

/** Observer of server events. Its methods must not throw. */
export type UpstreamWatch = {
	/** `fault` is what the server last failed with. */
	state?(server: string, state: UpstreamState, fault: Fault | null): void;
	/** A stdio server was connected; its host reports the rest. */
	host?(server: string, host: Host): void;
};

const REFRESH_PAUSE_MS = 250;
const RETIRE_POLL_MS = 25;
const ANNOUNCED_MS = 3_000;
const MAX_REPLAYS = 2;
/** A server that forgets the new session too would go on so. */
const MAX_NEW_SESSIONS = 1;
const REPLAY_PAUSE_MS = 250;
/** A server may have thousands of unusable tools; only this many are reported. */
const MOST_TOLD = 20;
const MOST_TOLD_CHARS = 500;

type Lost = Extract<UpstreamFailure, { readonly kind: "lost" }>;

/** One server behind the gateway: its connection, its tools in the catalogue, and the calls of them. */
export class Upstream {
	/** The command that a person types to log in to it. */
	readonly login: string;
	/** The server as its changed entry says, which takes over once it is connected. */
	successor: Upstream | undefined;
	/** The programs of clients that use it at its own path. */
	readonly sessionHosts = new SessionHosts();
	#spec: UpstreamSpec;
	readonly #log: (line: string) => void;
	readonly #kept: KeptConnection;
	readonly #listing: ToolListing;
	readonly #refreshes: Coalesced;
	readonly #health = new HealthBoard();
	readonly #ledger = new TelemetryLedger();
	readonly #offers = new ServerOffers();
	#watched: ReadonlySet<string> = new Set();
	/** Whether a call was lost since the list was last read, which shows if its server still answers. */
	#isInDoubt: boolean = false;

	constructor(
		spec: UpstreamSpec,
		{
			catalog,
			open,
			connectTimeoutMs,
			log,
			watch,
			command = createTypedCommand(),
			storedLogin,
			onNews,
		}: UpstreamOptions,
	) {
		this.#spec = spec;
		this.#log = log;
		this.login = command("login", spec.name);
		this.#listing = new ToolListing(spec, catalog);
		this.#kept = new KeptConnection(spec, {
			open,
			connectTimeoutMs,
			log,
			login: this.login,
			...(storedLogin !== undefined && { storedLogin }),
			health: this.#health,
			onState: (state) => watch?.state?.(spec.name, state, this.#health.snapshot().lastFault),
			onHost: (host) => watch?.host?.(spec.name, host),
			welcome: (connection) => this.#read(connection),
			onChanged: () => this.refresh(),
			onNews: (news) => {
				if (news.kind !== "updated") this.#offers.forget(news.kind);
				onNews?.(this, news);
			},
			onConnected: (connection) => {
				if (this.#watched.size > 0) connection.watch(this.#watched);
				for (const kind of ["prompts", "resources"] as const)
					if (connection.capabilities[kind] !== undefined) onNews?.(this, { kind });
			},
		});
		this.#refreshes = new Coalesced(() => this.#readAgain(), REFRESH_PAUSE_MS, this.#kept.stopped);
	}

	get spec(): UpstreamSpec {
		return this.#spec;
	}

	get state(): UpstreamState {
		return this.#kept.state;
	}

	/** The host of a stdio server, while it is connected. */
	get host(): Host | undefined {
		return this.#kept.current?.host();
	}

	/** Its entry, with the command that serves now, which a rollout may have changed; undefined if the entry has a mistake. */
	get serving(): ReachableSpec | undefined {
		const { spec, host } = this;
		if (spec.kind === "unusable") return undefined;
		if (spec.kind !== "stdio" || host === undefined) return spec;
		const { command, args = [], cwd } = host.state().command;
		return { ...spec, command, args, ...(cwd !== undefined && { cwd }) };
	}

	/** Why its changed entry has not taken effect. */
	get heldBack(): string | undefined {
		const reason = this.successor && describeRemedy(this.successor.state, this.login);
		return reason === undefined ? undefined : `still uses its old entry; the new one fails: ${reason}`;
	}

	/** Messages about a changed entry or about tools that could not be used. */
	get problems(): readonly string[] {
		const held = this.heldBack;
		return held === undefined ? this.#listing.problems : [held, ...this.#listing.problems];
	}

	/** The common payloads of this server: as its host sees it, or as its connection does. */
	health(): JsonObject & HealthSnapshot & { readonly inFlight: number } {
		const held = this.heldBack;
		const connection = { ...(held !== undefined && { reason: held }), ...this.state };
		const { inFlight } = this.#ledger.snapshot().totals;
		return { ...this.#health.snapshot(), inFlight, ...this.host?.health(), connection };
	}

	telemetry(): JsonObject {
		return { ...this.#ledger.snapshot(), ...this.host?.telemetry() };
	}

	start(): void {
		this.#kept.start();
	}

	/** Takes over what its changed entry says about its tools; the process, perhaps of a newer release, goes on. */
	adjust(spec: UpstreamSpec): void {
		this.#spec = spec;
		this.#listing.choose(spec);
	}

	/** Drops the connection, which is then reopened; without one, tries to connect now. */
	reconnect(): void {
		if (this.#kept.current === undefined) this.#kept.hurry();
		else this.#kept.drop(this.#kept.current);
	}

	/** Resolves when connected; false if it was stopped before that. */
	connected(): Promise<boolean> {
		return this.#kept.connected();
	}

	/** Waits until it is connected or could not be, and a little for tools that it has just announced. */
	async settled(signal: AbortSignal): Promise<void> {
		await this.#kept.settled(signal);
		const patience = AbortSignal.any([signal, AbortSignal.timeout(ANNOUNCED_MS)]);
		await waitUnlessAborted(this.#refreshes.done(), patience, () => {}).catch(() => {});
		signal.throwIfAborted();
	}

	async stop(): Promise<void> {
		await this.#kept.stop();
		this.#listing.remove();
	}

	/** Leaves its namespace to a successor, lets its own calls finish for a while, then stops. */
	async retire(graceMs: number): Promise<void> {
		this.#listing.leave();
		const deadline = performance.now() + graceMs;
		while (this.#ledger.snapshot().totals.inFlight > 0 && performance.now() < deadline)
			await delay(RETIRE_POLL_MS, undefined, { ref: false });
		await this.stop();
	}

	/** Calls a tool. If the connection is lost, repeats the call only if the tool's contract says that this is harmless. */
	async call(call: BackendCall): Promise<BackendResult> {
		const repeatable = isRepeatable(call.tool, call.args);
		let forgotten = 0;
		let hasReached = false;
		for (let attempt = 0; ; attempt++) {
			call.onWaiting?.(!hasReached);
			const connection = await this.#kept.ready(call.signal, attempt > 0);
			call.onWaiting?.(false);
			await call.dispatching?.(repeatable ? "convergent" : "never_replay");
			const counted = this.#ledger.began(`tools/call ${call.tool.name}`);
			try {
				const answer = await connection.call(call.tool.definition, call.args, {
					signal: call.signal,
					deadline: call.deadline,
					...(call.silenceMs !== undefined && { silenceMs: call.silenceMs }),
					...(call.onProgress !== undefined && { onProgress: call.onProgress }),
					...(call.ask !== undefined && { ask: call.ask }),
					...(call.caller !== undefined && { caller: call.caller }),
				});
				const result = readToolResult(answer);
				this.#ledger.ended(counted, { kind: "ok" });
				this.#health.succeeded();
				return result;
			} catch (thrown) {
				const stopped = call.signal.aborted;
				const failure = readFailure(thrown);
				this.#ledger.ended(counted, stopped ? { kind: "cancelled" } : { kind: "error", code: codeOf(failure) });
				if (thrown instanceof ToolError || stopped) throw thrown;
				this.#noteFailure(connection, failure);
				const isLost = failure.kind === "lost";
				if (isLost && failure.forgotten === true) forgotten++;
				if (isLost && !failure.undone) hasReached = true;
				const harmless = isLost && (failure.undone || repeatable);
				if (!harmless || attempt >= MAX_REPLAYS || forgotten > MAX_NEW_SESSIONS)
					throw createCallError(this.spec.name, failure, { repeatable, login: this.login });
				this.#ledger.retried(`tools/call ${call.tool.name}`);
				call.onRepeat?.();
				if (this.#kept.current === connection)
					await delay(REPLAY_PAUSE_MS * 2 ** attempt, undefined, { signal: call.signal, ref: false }).catch(() => {});
			}
		}
	}

	/** Its prompts, resources or templates, as it lists them, or last did. */
	offers(kind: OfferKind, signal: AbortSignal): Promise<readonly JsonObject[]> {
		return this.#offers.list(kind, this.#kept.current, signal);
	}

	/** What it says that it offers, while it is connected. */
	get capabilities(): JsonObject {
		return this.#kept.current?.capabilities ?? {};
	}

	/** Has it tell when one of these resources changes, and no other, now and after it was connected anew. */
	watch(uris: ReadonlySet<string>): void {
		this.#watched = uris;
		this.#kept.current?.watch(uris);
	}

	/** The answer to a request that may be made again without harm, such as resources/read. */
	async request(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown> {
		const connection = await this.#kept.ready(signal, false);
		try {
			return await connection.request(method, params, signal);
		} catch (thrown) {
			const failure = readFailure(thrown);
			if (failure.kind === "lost") this.#lost(connection, failure);
			throw signal.aborted
				? toolErrorFromAbort(signal)
				: createCallError(this.spec.name, failure, { repeatable: true, login: this.login });
		}
	}

	/** Reads the list again. */
	refresh(): void {
		if (this.#kept.current !== undefined) this.#refreshes.request();
	}

	#noteFailure(connection: Connection, failure: UpstreamFailure): void {
		if (failure.kind === "lost") this.#lost(connection, failure);
		// Reading the tool list shows whether the whole server needs a login now, or only this call.
		if (failure.kind === "unauthorized") this.refresh();
	}

	/** Drops the connection of a request that was lost, unless other calls may go on over it. */
	#lost(connection: Connection, failure: Lost): void {
		if (this.#isOver(failure)) {
			this.#kept.drop(connection);
			return;
		}
		this.#isInDoubt = true;
		this.refresh();
	}

	/** Over Streamable HTTP each request is on its own: one that was cut or answered with 5xx says nothing about the others. */
	#isOver({ undone, forgotten }: Lost): boolean {
		return this.spec.kind !== "http" || forgotten === true || (undone && this.#isIdle);
	}

	get #isIdle(): boolean {
		return this.#ledger.snapshot().totals.inFlight === 0;
	}

	/** Logs what is new among the problems; the state shows all of them. */
	async #read(connection: Connection): Promise<number> {
		const known = new Set(this.#listing.problems);
		const tools = await this.#listing.read(connection);
		const fresh = this.#listing.problems.filter((problem) => !known.has(problem));
		for (const problem of fresh.slice(0, MOST_TOLD))
			this.#log(`${this.spec.name}: ${toPlainLine(problem, MOST_TOLD_CHARS)}`);
		return tools;
	}

	async #readAgain(): Promise<void> {
		const connection = this.#kept.current;
		if (connection === undefined) return;
		const isInDoubt = this.#isInDoubt;
		this.#isInDoubt = false;
		try {
			await this.#read(connection);
		} catch (thrown) {
			const failure = readFailure(thrown);
			this.#log(`${this.spec.name}: listing tools failed: ${describeFailure(failure)}`);
			const isDown = failure.kind === "lost" && (this.#isOver(failure) || (isInDoubt && this.#isIdle));
			if (failure.kind === "unauthorized" || isDown) this.#kept.drop(connection);
		}
	}
}

function codeOf(failure: UpstreamFailure): number | undefined {
	return failure.kind === "refused" ? failure.code : undefined;
}
