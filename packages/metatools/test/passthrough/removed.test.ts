import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createFront, LOOPBACK_NAMES, listen } from "libmcp/http";
import { defaultConfig } from "../../src/config/defaults.ts";
import { MountedUpstreams } from "../../src/passthrough/mountedUpstreams.ts";
import type { UpstreamSpec } from "../../src/upstream/spec.ts";
import { testGateway, until } from "../fixtures/gateway.ts";
import { ask, conversations } from "./conversations.ts";

const SERVER = { kind: "stdio", namespace: "s", protocol: "legacy", command: "none", args: [], env: {} } as const;
const CHANGES: readonly (readonly [string, readonly UpstreamSpec[]])[] = [
	["taken out of the configuration", []],
	["changed", [{ ...SERVER, name: "demo", env: { TOKEN: "new" } }]],
];

for (const [what, servers] of CHANGES)
	test(`when a server's entry is ${what}, its processes for sessions end without a request of theirs`, async (t) => {
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
		const { session } = await ask(`${listener.address}/mcp/s`);
		assert.ok(session);
		assert.deepEqual([mounted.sessions, opened.map(({ closed }) => closed)], [1, [false]]);
		await demo.gateway.apply({ ...defaultConfig(), servers });
		await until(() => opened.every(({ closed }) => closed));
		assert.equal(mounted.sessions, 0);
	});
