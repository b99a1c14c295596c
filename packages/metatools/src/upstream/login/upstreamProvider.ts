import type {
	OAuthClientProvider,
	OAuthDiscoveryState,
	StoredOAuthClientInformation,
	StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { failureText } from "libmcp/command";
import { isObject, type JsonObject } from "../../contract/json.ts";
import { UpstreamError } from "../failure/failure.ts";
import type { HttpSpec } from "../spec.ts";
import { createOpenTransport, type OpenTransport } from "../transport.ts";
import { createGuardedFetch } from "./guardedFetch.ts";
import { type StoredLogin, TokenStore } from "./tokenStore.ts";

/** The server to log in to, and the client its owner may have registered for us. */
export type LoginServer = Pick<HttpSpec, "url" | "oauthClient">;

/** The SDK's view of a login, and the turn in which it is renewed. */
export type UpstreamProvider = OAuthClientProvider & {
	renewing<Value>(renew: () => Promise<Value>): Promise<Value>;
	/** Throws where a renewed login could not be stored: the refresh token would be spent, and the login lost. */
	proveStorable(): void;
};

type LoginMoment = {
	readonly redirectUrl: string;
	readonly state: string;
	/** Shows the user the address of the consent page. */
	show(address: URL): void;
};

/**
 * The SDK's OAuth client over our token store. Outside an interactive login nobody can give consent: tokens are used and
 * refreshed, and if that is not enough the server is marked as needing a login.
 */
export function createUpstreamProvider(server: LoginServer, store: TokenStore, moment?: LoginMoment): UpstreamProvider {
	const { url: serverUrl, oauthClient } = server;
	const registered =
		oauthClient !== undefined && "id" in oauthClient
			? { client_id: oauthClient.id, ...(oauthClient.secret !== undefined && { client_secret: oauthClient.secret }) }
			: undefined;
	// A login stores nothing until it has tokens, because other connections may write to the store meanwhile.
	const learned: Record<string, unknown> = {};
	const read = (): JsonObject => (moment === undefined ? store.read(serverUrl) : learned);
	const write = (changes: JsonObject): void => {
		if (moment === undefined) store.write(serverUrl, changes);
		else Object.assign(learned, changes);
	};
	const redirectUrl = (): string => moment?.redirectUrl ?? String(read().redirectUrl ?? "http://127.0.0.1/callback");
	let verifier = "";
	return {
		renewing: (renew) => store.inTurn(serverUrl, renew),
		proveStorable() {
			try {
				store.write(serverUrl, {});
			} catch (thrown) {
				throw new Error(`its login cannot be renewed now: ${failureText(thrown)}`, { cause: thrown });
			}
		},
		...(oauthClient !== undefined && "metadataUrl" in oauthClient && { clientMetadataUrl: oauthClient.metadataUrl }),
		get redirectUrl() {
			return redirectUrl();
		},
		get clientMetadata() {
			return {
				client_name: "metatools",
				redirect_uris: [redirectUrl()],
				grant_types: ["authorization_code", "refresh_token"],
				response_types: ["code"],
				token_endpoint_auth_method: "none",
				application_type: "native",
			};
		},
		...(moment !== undefined && { state: () => moment.state }),
		// The stored value came from the SDK, which also checks it against the issuer again.
		clientInformation: () => registered ?? (optional(read().client) as StoredOAuthClientInformation | undefined),
		saveClientInformation: (client) => write({ client, redirectUrl: redirectUrl() }),
		tokens: () => optional(read().tokens) as StoredOAuthTokens | undefined,
		saveTokens(tokens) {
			const changes = { tokens, wantedScope: undefined };
			if (moment === undefined) return store.keep(serverUrl, changes);
			return store.inTurn(serverUrl, () => store.write(serverUrl, { ...NOTHING, ...learned, ...changes }));
		},
		discoveryState: () => optional(read().discovery) as OAuthDiscoveryState | undefined,
		saveDiscoveryState: (discovery) => write({ discovery }),
		redirectToAuthorization(address) {
			if (moment === undefined) {
				// The next login asks for the missing scopes together with the old ones.
				store.write(serverUrl, { wantedScope: address.searchParams.get("scope") ?? undefined });
				throw new UpstreamError({ kind: "unauthorized", message: "it requires a login" });
			}
			if (address.protocol !== "https:" && address.protocol !== "http:") {
				throw new Error(`the server's login page: expected an http or https address, got ${address.protocol}`);
			}
			moment.show(address);
		},
		saveCodeVerifier(value) {
			verifier = value;
		},
		codeVerifier: () => verifier,
		invalidateCredentials(scope) {
			const gone = {
				all: ["client", "tokens", "discovery"],
				client: ["client"],
				tokens: ["tokens"],
				discovery: ["discovery"],
				verifier: [],
			}[scope];
			write(Object.fromEntries(gone.map((name) => [name, undefined])));
		},
	};
}

/** A new login starts from nothing: the redirect port differs, and the authorization server may have changed. */
const NOTHING = { client: undefined, redirectUrl: undefined, discovery: undefined };

function optional(value: unknown): JsonObject | undefined {
	return isObject(value) ? value : undefined;
}

/**
 * Opens connections with the tokens stored by `metatools login`; our own callers' tokens are never sent. A server without
 * a stored login gets no token and none of its metadata is followed: it can only say that it requires a login.
 */
export function openAuthorized(environment: NodeJS.ProcessEnv): OpenTransport {
	const store = new TokenStore(environment);
	return createOpenTransport((spec) => {
		// The old SSE transport does all of its fetching with one fetch, and without a login it may be redirected.
		if (spec.kind === "sse" && !store.has(spec.url)) return {};
		return { authProvider: createUpstreamProvider(spec, store), fetch: createGuardedFetch(new URL(spec.url)) };
	});
}

/** The login stored for a server. One that has expired has no token any more, but nobody has deleted it. */
export function createStoredLogin(environment: NodeJS.ProcessEnv): StoredLogin {
	const store = new TokenStore(environment);
	return (spec) => (spec.kind === "stdio" || !store.has(spec.url) ? undefined : { token: store.accessToken(spec.url) });
}
