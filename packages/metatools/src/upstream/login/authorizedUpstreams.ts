import type { StoredLogin } from "../keptConnection.ts";
import { type OpenTransport, openTransportWith } from "../transport.ts";
import { guardedFetch } from "./guardedFetch.ts";
import { TokenStore } from "./tokenStore.ts";
import { upstreamProvider } from "./upstreamProvider.ts";

/**
 * Opens connections with the tokens stored by `metatools login`; our own callers' tokens are never sent. A server without
 * a stored login gets no token and none of its metadata is followed: it can only say that it requires a login.
 */
export function openAuthorized(environment: NodeJS.ProcessEnv): OpenTransport {
	const store = new TokenStore(environment);
	return openTransportWith((spec) => {
		if (!store.has(spec.url)) return {};
		return { authProvider: upstreamProvider(spec, store), fetch: guardedFetch(new URL(spec.url)) };
	});
}

/** The access token stored for a server. Other parts of the store also change while nobody logs in. */
export function storedLogins(environment: NodeJS.ProcessEnv): StoredLogin {
	const store = new TokenStore(environment);
	return (spec) => (spec.kind === "stdio" ? undefined : store.accessToken(spec.url));
}
