import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { until } from "../../../../e2e/until.ts";
import { isObject } from "../../src/contract/json.ts";
import { TokenStore } from "../../src/upstream/login/tokenStore.ts";
import { createUpstreamProvider } from "../../src/upstream/login/upstreamProvider.ts";
import type { HttpSpec } from "../../src/upstream/spec.ts";
import { createOpenTransport } from "../../src/upstream/transport.ts";
import { call, resultOf, type Site, site, stream, tellsOfLogin } from "./streamable/site.ts";

const folder = mkdtempSync(join(tmpdir(), "metatools-sse-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const store = new TokenStore({ XDG_STATE_HOME: folder });

type Guard = { token: string };

/** A server with an event stream apart from its messages, which takes one token; and its authorization server. */
async function sseSite(guard: Guard): Promise<Site> {
	const streams: ServerResponse[] = [];
	return site(({ request, message }, response) => {
		if (tellsOfLogin(request, response)) return;
		if (request.headers.authorization !== `Bearer ${guard.token}`)
			return void response.writeHead(401, { "www-authenticate": 'Bearer error="invalid_token"' }).end("{}");
		if (request.method === "GET") {
			stream(response, `event: endpoint\ndata: /messages?n=${streams.push(response) - 1}\n\n`);
			return;
		}
		response.writeHead(202).end();
		const [, n] = /n=(\d+)/.exec(request.url ?? "") ?? [];
		const id = message !== undefined && "id" in message ? Number(message.id) : 0;
		streams[Number(n)]?.write(`data: ${resultOf(id)}\n\n`);
	});
}

/** A login with a refresh token for one use, and connections that share it. */
async function connected(server: Site, guard: Guard, count: number) {
	const url = server.url.href;
	store.write(url, {
		client: { client_id: "me", redirect_uris: ["http://127.0.0.1/callback"] },
		tokens: { access_token: "stale", token_type: "Bearer", refresh_token: "r-0" },
	});
	const used: (string | null)[] = [];
	const open = createOpenTransport(() => ({
		authProvider: createUpstreamProvider({ url }, store),
		async fetch(to, init) {
			if (!String(to).endsWith("/token")) return fetch(to, init);
			const { searchParams } = new URL(`?${String(init?.body)}`, to);
			used.push(searchParams.get("refresh_token"));
			assert.equal(new Headers(init?.headers).get("x-key"), null, "the server's own header is for the server");
			if (used.at(-1) !== `r-${used.length - 1}`) return Response.json({ error: "invalid_grant" }, { status: 400 });
			guard.token = `fresh-${used.length}`;
			return Response.json({ access_token: guard.token, token_type: "Bearer", refresh_token: `r-${used.length}` });
		},
	}));
	const spec = { kind: "sse", name: "old", namespace: "old", url, headers: { "x-key": "k" } } as unknown as HttpSpec;
	const heard: JSONRPCMessage[] = [];
	const transports = await Promise.all(
		Array.from({ length: count }, async (): Promise<Transport> => {
			const { transport } = await open(spec, { onFatal: () => {}, onStderr: () => {} });
			transport.onmessage = (message) => void heard.push(message);
			transport.onerror = () => {};
			after(() => transport.close());
			return transport;
		}),
	);
	return { transports, heard, used };
}

test("connections with an event stream that share a login renew it once, at the start and later", async () => {
	const guard = { token: "fresh-1" };
	const server = await sseSite(guard);
	const { transports, heard, used } = await connected(server, guard, 3);
	await Promise.all(transports.map((transport) => transport.start()));
	assert.deepEqual(used, ["r-0"]);
	guard.token = "other";
	await Promise.all(transports.flatMap((transport, at) => [1, 2, 3].map((id) => transport.send(call(10 * at + id)))));
	assert.deepEqual(used, ["r-0", "r-1"]);
	await until(() => heard.length === 9);
	const { tokens } = store.read(server.url.href);
	assert.equal(isObject(tokens) ? tokens.refresh_token : "", "r-2");
});

test("an event stream whose login cannot be renewed needs a login", async () => {
	const guard = { token: "another" };
	const server = await sseSite(guard);
	const { transports } = await connected(server, guard, 1);
	store.write(server.url.href, { tokens: { access_token: "stale", token_type: "Bearer" } });
	await assert.rejects(async () => transports[0]?.start(), { name: "UnauthorizedError", message: /requires a login/ });
});
