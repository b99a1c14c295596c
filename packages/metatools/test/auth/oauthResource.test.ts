import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose";
import { HttpRefusal } from "libmcp/http";
import { createOAuthResource } from "../../src/auth/oauthResource.ts";
import { createGuardedFetch } from "../../src/upstream/login/guardedFetch.ts";
import { TokenStore } from "../../src/upstream/login/tokenStore.ts";

const AUDIENCE = "https://gateway.example/mcp";
let issuer: string;
let privateKey: CryptoKey;
/** Set by a test: the issuer answers for its keys with a failure. */
let keysFail = false;
let keysAsked = 0;
/** Set by a test: what the issuer's metadata say instead. */
let metadata: { status: number; headers?: Record<string, string>; body: object } | undefined;
const server = createServer(async (request, response) => {
	const asked = request.url ?? "";
	if (asked === "/keys") keysAsked++;
	if (asked === "/keys" && keysFail) return void response.writeHead(500).end();
	if (asked === "/keys" || asked === "/elsewhere") {
		const own = asked === "/keys" ? { keys: [publicJwk] } : { issuer, jwks_uri: `${issuer}/keys` };
		return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(own));
	}
	const { status, headers = {}, body } = metadata ?? { status: 200, body: { issuer, jwks_uri: `${issuer}/keys` } };
	response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
});
let publicJwk: object;
before(async () => {
	const pair = await generateKeyPair("ES256");
	privateKey = pair.privateKey;
	publicJwk = { ...(await exportJWK(pair.publicKey)), kid: "k", alg: "ES256" };
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
	server.closeAllConnections();
	server.close();
});

/** A token of the issuer's own key, with claims as they are given. */
const signed = (claims: Record<string, unknown>): Promise<string> =>
	new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "k" }).sign(privateKey);
const asking = (token: string) => ({ headers: { authorization: `Bearer ${token}` } }) as IncomingMessage;
const good = () => ({ iss: issuer, aud: AUDIENCE, sub: "anna", exp: Math.floor(Date.now() / 1_000) + 60 });

test("a token needs the issuer's name, this address and an end, though its signature is right", async () => {
	const { authenticate } = createOAuthResource({ issuer, audience: AUDIENCE, scopes: [] });
	assert.equal((await authenticate(asking(await signed(good()))))?.id, "anna");
	const { exp: _, ...endless } = good();
	const wrong = [endless, { ...good(), iss: "http://127.0.0.1:1" }, { ...good(), aud: `${AUDIENCE}/other` }];
	for (const claims of wrong)
		await assert.rejects(
			async () => authenticate(asking(await signed(claims))),
			(thrown: unknown) => thrown instanceof HttpRefusal && thrown.message === "the token is not valid here",
			JSON.stringify(claims),
		);
});

test("keys are taken only where the issuer itself names them", async (t) => {
	t.after(() => {
		metadata = undefined;
	});
	const token = await signed(good());
	const refused = [
		{ status: 200, body: { issuer: "https://other.example", jwks_uri: `${issuer}/keys` } },
		{ status: 302, headers: { location: "/elsewhere" }, body: {} },
	];
	for (metadata of refused) {
		const { authenticate } = createOAuthResource({ issuer, audience: AUDIENCE, scopes: [] });
		await assert.rejects(async () => authenticate(asking(token)), /publishes no metadata of its own with a jwks_uri/);
	}
});

test("while the issuer's keys cannot be fetched, no token is said to be wrong, and no caller can flood issuer or log", async (t) => {
	keysFail = true;
	const before = keysAsked;
	t.after(() => {
		keysFail = false;
	});
	const { authenticate } = createOAuthResource({ issuer, audience: AUDIENCE, scopes: [] });
	const token = await signed(good());
	const said = { message: `the token cannot be checked: the keys of ${issuer} cannot be fetched`, status: 503 };
	const causes: unknown[] = [];
	for (let n = 0; n < 10; n++)
		await assert.rejects(
			async () => authenticate(asking(token)),
			(error: Error) => {
				const { message, status } = error as HttpRefusal;
				assert.deepEqual({ message, status }, said);
				causes.push(error.cause);
				return true;
			},
		);
	assert.equal(keysAsked, before + 1);
	assert.equal(String(causes[0]), `Error: the keys of ${issuer} cannot be fetched (HTTP 500)`);
	assert.deepEqual(new Set(causes.slice(1)), new Set([undefined]));
	keysFail = false;
	await delay(2_200);
	assert.equal((await authenticate(asking(token)))?.id, "anna", "later it may be back");
});

test("why the issuer's keys are missing is reported once for all requests that fail for it", async () => {
	metadata = { status: 404, body: {} };
	const { authenticate } = createOAuthResource({ issuer, audience: AUDIENCE, scopes: [] });
	const token = await signed(good());
	const causes: unknown[] = [];
	for (let n = 0; n < 3; n++)
		await Promise.resolve(authenticate(asking(token))).catch(({ cause }: Error) => causes.push(cause));
	metadata = undefined;
	assert.deepEqual(causes.slice(1), [undefined, undefined]);
	assert(causes[0] instanceof Error && /publishes no metadata/.test(causes[0].message));
});

test("a server that redirects to itself without end is left", async () => {
	let asked = 0;
	const circle = async () => {
		asked++;
		return new Response(null, { status: 302, headers: { location: "/again" } });
	};
	await assert.rejects(
		createGuardedFetch(new URL("https://a.example/"), circle)("https://a.example/"),
		/is not followed/,
	);
	assert.equal(asked, 4);
});

test("tokens are kept in a file that only their owner can read", (t) => {
	const folder = mkdtempSync(join(tmpdir(), "metatools-tokens-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const store = new TokenStore({ XDG_STATE_HOME: folder });
	store.write("https://a.example/mcp", { tokens: { access_token: "x" } });
	assert.equal(store.has("https://a.example/mcp"), true);
	const files = filesUnder(folder);
	assert.equal(files.length, 1);
	for (const path of files) assert.equal(statSync(path).mode & 0o777, 0o600);
});

function filesUnder(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}
