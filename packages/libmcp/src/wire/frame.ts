import type { Buffer } from "node:buffer";

/** The largest frame that the SDK's stdio transports accept: a host must pass whatever a direct pipe would. */
export const DEFAULT_MAX_FRAME_BYTES: number = 10 * 1024 * 1024;

/** How much of each end of a skipped frame is kept, enough to find its id. */
export const OVERSIZE_EDGE_BYTES = 1024;

/** What a reader finds in a byte stream. After every event it is ready for the next frame. */
export type FrameEvent =
	| { readonly type: "frame"; readonly bytes: Buffer }
	/** A frame over the limit, skipped without keeping it: `size` counts its bytes, `head` and `tail` are its ends. */
	| { readonly type: "oversize"; readonly size: number; readonly head: Buffer; readonly tail: Buffer }
	/** A Content-Length header block without a usable length; skipped up to the next one. */
	| { readonly type: "bad-header"; readonly header: Buffer }
	/** The stream ended inside a frame. */
	| { readonly type: "residue"; readonly bytes: Buffer; readonly size: number };

export type FrameLimits = { readonly maxFrameBytes?: number };

/** Turns chunks into frames, however the stream is chunked. A frame may share memory with its chunk. */
export interface FrameReader {
	push(chunk: Uint8Array): FrameEvent[];
	/** Call when the stream ends; returns at most one event: `residue`, or `oversize` of a line over the limit. */
	end(): FrameEvent[];
	/** Takes the bytes of the unfinished frame, for the next reader of the stream. */
	takeResidue(): Buffer;
	/** The number of bytes kept for the unfinished frame. */
	readonly held: number;
}
