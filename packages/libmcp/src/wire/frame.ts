import type { Buffer } from "node:buffer";

/** The largest frame the SDK's own stdio transports accept: a host must not refuse what a direct pipe would carry. */
export const DEFAULT_MAX_FRAME_BYTES: number = 10 * 1024 * 1024;

/** How much of each end of a skipped frame is kept, enough to learn whose it was. */
export const OVERSIZE_EDGE_BYTES = 1024;

/** What a reader finds in a stream of bytes. Every event leaves the reader ready for the next frame. */
export type FrameEvent =
	| { readonly type: "frame"; readonly bytes: Buffer }
	/** A frame over the limit, skipped without being held: `size` counts its bytes, `head` and `tail` are its ends. */
	| { readonly type: "oversize"; readonly size: number; readonly head: Buffer; readonly tail: Buffer }
	/** A Content-Length header block that says nothing usable; skipped up to the next one. */
	| { readonly type: "bad-header"; readonly header: Buffer }
	/** The stream ended inside a frame. */
	| { readonly type: "residue"; readonly bytes: Buffer; readonly size: number };

export type FrameLimits = { readonly maxFrameBytes?: number };

/** Chunks in, frames out, whatever the chunking. A frame may share memory with the chunk it came in. */
export interface FrameReader {
	push(chunk: Uint8Array): FrameEvent[];
	/** The stream is over: at most one `residue` event. */
	end(): FrameEvent[];
	/** Takes the bytes of the unfinished frame, for whoever reads the stream next. */
	takeResidue(): Buffer;
	/** Bytes held for the unfinished frame. */
	readonly held: number;
}
