import { isPrivateName, publicFetch } from "./publicFetch.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const MOST_REDIRECTS = 3;

/**
 * A fetch for addresses that a server names in its metadata. The server's own origin was chosen by the user and is
 * reached as it is; anything else must be https on the public network. A redirect is followed inside one origin only.
 */
export function guardedFetch(server: URL, inner: Fetch = fetch, outer: Fetch = publicFetch): Fetch {
	const local = isPrivateName(server.hostname);
	const reach = async (url: URL, init: RequestInit): Promise<Response> => {
		// A server on this machine may use an authorization server on this machine.
		if (url.origin === server.origin || (local && isPrivateName(url.hostname))) return inner(url, init);
		if (url.protocol !== "https:") throw new Error(`${url.origin} is not reached: expected https`);
		return outer(url, init);
	};
	return async (address, init = {}) => {
		let url = new URL(String(address));
		for (let redirects = 0; ; redirects++) {
			const response = await reach(url, { ...init, redirect: "manual" });
			// With `redirect: "manual"` the caller handles redirects itself.
			if (init.redirect === "manual" || !isRedirect(response)) return response;
			await response.body?.cancel();
			const next = URL.parse(response.headers.get("location") ?? "", url.href);
			if (next?.origin !== url.origin || (init.method ?? "GET") !== "GET" || redirects >= MOST_REDIRECTS)
				throw new Error(`${url.origin} is not followed: it redirects elsewhere`);
			url = next;
		}
	};
}

function isRedirect({ status, type }: Response): boolean {
	return type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304);
}
