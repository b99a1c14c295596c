import { isUtf8 } from "node:buffer";
import type { RequestId } from "libmcp/serve";
import { isPlainMethod } from "./dialect.ts";

/**
 * The head of a plain request, which is everything before its params. Only requests with their members in the usual
 * order are read this way.
 */
export type PlainFrame = {
	readonly id: RequestId;
	readonly idStart: number;
	readonly method: string;
	readonly paramsStart: number;
	/** The original id, if it is too long and `id` is a stand-in for it. */
	readonly ownId?: string;
};

/** A plain request and the frame it was read from. */
export type FramedPlain = { readonly plain: PlainFrame; readonly frame: Buffer };

const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
// Printable ASCII without quote and backslash, which needs no decoding.
const TEXT = String.raw`"[ !#-[\]-~]{0,64}"`;
const HEAD = new RegExp(
	String.raw`^(\{"jsonrpc": ?"2\.0", ?"id": ?)(${NUMBER}|${TEXT}), ?"method": ?"([a-z_]+)", ?"params": ?(?=\{)`,
);
const HEAD_BYTES = 256;
const CLOSE_BRACE = 0x7d;

/**
 * Reads the head of a frame without its params, which saves a pass over the bytes. Everything between `paramsStart`
 * and the last brace must then prove to be one JSON object; if not, the frame is read in full.
 */
export function plainFrame(frame: Buffer): PlainFrame | undefined {
	if (frame.at(-1) !== CLOSE_BRACE) return undefined;
	const match = HEAD.exec(frame.toString("latin1", 0, HEAD_BYTES));
	const [head = "", beforeId = "", id, method = ""] = match ?? [];
	if (id === undefined || !isPlainMethod(method) || !isUtf8(frame)) return undefined;
	return { id: id as RequestId, idStart: beforeId.length, method, paramsStart: head.length };
}

/** Writes a plain request as a frame, and returns it with its head as `plainFrame` would read it. */
export function writePlainFrame(id: RequestId, method: string, params: string): FramedPlain {
	const beforeId = '{"jsonrpc":"2.0","id":';
	const head = Buffer.from(`${beforeId}${id},"method":${JSON.stringify(method)},"params":`);
	const plain = { id, idStart: beforeId.length, method, paramsStart: head.length };
	return { plain, frame: Buffer.concat([head, Buffer.from(`${params}}`)]) };
}
