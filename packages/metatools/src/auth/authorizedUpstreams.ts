import { type OpenTransport, openTransportWith } from "../upstream/transport.ts";
import { guardedFetch } from "./guardedFetch.ts";
import { TokenStore } from "./tokenStore.ts";
import { upstreamProvider } from "./upstreamProvider.ts";

/**
 * Opens servers with the tokens of those somebody logged in to; our own callers' tokens never go there. To a server
 * nobody logged in to nothing is sent and none of its metadata is followed: it may only say that it wants a login.
 */
export function openAuthorized(environment: NodeJS.ProcessEnv): OpenTransport {
	const store = new TokenStore(environment);
	return openTransportWith((spec) => {
		if (!store.has(spec.url)) return {};
		return { authProvider: upstreamProvider(spec, store), fetch: guardedFetch(new URL(spec.url)) };
	});
}
