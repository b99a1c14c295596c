import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createFront, LOOPBACK_NAMES, McpEndpoint } from "libmcp/http";
import { until } from "../../../../../e2e/until.ts";
import { EVERYTHING, everythingDispatcher } from "../../../../libmcp/test/fixtures/everything.ts";
import { TokenStore } from "../../../src/upstream/login/tokenStore.ts";
import { createStoredLogin, openAuthorized } from "../../../src/upstream/login/upstreamProvider.ts";
import { testGateway, texts } from "../../fixtures/gateway.ts";

type Guarded = (request: IncomingMessage) => boolean;

/** A server that wants the token "right" for some or all of its requests, and a gateway that has asked it without one. */
async function asked(t: TestContext, isGuarded: Guarded) {
	const folder = mkdtempSync(join(tmpdir(), "metatools-after-login-"));
	const environment = { XDG_STATE_HOME: folder };
	const endpoint = new McpEndpoint({
		dispatcher: everythingDispatcher({ notify: () => {} }),
		description: EVERYTHING,
	});
	const front = createFront({ endpoint: () => endpoint, origins: { hosts: LOOPBACK_NAMES, origins: [] } });
	const guarded: RequestListener = (request, response) => {
		if (!isGuarded(request) || request.headers.authorization === "Bearer right") front.handle(request, response);
		else response.writeHead(401, { "www-authenticate": "Bearer" }).end();
	};
	const server = createServer(guarded);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
	const spec = { kind: "http", name: "remote", namespace: "remote", protocol: "modern", url, headers: {} } as const;
	const demo = await testGateway({
		openTransport: openAuthorized(environment),
		storedLogin: createStoredLogin(environment),
		config: { servers: [spec] },
	});
	const close = (): void => {
		server.closeAllConnections();
		server.close();
	};
	t.after(async () => {
		await demo.stop();
		close();
		rmSync(folder, { recursive: true, force: true });
	});
	const state = () => demo.gateway.upstreams.all[0]?.state;
	const logIn = (token: string): void =>
		new TokenStore(environment).write(url, { tokens: { access_token: token, token_type: "Bearer" } });
	const logOut = () => new TokenStore(environment).forget(url);
	/** What the OAuth client does when the refresh token is refused. */
	const expire = (): void => new TokenStore(environment).write(url, { tokens: undefined });
	return { ...demo, state, close, logIn, logOut, expire };
}

async function refused(t: TestContext) {
	const server = await asked(t, () => true);
	assert.equal(server.state()?.kind, "needs_auth");
	return server;
}

test("a login is taken up at once, not with the next attempt", { timeout: 120_000 }, async (t) => {
	const { state, logIn } = await refused(t);
	logIn("right");
	await until(() => state()?.kind === "ready");
});

test("a logout ends the connection, and a login after it is taken up again", { timeout: 120_000 }, async (t) => {
	const { state, logIn, logOut, log } = await refused(t);
	logIn("right");
	await until(() => state()?.kind === "ready");
	assert.equal(await logOut(), true);
	await until(() => state()?.kind === "needs_auth");
	assert.match(log.at(-1) ?? "", /^remote: its login was deleted; a person can log in with: metatools login remote$/);
	logIn("right");
	await until(() => state()?.kind === "ready");
});

test("a login is used by a connection that was opened without one, and no more once it is deleted", {
	timeout: 120_000,
}, async (t) => {
	const { state, logIn, logOut, error, call } = await asked(t, ({ headers }) => headers["mcp-method"] === "tools/call");
	assert.equal(state()?.kind, "ready", "its tools are listed for anybody");
	const run = { tool_id: "remote:echo", args: { text: "hi" } };
	const needsLogin = /^The server remote needs a login for this: metatools login remote/;
	assert.match(String((await error("run_tool", run)).message), needsLogin);
	logIn("right");
	assert.equal(texts(await call("run_tool", run)), "hi");
	await logOut();
	await until(async () => (await call("run_tool", run)).isError === true);
	assert.match(String((await error("run_tool", run)).message), needsLogin);
});

test("a login that expired is not told as deleted, and a new one is taken up", { timeout: 120_000 }, async (t) => {
	const { state, logIn, expire, error, log } = await refused(t);
	logIn("right");
	await until(() => state()?.kind === "ready");
	expire();
	// Longer than it takes to notice a login that was deleted.
	await delay(2_500);
	assert.equal(state()?.kind, "ready", "the connection is left to those who use it");
	await error("run_tool", { tool_id: "remote:echo", args: { text: "hi" } });
	await until(() => state()?.kind === "needs_auth");
	assert.doesNotMatch(log.join("\n"), /deleted/);
	logIn("right");
	await until(() => state()?.kind === "ready");
});

test("a server that asked for a login and is gone since is told as gone", { timeout: 120_000 }, async (t) => {
	const { state, close, logIn, log } = await refused(t);
	close();
	logIn("right");
	await until(() => state()?.kind === "failed");
	const told = state();
	assert(told !== undefined && "reason" in told);
	assert.match(told.reason ?? "", /ECONNREFUSED/);
	assert.match(log.at(-1) ?? "", /ECONNREFUSED/);
});
