// What callers find at the path of a server whose tools the gateway does not know yet.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createFront, LOOPBACK_NAMES, listen } from "libmcp/http";
import { createPolicyGate } from "../../src/auth/policy.ts";
import { MountedUpstreams } from "../../src/passthrough/mountedUpstreams.ts";
import type { Viewer } from "../../src/run/access.ts";
import { createToolsets } from "../../src/toolsets/toolset.ts";
import { testGateway } from "../fixtures/gateway.ts";
import { inProcessPeers } from "../fixtures/inProcess.ts";
import { ask, conversations } from "./conversations.ts";

test("a caller whose rule names a tool of a server waits at its path until the server is connected", async (t) => {
	const { url, arrive } = await pathOfLateServer(t, ["demo:echo", "other:*"]);
	const opening = ask(url);
	assert.equal(await Promise.race([opening, delay(200, "waits")]), "waits");
	arrive();
	assert.equal((await opening).status, 200);
});

test("a caller with every right waits there too, because rules go by ids that are not known yet", async (t) => {
	const { url, arrive, opened } = await pathOfLateServer(t, ["*"]);
	const opening = ask(url);
	assert.equal(await Promise.race([opening, delay(200, "waits")]), "waits");
	assert.deepEqual(opened, [], "its server was not spoken to");
	arrive();
	assert.equal((await opening).status, 200);
});

test("a caller whose toolset names a tool of a server waits there too", async (t) => {
	const { url, arrive } = await pathOfLateServer(t, ["*"], "daily");
	const opening = ask(url);
	assert.equal(await Promise.race([opening, delay(200, "waits")]), "waits");
	arrive();
	assert.equal((await opening).status, 200);
});

test("a caller gets nothing of a server that turns out to have no tool of its rules, its resources included", async (t) => {
	const { url, arrive, opened } = await pathOfLateServer(t, ["*:no_such_tool"]);
	const opening = ask(url);
	arrive();
	const { status, body } = await opening;
	assert.deepEqual([status, JSON.stringify(body).includes("there is nothing at")], [404, true]);
	assert.deepEqual(opened, [], "its server was not spoken to");
});

test("a caller whose rules name nothing of a server is not told that it is there", async (t) => {
	const { url } = await pathOfLateServer(t, ["other:*"]);
	const { status, body } = await ask(url);
	assert.deepEqual([status, JSON.stringify(body).includes("there is nothing at")], [404, true]);
});

test("a caller whose rule names a tool of a server that cannot be reached is told so", async (t) => {
	const { url, peers, arrive } = await pathOfLateServer(t, ["demo:echo"]);
	peers.failing.add("demo");
	arrive();
	const { status, body } = await ask(url);
	assert.equal(status, 404);
	assert.match(JSON.stringify(body), /The server demo is not available: .*nobody listens/);
});

/** A gateway with a server that connects when told, and that server's path, for a caller that may see these tools. */
async function pathOfLateServer(t: TestContext, allow: readonly string[], toolset?: string) {
	const peers = inProcessPeers();
	const arrival = Promise.withResolvers<void>();
	const late: typeof peers.open = async (spec, events) => {
		await arrival.promise;
		return peers.open(spec, events);
	};
	const demo = await testGateway({
		peers: { ...peers, open: late },
		gates: [createPolicyGate(() => ({ "*": { allow: [...allow] } }))],
		config: { toolsets: createToolsets({ daily: { tools: ["demo:echo"] } }) },
		wait: false,
	});
	const { open, opened } = conversations();
	const caller: Viewer = { id: "caller", ...(toolset !== undefined && { toolset }) };
	const mounted = new MountedUpstreams(demo.gateway, { open, viewerOf: () => caller });
	const front = createFront({
		endpoint: (path) => mounted.at(path),
		origins: { hosts: LOOPBACK_NAMES, origins: [] },
		authenticate: () => ({ id: "caller", scopes: [] }),
	});
	const listener = await listen(front);
	t.after(async () => {
		arrival.resolve();
		await listener.close(mounted.all(), 0);
		await demo.stop();
	});
	return { url: `${listener.address}/mcp/demo`, peers, opened, arrive: arrival.resolve };
}
