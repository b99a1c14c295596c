import assert from "node:assert/strict";
import { test } from "node:test";
import { createFront, LOOPBACK_NAMES, listen } from "libmcp/http";
import { passthrough } from "metatools";
import { bundled } from "../../../../e2e/bundled.ts";
import { conformance, failures } from "../../../libmcp/test/http/conformance.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { COMPILED } from "../fixtures/compileCache.ts";

const FIXTURES = new URL("../../../libmcp/test/fixtures/", import.meta.url);

const RUNS = [
	["the SDK's own server", "everythingSdk.ts", "2025-11-25", 30],
	["the SDK's own server", "everythingSdk.ts", "2026-07-28", 37],
	["our own server", "everythingStdio.ts", "2026-07-28", 37],
] as const;

for (const [upstream, script, revision, scored] of RUNS) {
	test(`the conformance suite passes through the gateway in front of ${upstream}, revision ${revision}`, {
		timeout: 300_000,
	}, async () => {
		const through = passthrough({
			spec: {
				kind: "stdio",
				name: "everything",
				namespace: "everything",
				protocol: "auto",
				command: process.execPath,
				args: [await bundled(new URL(script, FIXTURES))],
				env: COMPILED,
			},
			open: openTransport,
		});
		const front = createFront({
			endpoint: (path) => (path === "/mcp/everything" ? through.endpoint : undefined),
			origins: { hosts: LOOPBACK_NAMES, origins: [] },
		});
		const listener = await listen(front);
		try {
			const run = await conformance(`${listener.address}/mcp/everything`, revision);
			assert.equal(run.exitCode, 0, run.output.slice(-6_000));
			assert.ok(run.scenarios.length >= scored, `${run.scenarios.length} scenarios ran`);
			assert.deepEqual(failures(run), []);
		} finally {
			await listener.close([through.endpoint], 0);
			await through.close();
		}
	});
}
