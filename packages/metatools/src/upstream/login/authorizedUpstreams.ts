import { type OpenTransport, openTransportWith } from "../transport.ts";
import { guardedFetch } from "./guardedFetch.ts";
import type { StoredLogin } from "./storedLogin.ts";
import { TokenStore } from "./tokenStore.ts";
import { upstreamProvider } from "./upstreamProvider.ts";

/**
 * Opens connections with the tokens stored by `metatools login`; our own callers' tokens are never sent. A server without
 * a stored login gets no token and none of its metadata is followed: it can only say that it requires a login.
 */
export function openAuthorized(environment: NodeJS.ProcessEnv): OpenTransport {
	const store = new TokenStore(environment);
	return openTransportWith((spec) => {
		// The old SSE transport does all of its fetching with one fetch, and without a login it may be redirected.
		if (spec.kind === "sse" && !store.has(spec.url)) return {};
		return { authProvider: upstreamProvider(spec, store), fetch: guardedFetch(new URL(spec.url)) };
	});
}

/** The login stored for a server. One that has expired has no token any more, but nobody has deleted it. */
export function storedLogins(environment: NodeJS.ProcessEnv): StoredLogin {
	const store = new TokenStore(environment);
	return (spec) => (spec.kind === "stdio" || !store.has(spec.url) ? undefined : { token: store.accessToken(spec.url) });
}
