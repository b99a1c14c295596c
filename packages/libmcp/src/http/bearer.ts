import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Principal } from "../server/dispatcher.ts";
import { HttpRefusal } from "./refusal.ts";

/** Identifies the caller, or throws an `HttpRefusal`. Returns undefined if no credentials are required. */
export type Authenticate = (request: IncomingMessage) => Principal | undefined | Promise<Principal | undefined>;

/** Accepts fixed tokens, each for one principal. */
export function bearerTokens(tokens: Readonly<Record<string, Principal>>): Authenticate {
	// All digests have the same length, so comparing them reveals nothing about the token, not even its length.
	const known = Object.entries(tokens).map(([token, principal]) => ({ digest: digest(token), principal }));
	return (request) => {
		const given = digest(bearerOf(request));
		let found: Principal | undefined;
		for (const { digest: expected, principal } of known) if (timingSafeEqual(expected, given)) found = principal;
		if (found === undefined) throw unauthorized("the token is not known here", 'Bearer error="invalid_token"');
		return found;
	};
}

/** The token of the Authorization header; tokens anywhere else (query, cookie) are ignored. */
export function bearerOf(request: IncomingMessage, challenge: string = "Bearer"): string {
	const { authorization = "" } = request.headers;
	const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
	if (token !== undefined) return token;
	// A missing token gets a challenge; a malformed one is a client error that a challenge would not fix.
	if (!/^Bearer\b/i.test(authorization)) throw unauthorized("authorization: expected a bearer token", challenge);
	throw new HttpRefusal("BAD_REQUEST", "authorization: expected one token after Bearer", {
		"www-authenticate": `${challenge}${challenge === "Bearer" ? " " : ", "}error="invalid_request"`,
	});
}

/** A 401 whose `WWW-Authenticate` header says how to authenticate. */
export function unauthorized(message: string, challenge: string): HttpRefusal {
	return new HttpRefusal("UNAUTHORIZED", message, { "www-authenticate": challenge });
}

function digest(token: string): Buffer {
	return createHash("sha256").update(token).digest();
}
