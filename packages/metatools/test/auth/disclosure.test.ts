import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createOAuthResource } from "../../src/auth/oauthResource.ts";
import { login } from "../../src/upstream/login/login.ts";
import { TokenStore } from "../../src/upstream/login/tokenStore.ts";
import { createUpstreamProvider } from "../../src/upstream/login/upstreamProvider.ts";
import { maskSecrets } from "../../src/upstream/secrets/maskSecrets.ts";
import { HttpAuth } from "../../src/upstream/streamable/httpAuth.ts";

const folder = mkdtempSync(join(tmpdir(), "metatools-secrets-"));
after(() => rmSync(folder, { recursive: true, force: true }));

async function listening(
	answer: (path: string, body: string, origin: string) => readonly [status: number, body: object],
): Promise<{ readonly origin: string; readonly asked: string[] }> {
	const asked: string[] = [];
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += String(chunk);
		asked.push(request.url ?? "");
		const [status, value] = answer(request.url ?? "", body, origin);
		response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	after(() => {
		server.closeAllConnections();
		server.close();
	});
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return { origin, asked };
}

test("an authorization server that quotes what it was sent shows nobody our secrets", async () => {
	let sent = new URLSearchParams();
	const { origin } = await listening((path, body, here) => {
		if (path === "/.well-known/oauth-protected-resource/mcp")
			return [200, { resource: `${here}/mcp`, authorization_servers: [here] }];
		if (path === "/.well-known/oauth-authorization-server")
			return [
				200,
				{
					issuer: here,
					authorization_endpoint: `${here}/authorize`,
					token_endpoint: `${here}/token`,
					response_types_supported: ["code"],
					code_challenge_methods_supported: ["S256"],
					token_endpoint_auth_methods_supported: ["client_secret_post"],
				},
			];
		if (path !== "/token") return [401, {}];
		sent = new URLSearchParams(body);
		const said = [...sent].map(([name, value]) => `${name} is ${value}`).join(", ");
		return [400, { error: "invalid_request", error_description: `cannot read ${said}` }];
	});
	const server = { url: `${origin}/mcp`, oauthClient: { id: "me-as-client", secret: "client/secret+0123" } };
	const come = async (address: string): Promise<void> => {
		const { searchParams } = new URL(address);
		const back = new URL(searchParams.get("redirect_uri") ?? "");
		back.searchParams.set("code", "the-code-0123456789");
		back.searchParams.set("state", searchParams.get("state") ?? "");
		await fetch(back);
	};
	const failure = await login(server, new TokenStore({ XDG_STATE_HOME: folder }), (address) => void come(address)).then(
		() => assert.fail("logged in"),
		(thrown: unknown) => String(thrown),
	);
	const secrets = ["code", "code_verifier", "client_secret"].map((name) => sent.get(name) ?? assert.fail(name));
	for (const secret of secrets) assert.ok(!failure.includes(secret), failure);
	assert.match(failure, /code is \[secret\]/);
	assert.match(failure, /client_id is me-as-client/, "what is no secret stays readable");
});

const REFUSALS = {
	"an OAuth error": (said) => Response.json({ error: "invalid_grant", error_description: said }, { status: 400 }),
	"an error sent as a success": (said) => Response.json({ error: "invalid_grant", error_description: said }),
	"an error that spells its slashes another way": (said) =>
		new Response(`{"error":"invalid_client","error_description":"${said.replaceAll("/", "\\/")}"}`, { status: 401 }),
	"an answer that is no OAuth error": (said) => new Response(said, { status: 500 }),
} as const satisfies Record<string, (said: string) => Response>;

for (const [kind, refuse] of Object.entries(REFUSALS))
	test(`a renewal that is refused with ${kind} prints none of our secrets`, async (t) => {
		const printed: string[] = [];
		t.mock.method(console, "warn", (text: string) => printed.push(text));
		const { origin } = await listening(() => [401, {}]);
		const url = `${origin}/mcp`;
		const store = new TokenStore({ XDG_STATE_HOME: join(folder, kind) });
		store.write(url, {
			tokens: { access_token: "access/0123", token_type: "Bearer", refresh_token: "refresh/0123", issuer: origin },
			discovery: {
				authorizationServerUrl: origin,
				authorizationServerMetadata: {
					issuer: origin,
					authorization_endpoint: `${origin}/authorize`,
					token_endpoint: `${origin}/token`,
					response_types_supported: ["code"],
					code_challenge_methods_supported: ["S256"],
				},
			},
		});
		const fetchFn = async (address: string | URL, init?: RequestInit): Promise<Response> => {
			if (!String(address).endsWith("/token")) return fetch(address, init);
			const { authorization } = Object.fromEntries(new Headers(init?.headers));
			return refuse(
				`nothing is known of ${String(init?.body)} ${decodeURIComponent(String(init?.body))}, ${authorization}`,
			);
		};
		const server = { url, oauthClient: { id: "me-as-client", secret: "client/secret/0123" } };
		const auth = new HttpAuth(new URL(url), createUpstreamProvider(server, store), fetchFn);
		const attempt = { token: await auth.token(), renewals: 0, stepUps: 0 };
		await assert.rejects(auth.helps({ status: 401, challenge: "Bearer" }, attempt), (thrown: Error) => {
			printed.push(thrown.message);
			return true;
		});
		assert.match(printed.join("\n"), /refresh_token=\[secret\]/, "the rest stays readable");
		const basic = Buffer.from("me-as-client:client/secret/0123").toString("base64");
		for (const secret of ["refresh/0123", "refresh%2F0123", "client/secret", basic])
			assert.ok(!printed.join("\n").includes(secret), printed.join("\n"));
	});

test("secrets go in every spelling, the longest first, and short words stay", () => {
	assert.equal(
		maskSecrets("a/b c=1234 a%2Fb%20c%3D1234 secret-1 secret-12", ["a/b c=1234", "secret-1", "secret-12", "is", 7]),
		"[secret] [secret] [secret] [secret]",
	);
	assert.equal(maskSecrets("this is it", ["is", undefined]), "this is it");
	const quoted = `bad config ${JSON.stringify({ password: 'p@ss"w\\rd\n' })}`;
	assert.equal(maskSecrets(quoted, ['p@ss"w\\rd\n']), 'bad config {"password":"[secret]"}', "as JSON has it");
	assert.equal(maskSecrets("half \ud83dpaired", ["\ud83dpaired"]), "half [secret]");
});

test("a secret that was cut with its text goes too", () => {
	const secrets = ["Bearer hunter2-private", "hunter2-private"];
	assert.equal(maskSecrets("refused Bearer hunter2-pri…", secrets), "refused [secret]…");
	assert.equal(maskSecrets("refused hunter2-privat…", secrets), "refused [secret]…");
	assert.equal(maskSecrets("refused by the hu…", secrets), "refused by the hu…");
	assert.equal(maskSecrets("refused Bearer hunter2-private…", secrets), "refused [secret]…");
	assert.equal(maskSecrets("refused hunter2-pri", secrets), "refused hunter2-pri", "a text that is whole");
});

test("an issuer that cannot be reached is not asked anew for every token somebody makes up", async () => {
	const { origin, asked } = await listening(() => [404, {}]);
	const { authenticate } = createOAuthResource({ issuer: origin, audience: "http://127.0.0.1/mcp", scopes: [] });
	const come = async (): Promise<void> => {
		const request = { headers: { authorization: "Bearer made.up.token" } };
		await assert.rejects(
			async () => authenticate(request as Parameters<typeof authenticate>[0]),
			/publishes no metadata/,
		);
	};
	await come();
	const once = asked.length;
	assert.ok(once > 0);
	for (let n = 0; n < 10; n++) {
		await delay(10);
		await come();
	}
	assert.equal(asked.length, once);
	await delay(2_200);
	await come();
	assert.equal(asked.length, 2 * once, "later it may be back");
});
