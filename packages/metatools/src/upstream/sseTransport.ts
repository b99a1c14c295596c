import type { AuthProvider, Transport } from "@modelcontextprotocol/client";
import { hasFeature } from "libmcp";
import type { HttpAuth } from "./streamable/httpAuth.ts";
import { tellEnd } from "./tellEnd.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export type SseOptions = {
	readonly headers: Readonly<Record<string, string>>;
	readonly fetch: Fetch;
	readonly auth: HttpAuth | undefined;
};

/**
 * The SDK's transport for servers of revision 2024-11-05 (HTTP with SSE), with the same renewal of logins as the others. It
 * is closed when its stream ends: the SDK would open another, which is another session and has had no handshake.
 */
export async function sseTransport(url: URL, { headers, fetch, auth }: SseOptions): Promise<Transport> {
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
