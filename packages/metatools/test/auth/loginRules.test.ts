import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { verifies } from "../../../../e2e/verifies.ts";
import { login } from "../../src/upstream/login/login.ts";
import { TokenStore } from "../../src/upstream/login/tokenStore.ts";
import { createUpstreamProvider } from "../../src/upstream/login/upstreamProvider.ts";
import { ask, door } from "./door.ts";

const folder = mkdtempSync(join(tmpdir(), "metatools-login-rules-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const store = new TokenStore({ XDG_STATE_HOME: folder });

const shown: string[] = [];
/** Remembers an address that nobody should have been shown, and ends the login. */
function stop(address: string): never {
	shown.push(address);
	throw new Error(`shown: ${address}`);
}

/** A server that asks for a login, and the authorization server it names, on one address; it remembers token requests. */
async function protectedServer(metadata: object = {}) {
	const grants: URLSearchParams[] = [];
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += String(chunk);
		const { pathname } = new URL(request.url ?? "/", origin);
		const json = (status: number, value: object): void => {
			response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
		};
		if (pathname === "/.well-known/oauth-protected-resource/mcp")
			json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
		else if (pathname === "/.well-known/oauth-authorization-server")
			json(200, {
				issuer: origin,
				authorization_endpoint: `${origin}/authorize`,
				token_endpoint: `${origin}/token`,
				registration_endpoint: `${origin}/register`,
				response_types_supported: ["code"],
				code_challenge_methods_supported: ["S256"],
				...metadata,
			});
		else if (pathname === "/register") json(201, { client_id: "me", ...JSON.parse(body) });
		else if (pathname === "/token") {
			grants.push(new URLSearchParams(body));
			json(200, { access_token: "granted", token_type: "Bearer" });
		} else json(401, {});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	after(() => {
		server.closeAllConnections();
		server.close();
	});
	return { url: `${origin}/mcp`, grants };
}

verifies(
	["mcp-client-redirect", "mcp-client-pkce", "mcp-client-resource"],
	"a login's answer is taken once, at its exact address, with the state it was asked with",
	async () => {
		const { url, grants } = await protectedServer();
		const shown = Promise.withResolvers<URL>();
		const done = login({ url }, store, (address) => shown.resolve(new URL(address)));
		const asked = (await shown.promise).searchParams;
		const callback = asked.get("redirect_uri") ?? "";
		assert.match(callback, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
		assert.match(asked.get("state") ?? "", /^[\w-]{32}$/);
		assert.deepEqual([asked.get("code_challenge_method"), asked.get("resource")], ["S256", url]);
		const state = asked.get("state") ?? "";
		const comeBack = async (path: string) => (await fetch(path)).status;
		assert.equal(await comeBack(`${callback}?code=stolen&state=guess`), 404);
		assert.equal(await comeBack(`${callback}?code=stolen`), 404);
		assert.equal(await comeBack(`${callback}/deeper?code=stolen&state=${state}`), 404);
		assert.equal(grants.length, 0, "none of these was taken for an answer");
		assert.equal(await comeBack(`${callback}?code=good&state=${state}`), 200);
		await done;
		await assert.rejects(fetch(`${callback}?code=again&state=${state}`), "nobody listens any more");
		const [grant] = grants;
		assert.equal(grants.length, 1);
		assert.deepEqual(
			["code", "redirect_uri", "resource"].map((name) => grant?.get(name)),
			["good", callback, url],
		);
		assert.match(grant?.get("code_verifier") ?? "", /^[\w.~-]{43,128}$/);
	},
	{ timeout: 120_000 },
);

verifies(
	"mcp-client-pkce",
	"an authorization server that does not offer S256 is refused before anybody is sent there",
	async () => {
		for (const methods of [["plain"], []]) {
			const { url } = await protectedServer({ code_challenge_methods_supported: methods });
			await assert.rejects(
				login({ url }, store, (address) => assert.fail(`shown: ${address}`)),
				/code.challenge|S256/i,
			);
		}
	},
);

test("a server that takes a token only is said to, and a login that failed leaves nothing behind", async () => {
	const { url } = await protectedServer({ registration_endpoint: "http://127.0.0.1:9/none" });
	const tokenOnly = createServer((request, response) => response.writeHead(request.url === "/mcp" ? 401 : 404).end());
	await new Promise<void>((resolve) => tokenOnly.listen(0, "127.0.0.1", resolve));
	after(() => tokenOnly.close());
	const other = `http://127.0.0.1:${(tokenOnly.address() as AddressInfo).port}/mcp`;
	const attempt = (server: string) => login({ url: server }, store, stop);
	await assert.rejects(attempt(other), {
		message: `the server registers no clients (HTTP 404): give its token in "headers", or a client registered there in "oauth"`,
	});
	await assert.rejects(attempt(url), "nobody answers where it is to register");
	assert.deepEqual([store.has(other), store.has(url), shown], [false, false, []]);
});

verifies(
	"mcp-client-web-addresses",
	"people are shown web addresses only, and nothing is started to open one",
	async () => {
		for (const endpoint of ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x"]) {
			const { url } = await protectedServer({ authorization_endpoint: endpoint });
			await assert.rejects(login({ url }, store, stop));
			assert.deepEqual(shown, [], endpoint);
			const moment = { redirectUrl: "http://127.0.0.1/callback", state: "s", show: () => assert.fail("shown") };
			const provider = createUpstreamProvider({ url }, store, moment);
			assert.throws(() => provider.redirectToAuthorization(new URL(endpoint)), /expected an http or https address/);
		}
		const sources = fileURLToPath(new URL("../../src/upstream/login/", import.meta.url));
		const files = readdirSync(sources);
		assert.ok(files.includes("login.ts"));
		for (const file of files)
			assert.doesNotMatch(readFileSync(join(sources, file), "utf8"), /child_process|exec\w*\(["'`]/, file);
	},
);

verifies("mcp-auth-statuses", "a header that holds half a token is a malformed request", async () => {
	const url = await door({ auth: { keys: { alice: "alice-key-0123456789" } } });
	const status = async (authorization: string) => {
		const response = await fetch(url, { method: "POST", headers: { authorization } });
		return [response.status, response.headers.get("www-authenticate")];
	};
	for (const broken of ["Bearer", "Bearer one two", "Bearer a,b c"])
		assert.deepEqual(await status(broken), [400, 'Bearer error="invalid_request"'], broken);
	assert.deepEqual(await status("Basic YTpi"), [401, "Bearer"]);
	assert.deepEqual(await status("Bearer unknown-key-0123456789"), [401, 'Bearer error="invalid_token"']);
	assert.equal((await ask(url, "alice-key-0123456789")).status, 200);
});
