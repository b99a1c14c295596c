import assert from "node:assert/strict";
import { test } from "node:test";
import { createPolicyGate } from "../../src/auth/policy.ts";
import { testGateway } from "../fixtures/gateway.ts";

test("health and telemetry tell a caller nothing of the servers and tools that its rules hide", async (t) => {
	let policy = {};
	const demo = await testGateway({ servers: ["demo", "shell"], gates: [createPolicyGate(() => policy)] });
	t.after(() => demo.stop());
	for (const tool_id of ["demo:count", "demo:count_safely", "shell:count"]) await demo.data("run_tool", { tool_id });
	const told = async (): Promise<string> =>
		JSON.stringify([
			await demo.data("run_tool", { tool_id: "local:health" }),
			await demo.data("run_tool", { tool_id: "local:telemetry" }),
		]);
	assert.match(await told(), /"tools\/call count"/);
	assert.match(await told(), /"shell"/);
	policy = { "*": { deny: ["shell:*", "demo:count"] } };
	assert.doesNotMatch(await told(), /"tools\/call count"|shell/);
	assert.match(await told(), /"tools\/call count_safely"/);
	assert.match(JSON.stringify(demo.gateway.telemetry()), /"shell"/);
});
