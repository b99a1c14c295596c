import { Buffer } from "node:buffer";
import type { Era } from "../server/dispatcher.ts";
import { isRecord } from "../server/protocol.ts";
import type { Span } from "../wire/envelope.ts";
import type { Call } from "./call.ts";
import { readSpan } from "./readSpan.ts";

/** A request to be said again to every new worker, byte for byte but for its id. */
export type SavedRequest = { readonly frame: Buffer; readonly idSpan: Span };

export type Negotiated = { readonly protocolVersion: string; readonly capabilities: Readonly<Record<string, unknown>> };

const MAX_JOURNAL_ENTRIES = 256;
const MAX_SUBSCRIPTIONS = 4_096;
/** For the journal, the subscriptions and the calls nobody knows yet, each. */
const MAX_SAVED_BYTES = 1024 * 1024;

/** What the client has established, and a new worker must be told before it sees the first call. */
export class Session {
	era: Era | undefined;
	/** The client's own `initialize`, once it was answered well. */
	seed: SavedRequest | undefined;
	negotiated: Negotiated | undefined;
	initialized: Buffer | undefined;
	/** JSON text of the `_meta` a modern client sends with every request. */
	modernMeta: string | undefined;
	logLevel: SavedRequest | undefined;
	readonly subscriptions: Map<string, SavedRequest> = new Map();
	readonly #journal = new Map<string, SavedRequest>();
	#journalBytes = 0;
	/** Calls that succeeded before the server had said which of its tools leave something in its memory. */
	early: Call[] = [];
	#earlyBytes = 0;
	#subscribedBytes = 0;
	/** Calls that could not be kept within the bounds: state a restart will lose. */
	journalOverflow = 0;

	/** In the order in which they must be said. */
	saved(): SavedRequest[] {
		const level = this.logLevel === undefined ? [] : [this.logLevel];
		return [...level, ...this.subscriptions.values(), ...this.#journal.values()];
	}

	state(): SessionState {
		return {
			era: this.era ?? null,
			seed: packed(this.seed),
			negotiated: this.negotiated ?? null,
			initialized: this.initialized?.toString("base64") ?? null,
			modernMeta: this.modernMeta ?? null,
			logLevel: packed(this.logLevel),
			subscriptions: Array.from(this.subscriptions, ([uri, saved]) => [uri, packed(saved)]),
			journal: Array.from(this.#journal, ([key, saved]) => [key, packed(saved)]),
		};
	}

	/** Goes on where another host's session was. */
	adopt(state: SessionState): void {
		this.era = state.era ?? undefined;
		this.seed = unpacked(state.seed);
		this.negotiated = state.negotiated ?? undefined;
		this.initialized = state.initialized === null ? undefined : Buffer.from(state.initialized, "base64");
		this.modernMeta = state.modernMeta ?? undefined;
		this.logLevel = unpacked(state.logLevel);
		for (const [uri, saved] of state.subscriptions) put(this.subscriptions, uri, unpacked(saved));
		for (const [key, saved] of state.journal) put(this.#journal, key, unpacked(saved));
	}

	get journalSize(): number {
		return this.#journal.size;
	}

	/** Learns from a request as it arrives. */
	observe(call: Call): void {
		const { params } = call.envelope;
		if (call.method === "initialize") this.era = "legacy";
		else if (params?.metaProtocolVersion !== undefined && params.meta !== undefined) {
			if (this.seed === undefined) this.era = "modern";
			this.modernMeta ??= claimOf(readSpan(call.frame, params.meta));
		}
	}

	/** Learns from a call that succeeded. */
	succeeded(call: Call): void {
		if (call.method === "logging/setLevel") this.logLevel = savedRequest(call);
		if (call.method === "resources/subscribe") this.#subscribe(call, true);
		if (call.method === "resources/unsubscribe") this.#subscribe(call, false);
	}

	/** Gives up what a server only tells the client; false for the journal, without which calls would mean something else. */
	giveUp(saved: SavedRequest): boolean {
		if (saved === this.logLevel) {
			this.logLevel = undefined;
			return true;
		}
		for (const [uri, subscription] of this.subscriptions) {
			if (subscription !== saved) continue;
			this.#subscribedBytes -= saved.frame.length;
			return this.subscriptions.delete(uri);
		}
		return false;
	}

	/** A call whose tool nobody knows yet: should it turn out to leave something behind, it is there to be said again. */
	rememberEarly(call: Call): void {
		if (this.early.length >= MAX_JOURNAL_ENTRIES || this.#earlyBytes + call.frame.length > MAX_SAVED_BYTES) return;
		this.#earlyBytes += call.frame.length;
		this.early.push(call);
	}

	/** The server has said it. */
	journalEarly(keyOf: (call: Call) => string | undefined): void {
		const early = this.early;
		this.early = [];
		this.#earlyBytes = 0;
		for (const call of early) {
			const key = keyOf(call);
			if (key !== undefined) this.journal(key, call);
		}
	}

	/** The latest call of a key replaces the one before and moves to the end. */
	journal(key: string, call: Call): void {
		const before = this.#journal.get(key);
		this.#journal.delete(key);
		this.#journalBytes -= before?.frame.length ?? 0;
		if (this.#journal.size >= MAX_JOURNAL_ENTRIES || this.#journalBytes + call.frame.length > MAX_SAVED_BYTES) {
			this.journalOverflow++;
			return;
		}
		this.#journal.set(key, savedRequest(call));
		this.#journalBytes += call.frame.length;
	}

	#subscribe(call: Call, wanted: boolean): void {
		const uri = readSpan(call.frame, call.envelope.params?.uri);
		if (typeof uri !== "string") return;
		this.#subscribedBytes -= this.subscriptions.get(uri)?.frame.length ?? 0;
		this.subscriptions.delete(uri);
		if (!wanted) return;
		const { length } = call.frame;
		if (this.subscriptions.size >= MAX_SUBSCRIPTIONS || this.#subscribedBytes + length > MAX_SAVED_BYTES) {
			this.journalOverflow++;
			return;
		}
		this.subscriptions.set(uri, savedRequest(call));
		this.#subscribedBytes += length;
	}
}

/** Kept for the whole session, so without the rest of the chunk that it came in. */
function savedRequest({ frame, envelope }: Call): SavedRequest {
	return { frame: Buffer.from(frame), idSpan: envelope.idSpan };
}

/** What the client says of itself; its token for progress belongs to that one request. */
function claimOf(meta: unknown): string | undefined {
	if (!isRecord(meta)) return undefined;
	const { progressToken: _, ...claim } = meta;
	return JSON.stringify(claim);
}

export type PackedRequest = { readonly frame: string; readonly idSpan: Span } | null;

/** The session as JSON, its bytes as base64. */
export type SessionState = {
	readonly era: Era | null;
	readonly seed: PackedRequest;
	readonly negotiated: Negotiated | null;
	readonly initialized: string | null;
	readonly modernMeta: string | null;
	readonly logLevel: PackedRequest;
	readonly subscriptions: readonly (readonly [uri: string, saved: PackedRequest])[];
	readonly journal: readonly (readonly [key: string, saved: PackedRequest])[];
};

function packed(saved: SavedRequest | undefined): PackedRequest {
	return saved === undefined ? null : { frame: saved.frame.toString("base64"), idSpan: saved.idSpan };
}

function unpacked(saved: PackedRequest): SavedRequest | undefined {
	return saved === null ? undefined : { frame: Buffer.from(saved.frame, "base64"), idSpan: saved.idSpan };
}

function put(map: Map<string, SavedRequest>, key: string, saved: SavedRequest | undefined): void {
	if (saved !== undefined) map.set(key, saved);
}
