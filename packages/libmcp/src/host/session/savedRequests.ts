import { Buffer } from "node:buffer";
import type { Span } from "../../wire/envelope.ts";
import type { Call } from "../worker/call.ts";

/** A request that is repeated to every new worker, byte for byte except for its id. */
export type SavedRequest = { readonly frame: Buffer; readonly idSpan: Span };

/** Limit on the bytes of one `SavedRequests`. */
export const MAX_SAVED_BYTES: number = 1024 * 1024;

/** A bounded map of requests by key. A newer request with the same key replaces the older one and moves to the end. */
export class SavedRequests {
	readonly #most: number;
	readonly #requests = new Map<string, SavedRequest>();
	#bytes = 0;

	constructor(most: number) {
		this.#most = most;
	}

	values(): Iterable<SavedRequest> {
		return this.#requests.values();
	}

	/** False when there is no room; the previous request under that key is dropped either way. */
	keep(key: string, call: Call): boolean {
		this.forget(key);
		if (this.#requests.size >= this.#most || this.#bytes + call.frame.length > MAX_SAVED_BYTES) return false;
		this.#put(key, saveRequest(call));
		return true;
	}

	forget(key: string): boolean {
		this.#bytes -= this.#requests.get(key)?.frame.length ?? 0;
		return this.#requests.delete(key);
	}

	has(key: string): boolean {
		return this.#requests.has(key);
	}

	keyOf(saved: SavedRequest): string | undefined {
		for (const [key, one] of this.#requests) if (one === saved) return key;
		return undefined;
	}

	state(): PackedRequests {
		return Array.from(this.#requests, ([key, saved]) => [key, packRequest(saved)]);
	}

	adopt(state: PackedRequests): void {
		for (const [key, saved] of state) this.#put(key, unpackRequest(saved));
	}

	#put(key: string, saved: SavedRequest): void {
		this.#requests.set(key, saved);
		this.#bytes += saved.frame.length;
	}
}

/** Copies the frame, so that a request kept for the whole session does not keep its whole chunk in memory. */
export function saveRequest({ frame, envelope }: Call): SavedRequest {
	return { frame: Buffer.from(frame), idSpan: envelope.idSpan };
}

/** A saved request as JSON, with its bytes in base64. */
export type PackedRequest = { readonly frame: string; readonly idSpan: Span };
export type PackedRequests = readonly (readonly [key: string, saved: PackedRequest])[];

export function packRequest({ frame, idSpan }: SavedRequest): PackedRequest {
	return { frame: frame.toString("base64"), idSpan };
}

export function unpackRequest({ frame, idSpan }: PackedRequest): SavedRequest {
	return { frame: Buffer.from(frame, "base64"), idSpan };
}
