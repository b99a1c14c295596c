import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Networks a server must not be able to send us into by naming an address there. */
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
for (const [net, bits] of [
	["::", 127],
	["fc00::", 7],
	["fe80::", 10],
	["ff00::", 8],
	["64:ff9b::", 96],
] as const)
	PRIVATE.addSubnet(net, bits, "ipv6");

/**
 * A fetch for addresses that a server names in its metadata. The server's own origin was chosen by the user and is
 * reached as it is; anything else must be https on the public network, and may not lead elsewhere by redirect.
 */
export function guardedFetch(server: URL, inner: Fetch = fetch): Fetch {
	const local = isPrivateName(server.hostname);
	return async (address, init) => {
		const url = new URL(String(address));
		if (url.origin === server.origin) return inner(url, init);
		// A server on this machine may use an authorization server on this machine.
		if (!(local && isPrivateName(url.hostname))) {
			if (url.protocol !== "https:") throw new Error(`${url.origin} is not reached: expected https`);
			if (await isPrivate(url.hostname)) throw new Error(`${url.origin} is not reached: it is on a private network`);
		}
		return inner(url, { ...init, redirect: "error" });
	};
}

function isPrivateName(hostname: string): boolean {
	const bare = hostname.replace(/^\[|\]$/g, "");
	return bare === "localhost" || (isIP(bare) !== 0 && isPrivateAddress(bare));
}

async function isPrivate(hostname: string): Promise<boolean> {
	if (isPrivateName(hostname)) return true;
	const found = await lookup(hostname.replace(/^\[|\]$/g, ""), { all: true });
	return found.some(({ address }) => isPrivateAddress(address));
}

export function isPrivateAddress(address: string): boolean {
	const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
	if (mapped !== undefined) return PRIVATE.check(mapped, "ipv4");
	return PRIVATE.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
