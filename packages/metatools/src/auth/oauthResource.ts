import type { JWTPayload } from "jose";
import type { Principal } from "libmcp";
import { type Authenticate, bearerOf, HttpRefusal, type Route, unauthorized } from "libmcp/http";
import { createIssuerKeys, type Issuer } from "./issuerKeys.ts";
import { readObject, readTexts, readWebAddress, refuseOthers } from "./section.ts";

/** The authorization server whose tokens are accepted, and what they must say. */
export type OAuthSettings = Issuer & {
	/** The address of this server, as tokens must name it. */
	readonly audience: string;
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

export function readOAuth(value: unknown): OAuthSettings {
	const section = readObject(value, "auth.oauth");
	refuseOthers(section, ["issuer", "audience", "jwks_uri", "scopes"], "auth.oauth");
	const jwksUri =
		section.jwks_uri === undefined ? {} : { jwksUri: readWebAddress(section.jwks_uri, "auth.oauth.jwks_uri") };
	return {
		issuer: readWebAddress(section.issuer, "auth.oauth.issuer"),
		audience: readWebAddress(section.audience, "auth.oauth.audience"),
		...jwksUri,
		scopes: readTexts(section.scopes, "auth.oauth.scopes"),
	};
}

/** An OAuth 2.1 resource server: tokens of one issuer, made out for this address, checked against its published keys. */
export function createOAuthResource(settings: OAuthSettings): OAuthResource {
	const resource = new URL(settings.audience);
	const metadataPath = `${WELL_KNOWN}${resource.pathname === "/" ? "" : resource.pathname}`;
	const challenge = challengeOf(`${resource.origin}${metadataPath}`, settings.scopes);
	const keys = createIssuerKeys(settings);
	const verify = async (token: string): Promise<JWTPayload> => {
		const { jwtVerify } = await import("jose");
		const known = await keys();
		try {
			const { payload } = await jwtVerify(token, known, {
				issuer: settings.issuer,
				audience: settings.audience,
				algorithms: ALGORITHMS,
				clockTolerance: CLOCK_SKEW_S,
				requiredClaims: ["exp"],
			});
			return payload;
		} catch (thrown) {
			if (thrown instanceof HttpRefusal) throw thrown;
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

function principalOf(payload: JWTPayload): Principal {
	const { sub, scope, client_id: client } = payload;
	const id = sub ?? (typeof client === "string" ? client : "anonymous");
	const scopes = typeof scope === "string" ? scope.split(" ").filter((part) => part !== "") : [];
	return { id, scopes, claims: payload };
}

function challengeOf(metadata: string, scopes: readonly string[]): string {
	return `Bearer resource_metadata="${metadata}"${scopes.length > 0 ? `, scope="${scopes.join(" ")}"` : ""}`;
}
