import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { createFront, LOOPBACK_NAMES, listen } from "libmcp/http";
import { until } from "../../../../e2e/until.ts";
import { loadDefaultConfig } from "../../src/config/load.ts";
import { isObject } from "../../src/contract/json.ts";
import { MountedUpstreams } from "../../src/passthrough/mountedUpstreams.ts";
import type { UpstreamSpec } from "../../src/upstream/spec.ts";
import { testGateway } from "../fixtures/gateway.ts";
import { ask, conversations } from "./conversations.ts";

const SERVER = { kind: "stdio", namespace: "s", protocol: "legacy", command: "none", args: [], env: {} } as const;
const CHANGES: readonly (readonly [string, readonly UpstreamSpec[]])[] = [
	["taken out of the configuration", []],
	["changed", [{ ...SERVER, name: "demo", env: { TOKEN: "new" } }]],
];

for (const [what, servers] of CHANGES)
	test(`when a server's entry is ${what}, its processes for sessions end without a request of theirs`, async (t) => {
		const { mounted, opened, apply } = await sessionAtPath(t);
		await apply(servers);
		await until(() => opened.every(({ closed }) => closed));
		assert.equal(mounted.sessions, 0);
	});

test("a session goes on when its server's entry changes only in what needs no other process", async (t) => {
	const { mounted, opened, apply, tools } = await sessionAtPath(t);
	assert.deepEqual(await tools(), ["echo"]);
	await apply([{ ...SERVER, name: "demo", executionTimeoutMs: 50_000 }]);
	assert.deepEqual(await tools(), ["echo"]);
	await apply([{ ...SERVER, name: "demo", exclude: ["echo"] }]);
	assert.deepEqual(await tools(), [], "what the entry says about tools holds at once");
	assert.deepEqual([mounted.sessions, opened.map(({ closed }) => closed)], [1, [false]]);
});

/** A gateway with one server, and a session at that server's own path. */
async function sessionAtPath(t: TestContext) {
	const demo = await testGateway({ config: { servers: [{ ...SERVER, name: "demo" }] } });
	t.after(() => demo.stop());
	const { open, opened } = conversations();
	const mounted = new MountedUpstreams(demo.gateway, { open });
	const front = createFront({
		endpoint: (path) => mounted.at(path),
		origins: { hosts: LOOPBACK_NAMES, origins: [] },
	});
	const listener = await listen(front);
	after(() => listener.close(mounted.all(), 0));
	const url = `${listener.address}/mcp/s`;
	const { session } = await ask(url);
	assert.ok(session);
	assert.deepEqual([mounted.sessions, opened.map(({ closed }) => closed)], [1, [false]]);
	return {
		mounted,
		opened,
		apply: (servers: readonly UpstreamSpec[]) => demo.gateway.apply({ ...loadDefaultConfig(), servers }),
		tools: async (): Promise<unknown> => {
			const { result } = (await ask(url, session, "tools/list", {})).body;
			const listed = isObject(result) && Array.isArray(result.tools) ? result.tools : [];
			return listed.map(({ name }) => name);
		},
	};
}
