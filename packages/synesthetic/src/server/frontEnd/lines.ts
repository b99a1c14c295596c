import { errorBody, type FrameEvent, writeStderr } from "libmcp/serve";
import { stringifyJson } from "../../json/stringifyJson.ts";
import type { ToolResult } from "../../results.ts";

const CAPACITY = 256 * 1024;
// A UTF-16 code unit takes at most three bytes in UTF-8.
const MOST_BYTES = 3;
const NEWLINE = 0x0a;

type Piece = string | Buffer;
/**
 * A line of output without its newline, whole or in pieces. Buffers in pieces are soon overwritten: copy them at once.
 */
export type Line = Piece | readonly Piece[];

/**
 * Collects lines until `flush` is called. It cannot flush on its own, because a worker blocks while it reads and may
 * have no turn of the event loop. Each line is copied at once into reused memory: joining strings and encoding them
 * later takes ten times as long.
 */
export class LineBuffer {
	readonly #write: (bytes: Buffer) => void;
	readonly #memory: Buffer = Buffer.allocUnsafeSlow(CAPACITY);
	#used = 0;

	/** `write` must not use the bytes after it returns. */
	constructor(write: (bytes: Buffer) => void) {
		this.#write = write;
	}

	write(line: Line): void {
		const most = mostBytes(line) + 1;
		if (this.#used + most > CAPACITY) this.flush();
		if (most > CAPACITY) {
			this.#write(Buffer.concat([Buffer.from(joinLine(line)), Buffer.of(NEWLINE)]));
			return;
		}
		if (isWhole(line)) this.#put(line);
		else for (const piece of line) this.#put(piece);
		this.#memory[this.#used] = NEWLINE;
		this.#used += 1;
	}

	flush(): void {
		if (this.#used === 0) return;
		this.#write(this.#memory.subarray(0, this.#used));
		this.#used = 0;
	}

	#put(piece: Piece): void {
		this.#used +=
			typeof piece === "string" ? this.#memory.write(piece, this.#used) : piece.copy(this.#memory, this.#used);
	}
}

/** The line in one piece, which is not overwritten later. */
export function joinLine(line: Line): Piece {
	return isWhole(line) ? line : Buffer.concat(line.map((piece) => Buffer.from(piece)));
}

function isWhole(line: Line): line is Piece {
	return !Array.isArray(line);
}

function mostBytes(line: Line): number {
	if (typeof line === "string") return MOST_BYTES * line.length;
	if (isWhole(line)) return line.length;
	return line.reduce((sum, piece) => sum + mostBytes(piece), 0);
}

/** Collects lines and writes them together in the next microtask; a full buffer is written earlier. */
export class LineWriter {
	readonly #lines: LineBuffer;
	#due: boolean = false;

	/** `write` must not use the bytes after it returns. */
	constructor(write: (bytes: Buffer) => void) {
		this.#lines = new LineBuffer(write);
	}

	write(line: Line): void {
		this.#lines.write(line);
		if (this.#due) return;
		this.#due = true;
		queueMicrotask(() => this.flush());
	}

	flush(): void {
		this.#due = false;
		this.#lines.flush();
	}
}

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

/** Logs one line to stderr for the operator. */
export function logLine(text: string): void {
	writeStderr(`mcp:${text}\n`);
}

/** The text that every answer begins with, up to its id. */
export const BEFORE_ID = '{"jsonrpc":"2.0","id":';

/** The answer line for a result. `id` is JSON text, spelt as the client sent it. */
export function writeResult(id: string, result: ToolResult): string {
	return writeResultLine(id, stringifyJson(result));
}

/** Like `resultText`, for a result that is JSON text already. A buffer is not copied. */
export function writeResultLine(id: string, result: string): string;
export function writeResultLine(id: string, result: string | Buffer): Line;
export function writeResultLine(id: string, result: string | Buffer): Line {
	const before = `${BEFORE_ID}${id},"result":`;
	return typeof result === "string" ? `${before}${result}}` : [before, result, "}"];
}

export function writeError(id: string, error: unknown): string {
	return `${BEFORE_ID}${id},"error":${JSON.stringify(errorBody(error))}}`;
}

/**
 * The members of a tools/call result. Built as text, because the result is text already and is sent twice: as a value
 * and as a string.
 */
export function writeToolMembers(result: string, isError: boolean): string {
	const content = `"content":[{"type":"text","text":${JSON.stringify(result)}}],"structuredContent":${result}`;
	return isError ? `${content},"isError":true` : content;
}
