import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Principal } from "../server/protocol/dispatcher.ts";
import type { RpcServer } from "../server/session/rpcServer.ts";
import { RpcSession } from "../server/session/rpcSession.ts";
import type { CallRecord } from "./callRecord.ts";
import { type EventBudget, EventLog, type LoggedEvent } from "./eventLog.ts";
import { EventStream } from "./eventStream.ts";
import { HttpRefusal } from "./front/refusal.ts";
import type { KeptHttpSession } from "./keptHttpSession.ts";

const LOG_LIMITS = { maxEvents: 256, maxBytes: 512 * 1024, maxAwaitedBytes: 16 * 1024 * 1024 };
const RETRY_MS = 1_000;
/** How long a stream can be resumed after its answer was sent: a client may notice late that it did not arrive. */
const KEPT_MS = 60_000;
/** The stream for messages that belong to no request. */
const STANDING = 0;

export type HttpSessionOptions = {
	readonly principal: Principal | undefined;
	readonly budget: EventBudget;
	/** Keeps it beyond this process. */
	readonly kept?: KeptHttpSession | undefined;
};

/** An HTTP client that made a handshake: its session, its streams, and when it was last active. */
export class HttpSession {
	readonly id: string;
	readonly rpc: RpcSession;
	readonly kept: KeptHttpSession | undefined;
	lastSeen: number = performance.now();
	/** Whether a request has named it, so that its client is known to have it. */
	isNamed: boolean = false;
	/** The number of requests being answered; a session with one is not idle. */
	active = 0;
	#log: EventLog | undefined;
	#streams: Map<number, EventStream> | undefined;
	#standing: EventStream | undefined;
	#hasListened: boolean = false;
	#nextStream: number;
	readonly #budget: EventBudget;

	constructor(server: RpcServer, { principal, budget, kept }: HttpSessionOptions) {
		this.#budget = budget;
		this.kept = kept;
		this.id = kept?.id ?? randomBytes(24).toString("base64url");
		this.#nextStream = kept?.firstStream ?? STANDING + 1;
		this.rpc = new RpcSession(server, {
			id: this.id,
			outlet: { emit: (text) => this.send(text) },
			...(principal === undefined ? {} : { principal }),
			...kept?.rpcOptions,
		});
		if (kept?.restored !== undefined) {
			this.isNamed = true;
			this.#hasListened = kept.restored.hasListened;
		}
		kept?.attach({
			log: () => this.#eventLog(),
			written: () => {
				for (const stream of this.#streams?.values() ?? []) stream.flush();
			},
		});
	}

	get idle(): boolean {
		return this.active === 0 && this.#standing?.attached !== true;
	}

	/** Messages that belong to no request go to the standing stream, which keeps them for a disconnected client. */
	send(text: string): void {
		this.#standingStream().send(text);
	}

	/** Whether the client ever opened the standing stream; one that did comes back to it. */
	get hasListened(): boolean {
		return this.#hasListened;
	}

	/** With an id, the stream of a call from before this process. */
	newStream(onEnd?: () => void, id: number = this.#nextStream++): EventStream {
		const stream = new EventStream(id, this.#eventLog(), this.retryMs, onEnd);
		this.#streams ??= new Map();
		this.#streams.set(stream.id, stream);
		return stream;
	}

	/** What is kept of a stream. */
	eventsOf(stream: number): readonly LoggedEvent[] {
		return this.#eventLog().of(stream);
	}

	/** The stream of a call that lasts, whose answer is promised to its client with the first event. */
	callStream(record: CallRecord | undefined): EventStream {
		record?.acknowledge(this.#nextStream);
		return this.newStream(record === undefined ? undefined : () => record.answered());
	}

	/** Handles a GET: opens the standing stream, or continues one that broke off. */
	listen(response: ServerResponse, lastEventId: string | undefined): void {
		const missed = lastEventId === undefined ? undefined : this.#log?.after(lastEventId);
		if (lastEventId !== undefined && missed === undefined) {
			throw new HttpRefusal(
				"EVENT_EXPIRED",
				`last-event-id: ${JSON.stringify(lastEventId.slice(0, 40))} is not kept here`,
			);
		}
		const headers = { "mcp-session-id": this.id };
		if (missed === undefined) this.#stand(response, headers);
		else {
			const stream = this.#resumable(missed.stream);
			// By this status a client learns that there is nothing more to come back for.
			if (stream.isOver && missed.events.every(({ text }) => text === "")) response.writeHead(204, headers).end();
			else stream.resume(response, headers, missed.events, lastEventId);
		}
	}

	/** A client that listens for the first time gets what was sent to it since the handshake. */
	#stand(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
		const stream = this.#standingStream();
		const early = this.#hasListened ? [] : this.#eventLog().of(stream.id);
		if (!this.#hasListened) this.kept?.listened();
		this.#hasListened = true;
		if (early.length > 0) stream.resume(response, headers, early);
		else stream.attach(response, headers);
	}

	/** A finished stream may have been discarded; its events are still in the log. */
	#resumable(id: number): EventStream {
		if (id === STANDING) return this.#standingStream();
		const known = this.#streams?.get(id);
		if (known !== undefined) return known;
		const over = new EventStream(id, this.#eventLog(), this.retryMs);
		over.end();
		this.#streams ??= new Map();
		this.#streams.set(id, over);
		return over;
	}

	/** Sends keep-alives, discards finished streams, and drops events that have very likely arrived. */
	keepAlive(now: number): void {
		const arrived = new Set<number>();
		for (const stream of this.#streams?.values() ?? []) {
			const { ended, deliveredAt } = stream;
			if (!ended) stream.keepAlive();
			else if (deliveredAt === undefined) this.#streams?.delete(stream.id);
			else if (now - deliveredAt > KEPT_MS) arrived.add(stream.id);
		}
		for (const id of arrived) this.#streams?.delete(id);
		if (arrived.size > 0) this.#log?.forget(arrived);
		this.kept?.tend(this.lastSeen);
	}

	end(reason: string): void {
		this.kept?.end();
		this.rpc.giveUp(reason);
		for (const stream of this.#streams?.values() ?? []) stream.end();
		this.#streams?.clear();
		this.#log?.clear();
	}

	/** Lets go of a session that goes on in another process: its clients come back with what they had last. */
	async leave(reason: string): Promise<void> {
		if (this.kept === undefined) return;
		await this.kept.leave();
		for (const stream of this.#streams?.values() ?? []) stream.leave();
		this.#streams?.clear();
		this.rpc.giveUp(reason);
		this.#log?.clear();
	}

	/** Undefined for earlier revisions, whose clients take an event without data for a broken message. */
	get retryMs(): number | undefined {
		return this.rpc.has("primingEvent") ? RETRY_MS : undefined;
	}

	#standingStream(): EventStream {
		this.#standing ??= this.newStream(undefined, STANDING);
		return this.#standing;
	}

	#eventLog(): EventLog {
		this.#log ??= new EventLog(LOG_LIMITS, this.#budget);
		return this.#log;
	}
}
