import type { Fault, HealthBoard } from "libmcp";
import { createPatientSignal } from "../../run/patience.ts";
import { createConnectFault, createFaultOf, describeConnectFailure } from "../failure/connectFailure.ts";
import { readFailure, type UpstreamFailure } from "../failure/failure.ts";
import { LastWords, StrayOutput } from "../failure/serverOutput.ts";
import { type StoredLogin, waitUntilStored } from "../login/tokenStore.ts";
import type { OfferNews } from "../offers.ts";
import type { ReachableSpec } from "../spec.ts";
import type { OpenedTransport, OpenTransport } from "../transport.ts";
import { waitUnlessAborted } from "../waiting.ts";
import type { Connection, ConnectOptions } from "./connection.ts";

export type LifeOptions = {
	readonly open: OpenTransport;
	readonly connectTimeoutMs: number;
	readonly health: HealthBoard;
	/** What a login has stored for the server, if anything: a new one is used at once, and a deleted one no more. */
	readonly storedLogin?: StoredLogin;
	/** Reads the tools of a new connection before it is used; returns their number. */
	readonly welcome: (connection: Connection) => Promise<number>;
	/** Called when the server's tools may have changed. */
	readonly onChanged: () => void;
	/** Called with what the server tells of its prompts and resources. */
	readonly onNews?: (news: OfferNews) => void;
};

/** What whoever keeps the connection learns of it. */
export type LifeEvents = {
	/** It can be used; `words` is what its process prints. */
	onUsable(connection: Connection, tools: number, words: LastWords): void;
	/** Its process prints on stdout what is no message, while it is not connected yet. */
	onStray(told: string | undefined): void;
	/** A question of the server was put to nobody, and why. */
	onUnasked(why: string): void;
	/** It is over or could not be made, and must not be used any more. */
	onOver(): void;
};

/** How an attempt to be connected ended. */
export type Ended = { readonly kind: "failed" | "needs_auth"; readonly reason: string };

type Connecting = Pick<ConnectOptions, "open" | "onStderr" | "onStray" | "onToolsChanged" | "onUnasked" | "onNews">;

const REFRESH_MS = 600_000;
const LOGGED_OUT = { kind: "unauthorized", message: "its login was deleted" } as const;

/** One connection from the first attempt to its end. */
export class ConnectionLife {
	readonly #spec: ReachableSpec;
	readonly #options: LifeOptions;
	readonly #generation: number;
	readonly #stopped: AbortSignal;

	constructor(spec: ReachableSpec, options: LifeOptions, generation: number, stopped: AbortSignal) {
		this.#spec = spec;
		this.#options = options;
		this.#generation = generation;
		this.#stopped = stopped;
	}

	/** Resolves when the connection is over or could not be made. */
	async live(events: LifeEvents): Promise<Ended> {
		const { open, connectTimeoutMs, onChanged, welcome } = this.#options;
		const spec = this.#spec;
		const words = new LastWords();
		const stray = new StrayOutput();
		let opened: OpenedTransport | undefined;
		let connection: Connection | undefined;
		let refreshing: NodeJS.Timeout | undefined;
		let changes = 0;
		try {
			const patience = AbortSignal.any([this.#stopped, createPatientSignal(connectTimeoutMs)]);
			const connecting = this.#connect(patience, {
				async open(...given) {
					opened = await open(...given);
					return opened;
				},
				onStderr: (line) => words.add(line),
				onStray: (line) => {
					if (stray.add(line)) events.onStray(stray.told);
				},
				onUnasked: events.onUnasked,
				...(this.#options.onNews !== undefined && { onNews: this.#options.onNews }),
				onToolsChanged() {
					changes++;
					onChanged();
				},
			});
			connection = await waitUnlessAborted(connecting, patience, (late) => void late.close().catch(() => {}));
			const tools = await waitUnlessAborted(welcome(connection), patience, () => {});
			events.onUsable(connection, tools, words);
			// Changes made while the list was being read may be missing from it.
			if (changes > 0) onChanged();
			// Not every server over HTTP has a way to say that its list changed.
			if (spec.kind !== "stdio") refreshing = setInterval(onChanged, REFRESH_MS).unref();
			return await this.#endOf(connection);
		} catch (thrown) {
			const failure = readFailure(thrown);
			const instead = connection === undefined ? stray.told : undefined;
			const lastFault = opened?.host?.()?.health().lastFault;
			return this.#failed(
				failure,
				describeConnectFailure(failure, spec, { words, stray: instead, lastFault }),
				lastFault,
			);
		} finally {
			clearInterval(refreshing);
			events.onOver();
			await connection?.close().catch(() => {});
		}
	}

	async #connect(signal: AbortSignal, given: Connecting): Promise<Connection> {
		const { connect } = await import("./connection.ts");
		return connect(this.#spec, { signal, timeoutMs: this.#options.connectTimeoutMs, ...given });
	}

	/** Waits for the end of a connection. Whoever deletes the login wants no more calls to be made with it. */
	async #endOf(connection: Connection): Promise<Ended> {
		const over = new AbortController();
		void connection.closed.then(() => over.abort());
		const isLoggedOut = () => this.#options.storedLogin?.(this.#spec) === undefined;
		if (!isLoggedOut() && (await waitUntilStored(isLoggedOut, over)))
			return this.#failed(LOGGED_OUT, LOGGED_OUT.message);
		return this.#lost(await connection.closed);
	}

	#lost(reason: string): Ended {
		this.#options.health.faulted(createFaultOf("connection_lost", { detail: reason, generation: this.#generation }));
		return { kind: "failed", reason };
	}

	#failed(failure: UpstreamFailure, reason: string, hostFault?: Fault | null): Ended {
		this.#options.health.faulted(createConnectFault(failure, reason, this.#generation, hostFault));
		return failure.kind === "unauthorized"
			? { kind: "needs_auth", reason: `${failure.message}${this.#despite(failure)}` }
			: { kind: "failed", reason };
	}

	/** The headers of its entry, which were not enough: a token in them may have expired, and no login would be needed. */
	#despite(failure: UpstreamFailure): string {
		const names = this.#spec.kind === "stdio" ? [] : Object.keys(this.#spec.headers);
		const isSent = failure !== LOGGED_OUT && this.#options.storedLogin?.(this.#spec) === undefined;
		if (names.length === 0 || !isSent) return "";
		return `, although its entry sends ${names.join(", ")}`;
	}
}
