// Any server under a host, as a library: an SDK client keeps its connection through a crash and an upgrade. It checks itself.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Client, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { hostedTransport, parseContracts } from "libmcp";

const server = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
const transport = hostedTransport<JSONRPCMessage>({
	command: process.execPath,
	args: [server],
	name: "everything",
	// A contract from outside: echo may be repeated, whatever the server itself says of it.
	contract: parseContracts({ tools: { echo: { recovery: "replay_safe" } } }),
	deadlines: { hardMs: 30_000 },
	onWorkerStderr: () => {},
});
const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(transport);
const { host } = transport;
assert.ok(host);
host.events.on("fault", (fault) => console.log(`${fault.class}: ${fault.code}`));

const echo = async (message: string) => (await client.callTool({ name: "echo", arguments: { message } })).content;
assert.deepEqual(await echo("one"), [{ type: "text", text: "Echo: one" }]);

const { workerPid } = host.state();
assert.ok(workerPid !== undefined);
process.kill(workerPid, "SIGKILL");
assert.deepEqual(await echo("two"), [{ type: "text", text: "Echo: two" }]);
assert.equal(host.health().restartCount, 1);

const upgraded = await host.rollout();
assert.equal(upgraded.ok, true);
assert.deepEqual(await echo("three"), [{ type: "text", text: "Echo: three" }]);

await client.close();
console.log("libmcp-host: ok");
