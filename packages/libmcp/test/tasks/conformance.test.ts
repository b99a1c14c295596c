import { equal } from "node:assert/strict";
import { after } from "node:test";
import { createFront, LOOPBACK_NAMES, listen, McpEndpoint } from "libmcp/http";
import { openStore } from "libmcp/store";
import { verifies } from "../../../../e2e/verifies.ts";
import { TASK_SERVER, taskServer } from "../fixtures/taskServer.ts";
import { serverScenario, TASK_SCENARIOS } from "../http/conformance.ts";

const store = await openStore("memory:");
const endpoint = new McpEndpoint({ dispatcher: taskServer(store), description: TASK_SERVER });
const front = createFront({ endpoint: () => endpoint, origins: { hosts: LOOPBACK_NAMES, origins: [] } });
const listener = await listen(front);
after(async () => {
	await listener.close([endpoint], 0);
	await store.close();
});

for (const scenario of TASK_SCENARIOS)
	verifies("tasks-extension", `the official scenario ${scenario} passes on our own server`, async () => {
		const { exitCode, output } = await serverScenario(`${listener.address}/mcp`, scenario);
		equal(exitCode, 0, output.slice(-3_000));
	});
