import { isLoopback } from "metatools";
import { TokenUnusable } from "./tokenUnusable.ts";

/** As many as a key in the configuration must have, which opens less. */
const SHORTEST = 16;
const SENDABLE = "letters, digits and any of - . _ ~ + / without blanks";

/**
 * A token that no client can send would lock everyone out, and an empty one would let everyone in; so would a short one
 * at an address that others can reach.
 */
export function usableToken(token: string, host: string): string {
	if (!/^[\w.~+/-]+=*$/.test(token)) throw new TokenUnusable(SENDABLE);
	if (token.length < SHORTEST && !isLoopback(host))
		throw new TokenUnusable(`${SHORTEST} characters or more, because others can reach ${host}`);
	return token;
}
