import type { AuthProvider, Transport } from "@modelcontextprotocol/client";
import type { HttpAuth } from "./streamable/httpAuth.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export type SseOptions = {
	readonly headers: Readonly<Record<string, string>>;
	readonly fetch: Fetch;
	readonly auth: HttpAuth | undefined;
};

/** The SDK's transport for servers of revision 2024-11-05 (HTTP with SSE), with the same renewal of logins as the others. */
export async function sseTransport(url: URL, { headers, fetch, auth }: SseOptions): Promise<Transport> {
	const { SSEClientTransport } = await import("@modelcontextprotocol/client");
	const requestInit = { headers: { ...headers } };
	if (auth === undefined) return new SSEClientTransport(url, { requestInit, fetch });
	const sent = new WeakMap<Response, string>();
	const authProvider: AuthProvider = {
		token: () => auth.token(),
		async onUnauthorized({ response }) {
			const refusal = { status: response.status, challenge: response.headers.get("www-authenticate") };
			await auth.helps(refusal, { token: sent.get(response), renewals: 0, stepUps: 0 });
		},
	};
	const remembering: Fetch = async (to, init) => {
		const response = await fetch(to, init);
		const [, token] = /^Bearer (.+)$/.exec(new Headers(init?.headers).get("authorization") ?? "") ?? [];
		// Remember the token: if several messages are refused with the same one, only the first renews it.
		if (token !== undefined) sent.set(response, token);
		return response;
	};
	return new SSEClientTransport(url, { requestInit, fetch: remembering, authProvider });
}
