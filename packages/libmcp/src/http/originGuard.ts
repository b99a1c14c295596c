import type { IncomingMessage } from "node:http";
import { HttpRefusal } from "./refusal.ts";

export type OriginPolicy = {
	/** Host names this server accepts, without port; undefined accepts any name. */
	readonly hosts: readonly string[] | undefined;
	/** Web origins that may call, as `scheme://host[:port]`, in addition to pages on the allowed hosts. */
	readonly origins: readonly string[];
	/** Whether pages at any port of this machine may call, as a browser's MCP inspector does. Default: they may. */
	readonly localPages?: boolean;
};

/** Names that always mean this machine. */
export const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Defends against DNS rebinding: an attacker can point a host name at this machine, and its pages must not get in. */
export function checkOrigin(request: IncomingMessage, policy: OriginPolicy): void {
	const host = request.headers.host ?? "";
	if (namesTwoHosts(request)) throw new HttpRefusal("BAD_REQUEST", "host: expected one Host header, got several");
	if (policy.hosts !== undefined && !policy.hosts.includes(hostName(host))) {
		throw new HttpRefusal("FORBIDDEN_HOST", `host: ${JSON.stringify(host.slice(0, 80))} is not a name of this server`);
	}
	const { origin } = request.headers;
	if (origin !== undefined && !isAllowedOrigin(origin, policy) && !isOwnPage(origin, host)) {
		throw new HttpRefusal(
			"FORBIDDEN_ORIGIN",
			`origin: ${JSON.stringify(origin.slice(0, 80))} may not call this server`,
		);
	}
}

export function isAllowedOrigin(origin: string, policy: OriginPolicy): boolean {
	if (policy.origins.includes(origin)) return true;
	const name = webAddress(origin)?.hostname;
	if (name === undefined || (policy.localPages === false && LOOPBACK_NAMES.includes(name))) return false;
	return policy.hosts?.includes(name) === true;
}

/** A page that this server served may call it: where any host name is accepted, a token is required too. */
function isOwnPage(origin: string, host: string): boolean {
	return webAddress(origin)?.host === host.toLowerCase();
}

/** Undefined for the origins of pages that no web server sent, such as `null`. */
function webAddress(origin: string): URL | undefined {
	const address = URL.parse(origin) ?? undefined;
	return address?.protocol === "http:" || address?.protocol === "https:" ? address : undefined;
}

/** Node keeps the first Host header; a proxy may have used the second. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
	let hosts = 0;
	for (let at = 0; at < rawHeaders.length; at += 2) {
		const name = rawHeaders[at];
		if (name?.length === 4 && name.toLowerCase() === "host") hosts++;
	}
	return hosts > 1;
}

function hostName(host: string): string {
	return host.replace(/:\d+$/, "").toLowerCase();
}
