import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";

export type AuthorizationServer = {
	readonly issuer: string;
	token(options: { resource: string; scope: string }): Promise<string>;
	/** From then on nothing answers at its address. */
	close(): Promise<void>;
};

const SECRET = "a-secret-of-the-test";

/** A real authorization server, an existing package, that gives out JWT access tokens for any resource it is asked for. */
export async function authorizationServer(subject: string = "robot"): Promise<AuthorizationServer> {
	const server: Server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const { privateKey } = await generateKeyPair("ES256", { extractable: true });
	const key = { ...(await exportJWK(privateKey)), kid: "test", alg: "ES256", use: "sig" };
	const provider = new Provider(issuer, {
		jwks: { keys: [key] },
		clients: [
			{
				client_id: subject,
				client_secret: SECRET,
				grant_types: ["client_credentials"],
				redirect_uris: [],
				response_types: [],
				scope: "tools:read tools:run",
			},
		],
		scopes: ["tools:read", "tools:run"],
		// A public client on this machine registers itself and gets refresh tokens, as a gateway's would.
		clientDefaults: { id_token_signed_response_alg: "ES256" },
		issueRefreshToken: () => true,
		features: {
			devInteractions: { enabled: true },
			registration: { enabled: true },
			clientCredentials: { enabled: true },
			resourceIndicators: {
				enabled: true,
				useGrantedResource: () => true,
				getResourceServerInfo: (_context: unknown, resource: string) => ({
					scope: "tools:read tools:run",
					audience: resource,
					accessTokenFormat: "jwt",
					jwt: { sign: { alg: "ES256" } },
				}),
			},
		},
	});
	server.on("request", provider.callback());
	const close = async (): Promise<void> => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	after(close);
	return {
		issuer,
		close,
		async token({ resource, scope }) {
			const response = await fetch(`${issuer}/token`, {
				method: "POST",
				headers: { authorization: `Basic ${Buffer.from(`${subject}:${SECRET}`).toString("base64")}` },
				body: new URLSearchParams({ grant_type: "client_credentials", resource, scope }),
			});
			const body = (await response.json()) as { access_token?: string };
			if (body.access_token === undefined) throw new Error(`no token: ${JSON.stringify(body)}`);
			return body.access_token;
		},
	};
}
