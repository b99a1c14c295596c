import assert from "node:assert/strict";
import { test } from "node:test";
import { createFront, LOOPBACK_NAMES, listen, McpEndpoint } from "libmcp/http";
import { EVERYTHING, everythingDispatcher, toolSchema } from "../fixtures/everything.ts";
import { conformance, failures } from "./conformance.ts";

for (const [revision, scored] of [
	["2025-11-25", 30],
	["2026-07-28", 37],
] as const) {
	test(`the official conformance suite passes for revision ${revision}`, { timeout: 180_000 }, async () => {
		const endpoint: McpEndpoint = new McpEndpoint({
			dispatcher: everythingDispatcher({ notify: (method, params) => endpoint.notify(method, params) }),
			description: EVERYTHING,
			toolSchema,
		});
		const listener = await listen(
			createFront({
				endpoint: (path) => (path === "/mcp" ? endpoint : undefined),
				origins: { hosts: LOOPBACK_NAMES, origins: [] },
			}),
		);
		try {
			const run = await conformance(`${listener.address}/mcp`, revision);
			assert.equal(run.exitCode, 0, run.output.slice(-4_000));
			assert.ok(run.scenarios.length >= scored, `${run.scenarios.length} scenarios ran`);
			assert.deepEqual(failures(run), []);
		} finally {
			await listener.close([endpoint], 0);
		}
	});
}
