import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { HttpRefusal } from "./refusal.ts";

export const MAX_BODY_BYTES: number = 4 * 1024 * 1024;

/** The body of a request that is answered here after somebody else could not. */
const bodies = new WeakMap<IncomingMessage, Promise<Buffer>>();

/** Reads the whole body, or gives the one that was read before. */
export function readBody(request: IncomingMessage, maxBytes: number = MAX_BODY_BYTES): Promise<Buffer> {
	const known = bodies.get(request);
	if (known !== undefined) return known;
	const body = receiveBody(request, maxBytes);
	bodies.set(request, body);
	return body;
}

/** Reads the whole body; refuses as soon as it is too large or not JSON. */
function receiveBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
	const type = request.headers["content-type"];
	if (type === undefined || !/^application\/json\s*(?:;|$)/i.test(type)) {
		throw new HttpRefusal("UNSUPPORTED_MEDIA_TYPE", `content-type: expected application/json, got ${quote(type)}`);
	}
	const encoding = request.headers["content-encoding"];
	if (encoding !== undefined && encoding !== "identity") {
		throw new HttpRefusal("UNSUPPORTED_MEDIA_TYPE", `content-encoding: expected none, got ${quote(encoding)}`);
	}
	if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let size = 0;
		request.on("data", (chunk: Buffer) => {
			size += chunk.length;
			if (size > maxBytes) {
				request.removeAllListeners("data");
				request.resume();
				reject(tooLarge(maxBytes));
			} else chunks.push(chunk);
		});
		request.once("end", () =>
			resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
		);
		const endedEarly = (): void => {
			if (!request.complete) reject(new HttpRefusal("BAD_REQUEST", "the body ended early"));
		};
		request.once("error", endedEarly);
		request.once("close", endedEarly);
	});
}

function tooLarge(maxBytes: number): HttpRefusal {
	// The connection stays open and Node drops the rest: many clients read nothing before they have sent everything.
	return new HttpRefusal("BODY_TOO_LARGE", `the body may have at most ${maxBytes} bytes`);
}

function quote(value: string | undefined): string {
	return value === undefined ? "nothing" : JSON.stringify(value.slice(0, 80));
}

/** Which of the two kinds of answer the client takes; refuses a client that takes neither. */
export function findAccepted(request: IncomingMessage): { readonly json: boolean; readonly stream: boolean } {
	const ranges = rangesOf(request.headers.accept ?? "*/*");
	const json = takes(ranges, "application/json");
	const stream = takes(ranges, "text/event-stream");
	if (!json && !stream)
		throw new HttpRefusal("NOT_ACCEPTABLE", "accept: expected application/json and text/event-stream");
	return { json, stream };
}

/** Media ranges in lower case, and whether the client takes them: with the weight 0 it names what it does not take. */
function rangesOf(accept: string): ReadonlyMap<string, boolean> {
	return new Map(
		accept
			.toLowerCase()
			.split(",")
			.map((part) => {
				const [range = "", ...parameters] = part.split(";").map((text) => text.trim());
				return [range, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))];
			}),
	);
}

/** The most specific range decides. */
function takes(ranges: ReadonlyMap<string, boolean>, type: string): boolean {
	const whole = `${type.split("/")[0]}/*`;
	return ranges.get(type) ?? ranges.get(whole) ?? ranges.get("*/*") ?? false;
}
