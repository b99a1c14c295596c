import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { isObject } from "../../../src/contract/json.ts";
import { TokenStore } from "../../../src/upstream/login/tokenStore.ts";
import { createUpstreamProvider } from "../../../src/upstream/login/upstreamProvider.ts";
import { HttpAuth } from "../../../src/upstream/streamable/httpAuth.ts";
import { call, json, open, resultOf, type Site, site, tellsOfLogin } from "./site.ts";

const folder = mkdtempSync(join(tmpdir(), "metatools-http-auth-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const store = new TokenStore({ XDG_STATE_HOME: folder });

/** After this the store is looked at again. */
const SEEN_MS = 600;

/** A server that takes one token, and the authorization server it names. */
async function protectedSite(good: { token: string }): Promise<Site> {
	return site(({ request, message }, response) => {
		if (tellsOfLogin(request, response)) return;
		if (request.headers.authorization !== `Bearer ${good.token}`)
			return void response.writeHead(401, { "www-authenticate": 'Bearer error="invalid_token"' }).end("{}");
		json(response, resultOf(message !== undefined && "id" in message ? Number(message.id) : 0));
	});
}

function loggedIn(server: Site, tokens: object, fetch: typeof globalThis.fetch): HttpAuth {
	const url = server.url.href;
	store.write(url, { client: { client_id: "me", redirect_uris: ["http://127.0.0.1/callback"] }, tokens });
	return new HttpAuth(server.url, createUpstreamProvider({ url }, store), fetch);
}

/** A file made read-only is not replaced, whoever runs this: the same as a full disk or a read-only folder. */
function setWritable(server: Site, writable: boolean): void {
	const logins = join(folder, "holdfast", "oauth");
	for (const name of readdirSync(logins))
		if (readFileSync(join(logins, name), "utf8").includes(server.url.href))
			chmodSync(join(logins, name), writable ? 0o600 : 0o400);
}

function tokenIn(server: Site): unknown {
	const { tokens } = store.read(server.url.href);
	return isObject(tokens) ? tokens.access_token : undefined;
}

test("a refused token is renewed once for all who were refused, and their messages are sent again", async () => {
	const good = { token: "fresh" };
	const server = await protectedSite(good);
	let renewed = 0;
	const auth = loggedIn(server, { access_token: "stale", token_type: "Bearer", refresh_token: "r-1" }, (url, init) => {
		if (!String(url).endsWith("/token")) return fetch(url, init);
		renewed++;
		assert.equal(new URLSearchParams(String(init?.body)).get("refresh_token"), "r-1");
		return Promise.resolve(Response.json({ access_token: "fresh", token_type: "Bearer", refresh_token: "r-2" }));
	});
	const { transport, heard } = open(server.url, { authorization: "Bearer configured" }, auth);
	await Promise.all([1, 2, 3, 4].map((id) => transport.send(call(id))));
	assert.equal(heard.length, 4);
	assert.equal(renewed, 1);
});

test("connections that share a login renew it once, so none loses it by a token used twice", async () => {
	const good = { token: "fresh" };
	const server = await protectedSite(good);
	const tokens = { access_token: "stale", token_type: "Bearer", refresh_token: "r-1" };
	const used: (string | null)[] = [];
	const auths = Array.from({ length: 3 }, () =>
		loggedIn(server, tokens, async (url, init) => {
			if (!String(url).endsWith("/token")) return fetch(url, init);
			used.push(new URLSearchParams(String(init?.body)).get("refresh_token"));
			if (used.length > 1) return Response.json({ error: "invalid_grant" }, { status: 400 });
			return Response.json({ access_token: "fresh", token_type: "Bearer", refresh_token: "r-2" });
		}),
	);
	const connections = auths.map((auth) => open(server.url, {}, auth));
	await Promise.all(connections.map(({ transport }, id) => transport.send(call(id))));
	assert.deepEqual(used, ["r-1"]);
	assert.deepEqual(
		connections.map(({ heard }) => heard.length),
		[1, 1, 1],
	);
	assert.equal(tokenIn(server), "fresh");
});

test("a login that could not be stored is not renewed, and is renewed once it can be", async () => {
	const server = await protectedSite({ token: "fresh" });
	let renewed = 0;
	const auth = loggedIn(server, { access_token: "stale", token_type: "Bearer", refresh_token: "r-1" }, (url, init) => {
		if (!String(url).endsWith("/token")) return fetch(url, init);
		renewed++;
		return Promise.resolve(Response.json({ access_token: "fresh", token_type: "Bearer", refresh_token: "r-2" }));
	});
	const { transport, heard } = open(server.url, {}, auth);
	setWritable(server, false);
	await assert.rejects(transport.send(call(1)), { message: /^its login cannot be renewed now: .*it is read-only/ });
	await assert.rejects(transport.send(call(2)), { message: /^its login cannot be renewed now/ });
	assert.equal(renewed, 0);
	setWritable(server, true);
	await transport.send(call(3));
	assert.deepEqual([heard.length, renewed, tokenIn(server)], [1, 1, "fresh"]);
});

test("a renewed login that cannot be written is used all the same, and written later", async () => {
	const good = { token: "second" };
	const server = await protectedSite(good);
	const used: (string | null)[] = [];
	const answering: typeof fetch = (url, init) => {
		if (!String(url).endsWith("/token")) return fetch(url, init);
		setWritable(server, false);
		used.push(new URLSearchParams(String(init?.body)).get("refresh_token"));
		return Promise.resolve(
			Response.json({ access_token: good.token, token_type: "Bearer", refresh_token: `r-${used.length + 1}` }),
		);
	};
	const auth = loggedIn(server, { access_token: "first", token_type: "Bearer", refresh_token: "r-1" }, answering);
	const { transport, heard } = open(server.url, {}, auth);
	await transport.send(call(1));
	const anew = new HttpAuth(server.url, createUpstreamProvider({ url: server.url.href }, store), answering);
	await open(server.url, {}, anew).transport.send(call(2));
	assert.deepEqual([heard.length, used], [1, ["r-1"]]);
	setWritable(server, true);
	const elsewhere = new TokenStore({ XDG_STATE_HOME: folder });
	while (elsewhere.accessToken(server.url.href) !== "second") await delay(50);
	good.token = "third";
	await transport.send(call(3));
	assert.deepEqual([heard.length, used], [2, ["r-1", "r-2"]]);
});

test("a login that came while the old token was refused is kept", async () => {
	const good = { token: "fresh" };
	const server = await protectedSite(good);
	const fresh = { access_token: "fresh", token_type: "Bearer", refresh_token: "r-9" };
	const tokens = { access_token: "stale", token_type: "Bearer", refresh_token: "r-1" };
	const auth = loggedIn(server, tokens, async (url, init) => {
		if (!String(url).endsWith("/token")) return fetch(url, init);
		store.write(server.url.href, { tokens: fresh });
		return Response.json({ error: "invalid_grant" }, { status: 400 });
	});
	const { transport, heard } = open(server.url, {}, auth);
	await transport.send(call(1));
	assert.equal(heard.length, 1);
	assert.equal(tokenIn(server), "fresh");
});

test("a token somebody else put in the store is used before any is asked for", async () => {
	const good = { token: "first" };
	const server = await protectedSite(good);
	const tokens = { access_token: "first", token_type: "Bearer" };
	const auth = loggedIn(server, tokens, (url) => assert.fail(`asked ${String(url)}`));
	const { transport, heard } = open(server.url, {}, auth);
	await transport.send(call(1));
	good.token = "second";
	store.write(server.url.href, { tokens: { ...tokens, access_token: "second" } });
	await transport.send(call(2));
	assert.equal(heard.length, 2);
});

test("a deleted login is sent no more, and nobody registers or renews in its place", async () => {
	const server = await protectedSite({ token: "good" });
	const auth = loggedIn(server, { access_token: "good", token_type: "Bearer", refresh_token: "r-1" }, (url) =>
		assert.fail(`asked ${String(url)}`),
	);
	const { transport, heard } = open(server.url, {}, auth);
	await transport.send(call(1));
	await store.forget(server.url.href);
	await delay(SEEN_MS);
	await assert.rejects(transport.send(call(2)), { name: "SdkHttpError", status: 401 });
	assert.equal(heard.length, 1);
	assert.equal(store.has(server.url.href), false);
});

test("a server that refuses what nobody can renew is told apart from one that fails", async () => {
	const server = await protectedSite({ token: "another" });
	const auth = loggedIn(server, { access_token: "stale", token_type: "Bearer" }, fetch);
	const { transport } = open(server.url, {}, auth);
	await assert.rejects(transport.send(call(1)), { name: "UnauthorizedError", message: /requires a login/ });
	const refused = await site((_, response) => void response.writeHead(403, { "www-authenticate": "Bearer" }).end());
	const { transport: other } = open(refused.url, {}, loggedIn(refused, { access_token: "t" }, fetch));
	await assert.rejects(other.send(call(1)), { name: "SdkHttpError", status: 403 });
	assert.equal(refused.seen.length, 1);
});
