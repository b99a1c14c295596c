import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { CleatsError } from "../contract/errors.ts";
import { isLoopback } from "./source.ts";

const MOST_REDIRECTS = 5;
const UNREACHABLE = new Set(["ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH", "ECONNREFUSED", "ENETDOWN"]);

/**
 * Sends a GET and follows redirects, but never away from https or to this machine. Conditional headers go only to the
 * first host.
 */
export async function get(
	address: string,
	headers: Readonly<Record<string, string>>,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	let url = new URL(address);
	let sent = headers;
	for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
		if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
			throw new CleatsError("INVALID_REQUEST", `${url.protocol}//${url.host}: downloads are made over https`);
		}
		const response = await once(url, sent, signal);
		const { location } = response.headers;
		if (![301, 302, 303, 307, 308].includes(response.statusCode ?? 0) || location === undefined) return response;
		response.destroy();
		const next = redirected(url, location);
		// Range is harmless and needed by the final host; an ETag only means something to the host that issued it.
		if (next.host !== url.host) sent = Object.fromEntries(Object.entries(headers).filter(([name]) => name === "range"));
		url = next;
	}
	throw new CleatsError("CAPABILITY_MISSING", `${new URL(address).host}: more than ${MOST_REDIRECTS} redirects`);
}

function redirected(from: URL, location: string): URL {
	const refused = (why: string): CleatsError =>
		new CleatsError("INVALID_REQUEST", `${from.host} redirects ${why}; nothing was fetched`, { redirect: location });
	if (!URL.canParse(location, from.href)) throw refused("to no address");
	const next = new URL(location, from);
	const isLocal = next.protocol === "http:" && from.protocol === "http:" && isLoopback(next.hostname);
	if (next.protocol !== "https:" && !isLocal)
		throw refused(`to ${next.protocol}//${next.host}: downloads are made over https`);
	if (isLoopback(next.hostname) && !isLoopback(from.hostname)) throw refused("into this machine");
	if (next.username !== "" || next.password !== "") throw refused("to an address with credentials");
	return next;
}

function once(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage> {
	const library = url.protocol === "https:" ? https : http;
	// Loopback addresses bypass the proxy.
	const agent = new library.Agent(isLoopback(url.hostname) ? {} : { proxyEnv: process.env });
	return new Promise((resolve, reject) => {
		const request = library.get(
			url,
			{ agent, signal, headers: { "user-agent": "pairofcleats", "accept-encoding": "identity", ...headers } },
			resolve,
		);
		request.on("error", (error: NodeJS.ErrnoException) => reject(signal.aborted ? error : explained(error, url)));
	});
}

function explained(error: NodeJS.ErrnoException, url: URL): Error {
	if (!UNREACHABLE.has(error.code ?? ""))
		return new CleatsError("CAPABILITY_MISSING", `${url.host}: ${error.message}`, {}, { cause: error });
	return new CleatsError("CAPABILITY_MISSING", `${url.host} cannot be reached (${error.code})`, {
		hint: "This machine has no way to that host. Fetch the file elsewhere and name its path, or set HTTPS_PROXY.",
	});
}
