import { lookup } from "node:dns";
import { request } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { isObject } from "../../contract/json.ts";
import { maskSecrets } from "../secrets/maskSecrets.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const MOST_REDIRECTS = 3;

/**
 * A fetch for addresses that a server names in its metadata. The server's own origin was chosen by the user and is
 * reached as it is; anything else must be https on the public network. A redirect is followed inside one origin only.
 */
export function createGuardedFetch(server: URL, inner: Fetch = fetch): Fetch {
	const reach = async (url: URL, init: RequestInit): Promise<Response> => {
		if (url.origin === server.origin || isNear(server, url)) return inner(url, init);
		if (url.protocol !== "https:") throw new Error(`${url.origin} is not reached: expected https`);
		return fetchPublic(url, init);
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
	const [own, other] = [findPlaceOfName(server.hostname), findPlaceOfName(url.hostname)];
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

/** Private networks, into which a server must not be able to direct us. */
const PRIVATE = new BlockList();
for (const [net, bits] of [
	["0.0.0.0", 8],
	["10.0.0.0", 8],
	["100.64.0.0", 10],
	["127.0.0.0", 8],
	["169.254.0.0", 16],
	["172.16.0.0", 12],
	["192.0.0.0", 24],
	["192.168.0.0", 16],
	["198.18.0.0", 15],
	["224.0.0.0", 3],
] as const)
	PRIVATE.addSubnet(net, bits, "ipv4");
/** Globally routed IPv6; the list after it has the ranges in it that embed IPv4 addresses or are for documentation. */
const PUBLIC_IPV6 = new BlockList();
PUBLIC_IPV6.addSubnet("2000::", 3, "ipv6");
const EMBEDDING_IPV6 = new BlockList();
for (const [net, bits] of [
	["2001::", 32],
	["2001:db8::", 32],
	["2002::", 16],
] as const)
	EMBEDDING_IPV6.addSubnet(net, bits, "ipv6");

const MACHINE = new BlockList();
MACHINE.addSubnet("127.0.0.0", 8, "ipv4");
MACHINE.addAddress("::1", "ipv6");
const LAN = new BlockList();
for (const [net, bits] of [
	["10.0.0.0", 8],
	["100.64.0.0", 10],
	["172.16.0.0", 12],
	["192.168.0.0", 16],
] as const)
	LAN.addSubnet(net, bits, "ipv4");
LAN.addSubnet("fc00::", 7, "ipv6");

const TIMEOUT_MS = 15_000;

/** Fetches over https from a public host. The address that is checked is the one connected to (no DNS rebinding). */
async function fetchPublic(address: string | URL, init: RequestInit = {}): Promise<Response> {
	const url = new URL(String(address));
	if (findPlaceOfName(url.hostname) !== "public") throw onPrivateNetwork(url.origin);
	const sent = new Request(url, init);
	const body = Buffer.from(await sent.arrayBuffer());
	const signal = AbortSignal.any([sent.signal, AbortSignal.timeout(TIMEOUT_MS)]);
	return new Promise((resolve, reject) => {
		const headers = { ...Object.fromEntries(sent.headers), "content-length": String(body.length) };
		const outgoing = request(url, { method: sent.method, headers, signal, lookup: lookUpPublic }, (incoming) => {
			const { statusCode = 502, statusMessage = "" } = incoming;
			const received = new Headers();
			for (const [name, values = []] of Object.entries(incoming.headersDistinct))
				for (const value of values) received.append(name, value);
			const empty = sent.method === "HEAD" || statusCode === 204 || statusCode === 304;
			if (empty) incoming.resume();
			resolve(
				new Response(empty ? null : Readable.toWeb(incoming), {
					status: statusCode,
					statusText: statusMessage,
					headers: received,
				}),
			);
		});
		outgoing.on("error", reject);
		outgoing.end(body);
	});
}

/** Resolves a name for a connection, and refuses when any of its addresses is a private one. */
export const lookUpPublic: LookupFunction = (hostname, options, found) => {
	lookup(hostname, { ...options, all: true }, (error, addresses) => {
		const [first] = addresses ?? [];
		if (error !== null || first === undefined) found(error ?? new Error(`${hostname} has no address`), []);
		else if (addresses.some(({ address }) => isPrivateAddress(address))) found(onPrivateNetwork(hostname), []);
		else if (options.all === true) found(null, addresses);
		else found(null, first.address, first.family);
	});
};

/** Where the host of an address is, as far as its name tells: other names are looked up when they are connected to. */
function findPlaceOfName(hostname: string): "machine" | "lan" | "private" | "public" {
	const bare = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
	if (/^(?:.*\.)?localhost$/i.test(bare)) return "machine";
	if (isIP(bare) === 0 || !isPrivateAddress(bare)) return "public";
	const family = isIP(bare) === 6 ? "ipv6" : "ipv4";
	if (MACHINE.check(bare, family)) return "machine";
	return LAN.check(bare, family) ? "lan" : "private";
}

export function isPrivateAddress(address: string): boolean {
	if (isIP(address) !== 6) return PRIVATE.check(address, "ipv4");
	const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
	if (mapped !== undefined) return PRIVATE.check(mapped, "ipv4");
	return !PUBLIC_IPV6.check(address, "ipv6") || EMBEDDING_IPV6.check(address, "ipv6");
}

function onPrivateNetwork(place: string): Error {
	return new Error(`${place} is not reached: it is on a private network`);
}

type MaskableFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The fields of a token request that are no secrets; all others are taken for some. */
const PUBLIC_FIELDS = new Set(["client_id", "grant_type", "redirect_uri", "resource", "scope"]);

/**
 * A fetch for the SDK's OAuth client. Some servers quote what they were sent when they refuse it, and the SDK prints that
 * to stderr before it throws, so secrets are masked before it reads the answer.
 */
export function createMaskedFetch(inner: MaskableFetch): MaskableFetch {
	return async (url, init) => {
		const response = await inner(url, init);
		const secrets = secretsIn(init);
		if (response.body === null || secrets.length === 0) return response;
		const { status, statusText, headers } = response;
		return new Response(masked(await response.text(), secrets), { status, statusText, headers });
	};
}

function secretsIn({ body, headers }: RequestInit = {}): readonly string[] {
	if (!(body instanceof URLSearchParams)) return [];
	const fields = [...body].filter(([name]) => !PUBLIC_FIELDS.has(name)).map(([, value]) => value);
	const credentials = /^Basic (\S+)$/i.exec(new Headers(headers).get("authorization") ?? "")?.[1];
	if (credentials === undefined) return fields;
	const pair = atob(credentials);
	return [...fields, credentials, pair.slice(pair.indexOf(":") + 1)];
}

function masked(text: string, secrets: readonly string[]): string {
	let answer: unknown;
	try {
		answer = JSON.parse(text);
	} catch {
		// No JSON: masked as one text.
		return maskSecrets(text, secrets);
	}
	// An answer with tokens is passed on as it is: a server may send the same refresh token again.
	if (isObject(answer) && typeof answer.access_token === "string" && !("error" in answer)) return text;
	// Each text by itself, because JSON can spell a character in several ways.
	const cleaned = JSON.stringify(answer, (_, value) =>
		typeof value === "string" ? maskSecrets(value, secrets) : value,
	);
	return maskSecrets(cleaned, secrets);
}
