type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A fetch whose answers cannot fill memory: a JSON body, or one event of a stream, over the limit ends the connection. */
export function limitedFetch(maxBytes: number, onOversize: (error: Error) => void, inner: Fetch = fetch): Fetch {
	return async (url, init) => {
		const response = await inner(url, init);
		if (response.body === null) return response;
		const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
		const body = response.body.pipeThrough(limiter(maxBytes, isStream, onOversize));
		return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
	};
}

function limiter(
	maxBytes: number,
	isStream: boolean,
	onOversize: (error: Error) => void,
): TransformStream<Uint8Array, Uint8Array> {
	let size = 0;
	return new TransformStream({
		transform(chunk, controller) {
			// An event ends at an empty line; finding the last newline pair only has to be right to within a chunk.
			const boundary = isStream ? lastEmptyLine(chunk) : -1;
			size = boundary < 0 ? size + chunk.length : chunk.length - boundary;
			if (size <= maxBytes) return controller.enqueue(chunk);
			const error = new Error(`The server sent a message over ${maxBytes} bytes.`);
			controller.error(error);
			onOversize(error);
		},
	});
}

function lastEmptyLine(chunk: Uint8Array): number {
	for (let at = chunk.length - 1; at > 0; at--) {
		if (chunk[at] !== 10) continue;
		const before = chunk[at - 1] === 13 ? at - 2 : at - 1;
		if (chunk[before] === 10) return at + 1;
	}
	return -1;
}
