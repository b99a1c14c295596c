import type { IncomingMessage } from "node:http";
import type { Principal, RpcContext } from "libmcp";
import { type Authenticate, bearerTokens, HttpRefusal, type Route } from "libmcp/http";
import {
	type Config,
	checkServing,
	followAuth,
	isLoopback,
	type JsonObject,
	LOCAL_VIEWER,
	type SiteRules,
	type Viewer,
} from "metatools";

/** Said to everybody who would need the owner's token where there is none. */
export const NO_OWNER = "the console and its API need --token, which holdfast up was started without";

/** Authentication for the product: who may connect, and as whom. */
export type Lock = {
	/** The current access rules; the same object until the configuration changes. */
	readonly rules: () => SiteRules;
	/** Whether credentials are required. */
	readonly locked: boolean;
	/** Whether credentials are required and none are the owner's, so that nobody can open the console. */
	readonly ownerless: boolean;
	readonly viewerOf: (context: Pick<RpcContext, "principal">) => Viewer;
	readonly viewerOfPrincipal: (principal: Principal) => Viewer;
	/** Restricts a route to the owner: the console's API sees everything and controls servers. */
	forOwner(route: Route): Route;
};

/** The holder of `token` is the owner; the configuration's current `auth` decides who everybody else is. */
export function createLock(auth: () => JsonObject, token: string | undefined, host: string): Lock {
	const configured = followAuth(auth);
	// No key and no token's subject may have this name, by which sessions and connections are told apart.
	const owner: Principal = { id: LOCAL_VIEWER.id, scopes: [] };
	const owners = new WeakSet<IncomingMessage>();
	const isOwner = token === undefined ? undefined : ownerToken(token);
	const viewerOfPrincipal = (principal: Principal): Viewer =>
		principal === owner ? LOCAL_VIEWER : (configured().viewerOf?.(principal) ?? principal);
	let seen: SiteRules | undefined;
	let rules: SiteRules = {};
	const current = (): SiteRules => {
		const now = configured();
		if (now === seen) return rules;
		seen = now;
		const authenticate = isOwner === undefined ? now.authenticate : either(isOwner, now.authenticate);
		rules = { ...now, ...(authenticate !== undefined && { authenticate }), viewerOf: viewerOfPrincipal };
		return rules;
	};
	return {
		rules: current,
		get locked() {
			return current().authenticate !== undefined;
		},
		get ownerless() {
			return token === undefined && current().authenticate !== undefined;
		},
		viewerOf: ({ principal }) => (principal === undefined ? LOCAL_VIEWER : viewerOfPrincipal(principal)),
		viewerOfPrincipal,
		forOwner: (route) => (request, response, path) => {
			if (current().authenticate === undefined || owners.has(request)) return route(request, response, path);
			throw new HttpRefusal(
				"FORBIDDEN",
				token === undefined ? NO_OWNER : "this is for whoever holds the token of holdfast up",
			);
		},
	};

	function ownerToken(secret: string): Authenticate {
		const known = bearerTokens({ [checkToken(secret, host)]: owner });
		return async (request) => {
			const principal = await known(request);
			owners.add(request);
			return principal;
		};
	}
}

function either(first: Authenticate, second: Authenticate | undefined): Authenticate {
	if (second === undefined) return first;
	return async (request) => {
		try {
			return await first(request);
		} catch (thrown) {
			if (thrown instanceof HttpRefusal) return second(request);
			throw thrown;
		}
	};
}

/** Throws an Error that names the setting with which the product cannot be served. */
export function checkProduct(config: Config, token: string | undefined): void {
	const { host } = config.settings;
	checkServing(config, host, createLock(() => config.sections.auth, token, host).rules());
}

/** As many as a key in the configuration must have, which opens less. */
const SHORTEST = 16;
const SENDABLE = "letters, digits and any of - . _ ~ + / without blanks";

/**
 * A token that no client can send would lock everyone out, and an empty one would let everyone in; so would a short one
 * at an address that others can reach.
 */
export function checkToken(token: string, host: string): string {
	if (!/^[\w.~+/-]+=*$/.test(token)) throw new TokenUnusable(SENDABLE);
	if (token.length < SHORTEST && !isLoopback(host))
		throw new TokenUnusable(`${SHORTEST} characters or more, because others can reach ${host}`);
	return token;
}

/** Thrown for a token that no client could send, or that others could guess. */
export class TokenUnusable extends Error {
	override readonly name = "TokenUnusable";
	readonly expected: string;

	constructor(expected: string) {
		super(`token: expected ${expected}`);
		this.expected = expected;
	}
}
