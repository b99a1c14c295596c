import type { AuthProvider, Transport } from "@modelcontextprotocol/client";
import { hasFeature } from "libmcp";
import type { HttpAuth } from "./httpAuth.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

type SseOptions = {
	readonly headers: Readonly<Record<string, string>>;
	readonly fetch: Fetch;
	readonly auth: HttpAuth | undefined;
};

/**
 * The SDK's transport for servers of revision 2024-11-05 (HTTP with SSE), with the same renewal of logins as the others. It
 * is closed when its stream ends: the SDK would open another, which is another session and has had no handshake.
 */
export async function openSseTransport(url: URL, { headers, fetch, auth }: SseOptions): Promise<Transport> {
	const { SSEClientTransport } = await import("@modelcontextprotocol/client");
	const requestInit = { headers: { ...headers } };
	const sent = new WeakMap<Response, string>();
	const watching: Fetch = async (to, init) => {
		const response = await fetch(to, init);
		const given = new Headers(init?.headers);
		const isStream = response.ok && given.get("accept") === "text/event-stream";
		if (isStream) return tellEnd(response, () => void transport.close());
		const [, token] = /^Bearer (.+)$/.exec(given.get("authorization") ?? "") ?? [];
		// Remember the token: if several messages are refused with the same one, only the first renews it.
		if (token !== undefined) sent.set(response, token);
		return response;
	};
	const authProvider: AuthProvider | undefined = auth && {
		token: () => auth.token(),
		async onUnauthorized({ response }) {
			const refusal = { status: response.status, challenge: response.headers.get("www-authenticate") };
			await auth.helps(refusal, { token: sent.get(response), renewals: 0, stepUps: 0 });
		},
	};
	const transport: Transport = new SSEClientTransport(url, {
		requestInit,
		fetch: watching,
		...(authProvider !== undefined && { authProvider }),
	});
	const name = transport.setProtocolVersion?.bind(transport);
	transport.setProtocolVersion = (revision) => {
		if (hasFeature(revision, "versionHeader")) name?.(revision);
	};
	return transport;
}

/** The same answer; `ended` is called once its body is over, however it ended, and whoever reads it has seen that. */
function tellEnd({ body, status, statusText, headers }: Response, ended: () => void): Response {
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
