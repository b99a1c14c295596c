import type { IncomingMessage } from "node:http";
import type { Principal, RpcContext } from "libmcp";
import { type Authenticate, bearerTokens, HttpRefusal, type Route } from "libmcp/http";
import { type JsonObject, LOCAL_VIEWER, readAuth, type SiteOptions, type Viewer } from "metatools";

/** Who may come in, and as whom. */
export type Lock = {
	/** What the address needs of it. */
	readonly site: Partial<SiteOptions> & { readonly viewerOf: (principal: Principal) => Viewer };
	/** Whether anybody is asked for anything. */
	readonly locked: boolean;
	readonly viewerOf: (context: RpcContext) => Viewer;
	/** The same route for the owner alone: what sees everything and steers servers is for nobody else. */
	forOwner(route: Route): Route;
};

/** The holder of `token` is the owner; everybody else is who the configuration's `auth` says. */
export function createLock(auth: JsonObject, token: string | undefined): Lock {
	const configured = readAuth(auth);
	const owner: Principal = { id: "owner", scopes: [] };
	const owners = new WeakSet<IncomingMessage>();
	const authenticate = token === undefined ? configured.authenticate : either(ownerToken(), configured.authenticate);
	// By the object and not by its id: a key may have any name.
	const viewerOf = (principal: Principal): Viewer =>
		principal === owner ? LOCAL_VIEWER : (configured.viewerOf?.(principal) ?? principal);
	return {
		site: { ...configured, ...(authenticate !== undefined && { authenticate }), viewerOf },
		locked: authenticate !== undefined,
		viewerOf: ({ principal }) => (principal === undefined ? LOCAL_VIEWER : viewerOf(principal)),
		forOwner: (route) => (request, response, path) => {
			if (authenticate === undefined || owners.has(request)) return route(request, response, path);
			throw new HttpRefusal("FORBIDDEN", "this is for whoever holds the token of holdfast up");
		},
	};

	function ownerToken(): Authenticate {
		const known = bearerTokens({ [checked(token ?? "")]: owner });
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

function checked(token: string): string {
	// What no client can send would lock everybody out, and nothing at all would let everybody in.
	if (/^[\w.~+/-]+=*$/.test(token)) return token;
	throw new Error("token: expected letters, digits and any of - . _ ~ + / without blanks");
}
