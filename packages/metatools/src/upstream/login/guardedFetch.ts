import { placeOfName, publicFetch } from "./publicFetch.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const MOST_REDIRECTS = 3;

/**
 * A fetch for addresses that a server names in its metadata. The server's own origin was chosen by the user and is
 * reached as it is; anything else must be https on the public network. A redirect is followed inside one origin only.
 */
export function guardedFetch(server: URL, inner: Fetch = fetch): Fetch {
	const reach = async (url: URL, init: RequestInit): Promise<Response> => {
		if (url.origin === server.origin || isNear(server, url)) return inner(url, init);
		if (url.protocol !== "https:") throw new Error(`${url.origin} is not reached: expected https`);
		return publicFetch(url, init);
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

/** Whether the server could reach an address on a private network itself, so that we are no help in attacking it. */
function isNear(server: URL, url: URL): boolean {
	const [own, other] = [placeOfName(server.hostname), placeOfName(url.hostname)];
	switch (own) {
		case "machine":
			return other !== "public";
		case "lan":
			return other === "lan";
		case "private":
			return url.hostname === server.hostname;
		case "public":
			return false;
	}
}

function isRedirect({ status, type }: Response): boolean {
	return type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304);
}
