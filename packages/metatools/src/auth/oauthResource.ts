import type { JWTPayload, JWTVerifyGetKey } from "jose";
import type { Principal } from "libmcp";
import { type Authenticate, bearerOf, HttpRefusal, type Route, unauthorized } from "libmcp/http";
import { readObject, readText, readTexts, refuseOthers } from "./section.ts";

export type OAuthSettings = {
	/** The authorization server whose tokens are accepted. */
	readonly issuer: string;
	/** The address of this server, as tokens must name it. */
	readonly audience: string;
	readonly jwksUri?: string;
	/** Scopes every request needs. */
	readonly scopes: readonly string[];
};

export type OAuthResource = {
	readonly authenticate: Authenticate;
	readonly metadataRoute: Route;
	readonly challenge: string;
};

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
// Asymmetric algorithms only: with HMAC the public key itself could be used as the secret.
const ALGORITHMS = [
	"RS256",
	"RS384",
	"RS512",
	"PS256",
	"PS384",
	"PS512",
	"ES256",
	"ES384",
	"ES512",
	"EdDSA",
	"Ed25519",
];
const CLOCK_SKEW_S = 30;
const DISCOVERY_TIMEOUT_MS = 5_000;
const RETRY_KEYS_MS = 2_000;

export function readOAuth(value: unknown): OAuthSettings {
	const section = readObject(value, "auth.oauth");
	refuseOthers(section, ["issuer", "audience", "jwks_uri", "scopes"], "auth.oauth");
	const jwksUri =
		section.jwks_uri === undefined ? {} : { jwksUri: webAddress(section.jwks_uri, "auth.oauth.jwks_uri") };
	return {
		issuer: webAddress(section.issuer, "auth.oauth.issuer"),
		audience: webAddress(section.audience, "auth.oauth.audience"),
		...jwksUri,
		scopes: readTexts(section.scopes, "auth.oauth.scopes"),
	};
}

/** An OAuth 2.1 resource server: tokens of one issuer, made out for this address, checked against its published keys. */
export function oauthResource(settings: OAuthSettings): OAuthResource {
	const resource = new URL(settings.audience);
	const metadataPath = `${WELL_KNOWN}${resource.pathname === "/" ? "" : resource.pathname}`;
	const challenge = challengeOf(`${resource.origin}${metadataPath}`, settings.scopes);
	let keys: Promise<JWTVerifyGetKey> | undefined;
	const verify = async (token: string): Promise<JWTPayload> => {
		const { jwtVerify } = await import("jose");
		keys ??= keySet(settings).catch((thrown: unknown) => {
			// Retried only after a pause: callers without a token must not be able to make us flood the issuer.
			setTimeout(() => {
				keys = undefined;
			}, RETRY_KEYS_MS).unref();
			throw thrown;
		});
		const known = await keys;
		try {
			const { payload } = await jwtVerify(token, known, {
				issuer: settings.issuer,
				audience: settings.audience,
				algorithms: ALGORITHMS,
				clockTolerance: CLOCK_SKEW_S,
				requiredClaims: ["exp"],
			});
			return payload;
		} catch {
			// The caller is not told which check failed.
			throw unauthorized("the token is not valid here", `${challenge}, error="invalid_token"`);
		}
	};
	return {
		challenge,
		async authenticate(request) {
			const principal = principalOf(await verify(bearerOf(request, challenge)));
			const missing = settings.scopes.filter((scope) => !principal.scopes.includes(scope));
			if (missing.length === 0) return principal;
			throw new HttpRefusal("FORBIDDEN", `the token lacks ${missing.join(" ")}`, {
				"www-authenticate": `${challenge}, error="insufficient_scope"`,
			});
		},
		metadataRoute(request, response, path) {
			if (request.method !== "GET" || (path !== metadataPath && path !== WELL_KNOWN)) return false;
			response.writeHead(200, { "content-type": "application/json", "cache-control": "max-age=300" });
			response.end(
				JSON.stringify({
					resource: settings.audience,
					authorization_servers: [settings.issuer],
					bearer_methods_supported: ["header"],
					...(settings.scopes.length > 0 && { scopes_supported: settings.scopes }),
				}),
			);
			return true;
		},
	};
}

async function keySet({ issuer, jwksUri }: OAuthSettings): Promise<JWTVerifyGetKey> {
	const { createRemoteJWKSet } = await import("jose");
	return createRemoteJWKSet(new URL(jwksUri ?? (await discoverKeys(issuer))));
}

/** Finds the address of the issuer's keys in either kind of metadata. */
async function discoverKeys(issuer: string): Promise<string> {
	const { origin, pathname } = new URL(issuer);
	const path = pathname.replace(/\/$/, "");
	const candidates = [
		`${origin}/.well-known/oauth-authorization-server${path}`,
		`${origin}/.well-known/openid-configuration${path}`,
		`${origin}${path}/.well-known/openid-configuration`,
	];
	for (const candidate of candidates) {
		const found = await metadataAt(candidate);
		if (found?.issuer === issuer && typeof found.jwks_uri === "string") return webAddress(found.jwks_uri, "jwks_uri");
	}
	throw new Error(`auth.oauth.issuer: ${issuer} publishes no metadata of its own with a jwks_uri`);
}

async function metadataAt(address: string): Promise<Record<string, unknown> | undefined> {
	try {
		const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS) });
		return response.ok ? readObject(await response.json(), address) : undefined;
	} catch {
		return undefined;
	}
}

function principalOf(payload: JWTPayload): Principal {
	const { sub, scope, client_id: client } = payload;
	const id = sub ?? (typeof client === "string" ? client : "anonymous");
	const scopes = typeof scope === "string" ? scope.split(" ").filter((part) => part !== "") : [];
	return { id, scopes, claims: payload };
}

function challengeOf(metadata: string, scopes: readonly string[]): string {
	return `Bearer resource_metadata="${metadata}"${scopes.length > 0 ? `, scope="${scopes.join(" ")}"` : ""}`;
}

/** Accepts https anywhere, and http only on this machine. */
function webAddress(value: unknown, place: string): string {
	const text = readText(value, place);
	if (!URL.canParse(text)) throw new Error(`${place}: expected an address, got ${JSON.stringify(text)}`);
	const { protocol, hostname } = new URL(text);
	const local = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
	if (protocol === "https:" || (protocol === "http:" && local)) return text;
	throw new Error(`${place}: expected https, got ${JSON.stringify(text)}`);
}
