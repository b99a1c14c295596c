/** The same answer; `ended` is called once its body is over, however it ended, and whoever reads it has seen that. */
export function tellEnd({ body, status, statusText, headers }: Response, ended: () => void): Response {
	const reader = body?.getReader();
	const watched = new ReadableStream<Uint8Array>({
		async pull(controller) {
			try {
				const next = await reader?.read();
				if (next?.value !== undefined) return controller.enqueue(next.value);
				controller.close();
			} catch (thrown) {
				controller.error(thrown);
			}
			setImmediate(ended);
		},
		cancel: (reason) => reader?.cancel(reason),
	});
	return new Response(watched, { status, statusText, headers });
}
