import { equal } from "node:assert/strict";
import { after } from "node:test";
import { createFront, LOOPBACK_NAMES, listen } from "libmcp/http";
import { passthrough } from "metatools";
import { bundled } from "../../../../e2e/bundled.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { serverScenario, TASK_SCENARIOS } from "../../../libmcp/test/http/conformance.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { COMPILED } from "../fixtures/compileCache.ts";

const SERVER = new URL("../../../libmcp/test/fixtures/taskServerStdio.ts", import.meta.url);

const through = passthrough({
	spec: {
		kind: "stdio",
		name: "tasks",
		namespace: "tasks",
		protocol: "auto",
		command: process.execPath,
		args: [await bundled(SERVER)],
		env: COMPILED,
	},
	open: openTransport,
});
const front = createFront({
	endpoint: (path) => (path === "/mcp/tasks" ? through.endpoint : undefined),
	origins: { hosts: LOOPBACK_NAMES, origins: [] },
});
const listener = await listen(front);
after(async () => {
	await listener.close([through.endpoint], 0);
	await through.close();
});

for (const scenario of TASK_SCENARIOS)
	verifies("tasks-through-gateway", `the official scenario ${scenario} passes through the gateway`, async () => {
		const { exitCode, output } = await serverScenario(`${listener.address}/mcp/tasks`, scenario);
		equal(exitCode, 0, output.slice(-3_000));
	});
