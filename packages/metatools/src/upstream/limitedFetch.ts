type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A fetch whose answers cannot fill memory: a JSON body, or one event of a stream, over the limit ends the connection. */
export function createLimitedFetch(maxBytes: number, onOversize: (error: Error) => void, inner: Fetch = fetch): Fetch {
	return async (url, init) => {
		const response = await inner(url, init);
		if (response.body === null) return response;
		const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
		if (!isStream && isShort(response.headers, maxBytes)) return response;
		const body = response.body.pipeThrough(limiter(maxBytes, isStream, onOversize));
		return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
	};
}

/** Content-Length is reliable unless the body is compressed. */
function isShort(headers: Headers, maxBytes: number): boolean {
	const length = headers.get("content-length");
	return length !== null && Number(length) <= maxBytes && headers.get("content-encoding") === null;
}

function limiter(
	maxBytes: number,
	isStream: boolean,
	onOversize: (error: Error) => void,
): TransformStream<Uint8Array, Uint8Array> {
	const lines = new EmptyLines();
	let size = 0;
	return new TransformStream({
		transform(chunk, controller) {
			const boundary = isStream ? lines.lastIn(chunk) : -1;
			size = boundary < 0 ? size + chunk.length : chunk.length - boundary;
			if (size <= maxBytes) return controller.enqueue(chunk);
			const error = new Error(`The server sent a message over ${maxBytes} bytes.`);
			controller.error(error);
			onOversize(error);
		},
	});
}

const LF = 10;
const CR = 13;

/** Finds where events end: at an empty line, however lines end and wherever chunks are cut. */
class EmptyLines {
	#isEmpty = true;
	#afterCr = false;

	/** The position after the last empty line of this chunk; -1 if there is none. */
	lastIn(chunk: Uint8Array): number {
		let found = -1;
		for (let at = 0; at < chunk.length; at++) {
			const byte = chunk[at];
			const endsLine = byte === CR || (byte === LF && !this.#afterCr);
			if (endsLine && this.#isEmpty) found = at + 1;
			// The LF of a CR LF does not end another line.
			if (byte !== LF || !this.#afterCr) this.#isEmpty = endsLine;
			this.#afterCr = byte === CR;
		}
		return found;
	}
}
