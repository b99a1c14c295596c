import { Buffer } from "node:buffer";
import { makeRoom } from "../../admission/boundedQueue.ts";
import type { Era } from "../../server/protocol/dispatcher.ts";
import { isRecord } from "../../server/protocol/protocol.ts";
import { type Feature, hasFeature, LEGACY_REVISION, MODERN_REVISION } from "../../server/protocol/revisions.ts";
import { readSpan } from "../../wire/members.ts";
import { scanEnvelope } from "../../wire/scanEnvelope.ts";
import { type Call, createCall } from "../worker/call.ts";
import { LostMemory } from "./lostMemory.ts";
import {
	MAX_SAVED_BYTES,
	type PackedRequest,
	type PackedRequests,
	packRequest,
	type SavedRequest,
	SavedRequests,
	saveRequest,
	unpackRequest,
} from "./savedRequests.ts";

export type Negotiated = { readonly protocolVersion: string; readonly capabilities: Readonly<Record<string, unknown>> };

/** A later call with the same key replaces this one, also where this one may not be repeated. */
export type JournalEntry = { readonly key: string; readonly mayRepeat: boolean };

const MAX_JOURNAL_ENTRIES = 256;
const MAX_SUBSCRIPTIONS = 4_096;

/** The state that the client has set up, which a new worker needs before its first call. */
export class Session {
	era: Era | undefined;
	/** The client's own `initialize`, once it has succeeded. */
	seed: SavedRequest | undefined;
	negotiated: Negotiated | undefined;
	initialized: Buffer | undefined;
	/** The server asks for the client's roots unprompted, not as part of one call. */
	asksForRoots: boolean = false;
	/** JSON text of the `_meta` a modern client sends with every request. */
	modernMeta: string | undefined;
	logLevel: SavedRequest | undefined;
	/** Keyed by URI. */
	readonly #subscriptions = new SavedRequests(MAX_SUBSCRIPTIONS);
	readonly #journal = new SavedRequests(MAX_JOURNAL_ENTRIES);
	readonly lostMemory: LostMemory = new LostMemory();
	/** Calls that succeeded before the server declared which of its tools change its memory. */
	early: Call[] = [];
	#earlyBytes = 0;
	/** The tools of journaled calls that are not repeated, by key, until such a call is made again. */
	readonly #lost = new Map<string, string>();
	/** The number of calls that exceeded the limits of the journal; a restart loses their state. */
	journalOverflow = 0;

	/** Whether a worker with the session's state can be asked for its lists; without a handshake, after a request. */
	get isOpen(): boolean {
		return this.era === "modern"
			? this.modernMeta !== undefined
			: this.seed !== undefined && this.negotiated !== undefined;
	}

	/** What client and server speak; before that is known, the newest revision with a handshake. */
	get revision(): string {
		return this.era === "modern" ? MODERN_REVISION : (this.negotiated?.protocolVersion ?? LEGACY_REVISION);
	}

	/** Whether the revision that a handshake has agreed on has it. */
	has(feature: Feature): boolean {
		return this.seed !== undefined && hasFeature(this.revision, feature);
	}

	/** The saved requests, in the order in which they must be repeated. */
	saved(): SavedRequest[] {
		const level = this.logLevel === undefined ? [] : [this.logLevel];
		return [...level, ...this.#subscriptions.values(), ...this.#journal.values()];
	}

	state(): SessionState {
		return {
			era: this.era ?? null,
			seed: this.seed === undefined ? null : packRequest(this.seed),
			negotiated: this.negotiated ?? null,
			initialized: this.initialized?.toString("base64") ?? null,
			asksForRoots: this.asksForRoots,
			modernMeta: this.modernMeta ?? null,
			logLevel: this.logLevel === undefined ? null : packRequest(this.logLevel),
			subscriptions: this.#subscriptions.state(),
			journal: this.#journal.state(),
			early: this.early.map(({ frame }) => frame.toString("base64")),
			lost: [...this.#lost],
			journalOverflow: this.journalOverflow,
		};
	}

	/** Continues another host's session. */
	adopt(state: SessionState): void {
		this.era = state.era ?? undefined;
		this.seed = state.seed === null ? undefined : unpackRequest(state.seed);
		this.negotiated = state.negotiated ?? undefined;
		this.initialized = state.initialized === null ? undefined : Buffer.from(state.initialized, "base64");
		this.asksForRoots = state.asksForRoots === true;
		this.modernMeta = state.modernMeta ?? undefined;
		this.logLevel = state.logLevel === null ? undefined : unpackRequest(state.logLevel);
		this.#subscriptions.adopt(state.subscriptions);
		this.#journal.adopt(state.journal);
		for (const [key, tool] of state.lost ?? []) this.#lose(key, tool);
		this.journalOverflow = state.journalOverflow ?? 0;
		for (const text of state.early ?? []) {
			const call = callOf(Buffer.from(text, "base64"));
			if (call !== undefined) this.rememberEarly(call);
		}
	}

	/** Adds the `_meta` that this client sends with each request to the parameters of a host's own request. */
	claiming(params: Record<string, unknown>): Record<string, unknown> {
		if (this.era !== "modern" || this.modernMeta === undefined) return params;
		return { ...params, _meta: JSON.parse(this.modernMeta) };
	}

	/** Learns from a request as it arrives. */
	observe(call: Call): void {
		const { params } = call.envelope;
		if (call.method === "initialize") this.era = "legacy";
		else if (params?.metaProtocolVersion !== undefined && params.meta !== undefined) {
			// A client that has only asked what the server is may still begin a handshake.
			if (this.seed === undefined && call.method !== "server/discover") this.era = "modern";
			this.modernMeta ??= claimOf(readSpan(call.frame, params.meta));
		}
	}

	/** Learns from a call that succeeded. */
	succeeded(call: Call): void {
		if (call.method === "logging/setLevel") this.logLevel = saveRequest(call);
		if (call.method === "resources/subscribe") this.#subscribe(call, true);
		if (call.method === "resources/unsubscribe") this.#subscribe(call, false);
	}

	/** The URI of a saved subscription that the client has since ended; undefined for any other saved request. */
	ended({ frame }: SavedRequest): string | undefined {
		const envelope = scanEnvelope(frame);
		if (envelope.kind !== "request" || envelope.method !== "resources/subscribe") return undefined;
		const uri = readSpan(frame, envelope.params?.uri);
		return typeof uri === "string" && !this.#subscriptions.has(uri) ? uri : undefined;
	}

	/** Whether the session can go on without it: true for a subscription or log level, false for a journaled call. */
	isDispensable(saved: SavedRequest): boolean {
		return saved === this.logLevel || this.#subscriptions.keyOf(saved) !== undefined;
	}

	/** The tools of the journaled calls that new workers refused or that may not run again. */
	get lostTools(): string[] {
		return [...new Set(this.#lost.values())];
	}

	/** Drops a request that a new worker refused or must not be given; returns the URI if it was a subscription. */
	giveUp(saved: SavedRequest): string | undefined {
		if (saved === this.logLevel) this.logLevel = undefined;
		const key = this.#journal.keyOf(saved);
		if (key !== undefined) {
			this.#journal.forget(key);
			this.#lose(key, callOf(saved.frame)?.tool ?? "");
		}
		const uri = this.#subscriptions.keyOf(saved);
		if (uri !== undefined) this.#subscriptions.forget(uri);
		return uri;
	}

	/** Keeps a call whose tool is not known yet, in case the tool turns out to be journaled. */
	rememberEarly(call: Call): void {
		if (this.early.length >= MAX_JOURNAL_ENTRIES || this.#earlyBytes + call.frame.length > MAX_SAVED_BYTES) return;
		this.#earlyBytes += call.frame.length;
		this.early.push(call);
	}

	/** The tools are known now: journals those early calls that need it. */
	journalEarly(entryOf: (call: Call) => JournalEntry | undefined): void {
		const early = this.early;
		this.early = [];
		this.#earlyBytes = 0;
		for (const call of early) this.toolSucceeded(call, entryOf(call));
	}

	/** Learns from a tool's call that succeeded. */
	toolSucceeded(call: Call, entry: JournalEntry | undefined): void {
		if (entry === undefined) {
			for (const [key, tool] of this.#lost) if (tool === call.tool) this.#lost.delete(key);
		} else if (entry.mayRepeat) {
			this.#lost.delete(entry.key);
			if (!this.#journal.keep(entry.key, call)) this.journalOverflow++;
		} else {
			// What an earlier call of this key had set is no longer so.
			this.#journal.forget(entry.key);
			this.#lose(entry.key, call.tool ?? "");
		}
	}

	/** The requests that repeat the journaled calls. */
	journaled(): SavedRequest[] {
		return [...this.#journal.values()];
	}

	/** The call that the request repeats, if it is a journaled one. */
	journaledCall(saved: SavedRequest): Call | undefined {
		return this.#journal.keyOf(saved) === undefined ? undefined : callOf(saved.frame);
	}

	#lose(key: string, tool: string): void {
		makeRoom(this.#lost, MAX_JOURNAL_ENTRIES);
		this.#lost.set(key, tool);
	}

	#subscribe(call: Call, wanted: boolean): void {
		const uri = readSpan(call.frame, call.envelope.params?.uri);
		if (typeof uri !== "string") return;
		if (!wanted) this.#subscriptions.forget(uri);
		else if (!this.#subscriptions.keep(uri, call)) this.journalOverflow++;
	}
}

function callOf(frame: Buffer): Call | undefined {
	const envelope = scanEnvelope(frame);
	return envelope.kind === "request" ? createCall(frame, envelope, 0) : undefined;
}

/** The client's `_meta` without the progress token, which belongs to that one request. */
function claimOf(meta: unknown): string | undefined {
	if (!isRecord(meta)) return undefined;
	const { progressToken: _, ...claim } = meta;
	return JSON.stringify(claim);
}

/** The session as JSON, with its bytes in base64. */
export type SessionState = {
	readonly era: Era | null;
	readonly seed: PackedRequest | null;
	readonly negotiated: Negotiated | null;
	readonly initialized: string | null;
	readonly asksForRoots?: boolean;
	readonly modernMeta: string | null;
	readonly logLevel: PackedRequest | null;
	readonly subscriptions: PackedRequests;
	readonly journal: PackedRequests;
	readonly early?: readonly string[];
	readonly lost?: readonly (readonly [key: string, tool: string])[];
	readonly journalOverflow?: number;
};
