import type { FrameEvent } from "libmcp/serve";

/** The largest request, in UTF-8 bytes of its line without surrounding white space. */
const MAX_REQUEST_BYTES = 1024 * 1024;
// White space allowed around a request, such as a carriage return.
const MAX_BLANKS = 1024;

/** The host leaves larger requests to the worker, because reading them takes about 25 bytes of memory per byte. */
export const LARGEST_READ_BY_HOST: number = 256 * 1024;

/** The longest line that is kept in memory; a longer one is refused. */
export const MAX_LINE_BYTES: number = MAX_REQUEST_BYTES + MAX_BLANKS;

type WholeLine = Extract<FrameEvent, { readonly type: "frame" | "residue" }>;

export function isWithinLimit(event: FrameEvent): event is WholeLine {
	if (event.type !== "frame" && event.type !== "residue") return false;
	let start = 0;
	let end = event.bytes.length;
	while (end > MAX_REQUEST_BYTES && isBlank(event.bytes[end - 1])) end -= 1;
	while (end - start > MAX_REQUEST_BYTES && isBlank(event.bytes[start])) start += 1;
	return end - start <= MAX_REQUEST_BYTES;
}

function isBlank(byte: number | undefined): boolean {
	return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
