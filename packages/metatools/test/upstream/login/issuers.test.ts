import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createGuardedFetch } from "../../../src/upstream/login/guardedFetch.ts";
import { TokenStore } from "../../../src/upstream/login/tokenStore.ts";
import { createUpstreamProvider } from "../../../src/upstream/login/upstreamProvider.ts";
import { HttpAuth } from "../../../src/upstream/streamable/httpAuth.ts";
import { call, json, open, site } from "../streamable/site.ts";

const folder = mkdtempSync(join(tmpdir(), "metatools-issuers-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** An authorization server that takes whatever it is sent. */
async function greedy(): Promise<{ readonly origin: string; readonly sent: string[] }> {
	const sent: string[] = [];
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += String(chunk);
		sent.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""} ${body}`);
		const asked = request.url?.startsWith("/.well-known/") === true;
		json(response, JSON.stringify(asked ? metadataOf(origin) : { access_token: "bait", token_type: "Bearer" }));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	after(() => {
		server.closeAllConnections();
		server.close();
	});
	return { origin, sent };
}

const metadataOf = (issuer: string) => ({
	issuer,
	authorization_endpoint: `${issuer}/authorize`,
	token_endpoint: `${issuer}/token`,
	response_types_supported: ["code"],
	code_challenge_methods_supported: ["S256"],
});

for (const known of ["tokens and discovery", "tokens"] as const) {
	test(`a server that names another authorization server gets none of the first one's secrets (${known} know theirs)`, async () => {
		const other = await greedy();
		const server = await site(({ request }, response) => {
			const origin = `http://${request.headers.host}`;
			if (request.url !== "/mcp")
				return json(response, JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: [other.origin] }));
			const challenge = `Bearer error="invalid_token", resource_metadata="${origin}/elsewhere"`;
			response.writeHead(401, { "www-authenticate": challenge }).end("{}");
		});
		const first = "http://127.0.0.1:9";
		const issuer = { issuer: first };
		const store = new TokenStore({ XDG_STATE_HOME: join(folder, known) });
		store.write(server.url.href, {
			client: { client_id: "me", client_secret: "our-client-secret", redirect_uris: ["http://127.0.0.1/"], ...issuer },
			tokens: { access_token: "our-access", token_type: "Bearer", refresh_token: "our-refresh", ...issuer },
			...(known === "tokens and discovery" && {
				discovery: { authorizationServerUrl: first, authorizationServerMetadata: metadataOf(first) },
			}),
		});
		const auth = new HttpAuth(
			server.url,
			createUpstreamProvider({ url: server.url.href }, store),
			createGuardedFetch(server.url),
		);
		await assert.rejects(open(server.url, {}, auth).transport.send(call(1)));
		assert(other.sent.length > 0 || known !== "tokens", "it was asked what it offers");
		assert.doesNotMatch(other.sent.join("\n"), /our-/);
	});
}
