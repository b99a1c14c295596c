import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { until } from "../../../../e2e/until.ts";
import { hostedTransport } from "../../src/control/hostedTransport.ts";
import { FIXTURE_COMMAND } from "../host/harness.ts";

test("an SDK client keeps its connection through kills and a rollout of the server behind it", async (t) => {
	const transport = hostedTransport<JSONRPCMessage>({
		...FIXTURE_COMMAND,
		onWorkerStderr: () => {},
		rollouts: { probationMs: 50 },
	});
	const client = new Client({ name: "test", version: "1" });
	t.after(() => client.close());
	await client.connect(transport);
	const pids = new Set<string>();
	const read = async () => {
		const result = await client.callTool({ name: "read", arguments: {} });
		pids.add(JSON.stringify(result.content));
	};
	await read();
	for (let kill = 0; kill < 3; kill++) {
		process.kill(transport.host?.state().workerPid ?? Number.NaN, "SIGKILL");
		await read();
	}
	assert.equal((await transport.host?.rollout())?.ok, true);
	await read();
	assert.equal(pids.size, 5);
	const { tools } = await client.listTools();
	assert.ok(tools.some((tool) => tool.name === "holdfast_health"));
	const { structuredContent } = await client.callTool({ name: "holdfast_health", arguments: {} });
	assert.equal(typeof structuredContent, "object");
});

test("what a listener throws when the connection ends is reported to onerror", async () => {
	const transport = hostedTransport<JSONRPCMessage>({ ...FIXTURE_COMMAND, onWorkerStderr: () => {} });
	const reported: string[] = [];
	transport.onerror = ({ message }) => reported.push(message);
	transport.onclose = () => {
		throw new Error("the listener failed");
	};
	await transport.start();
	await transport.close();
	await until(() => reported.length > 0, "the report");
	assert.deepEqual(reported, ["the listener failed"]);
});

test("a real server nobody here wrote works through the host", async (t) => {
	const script = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
	const transport = hostedTransport<JSONRPCMessage>({
		command: process.execPath,
		args: [script],
		onWorkerStderr: () => {},
	});
	const client = new Client({ name: "test", version: "1" });
	t.after(() => client.close());
	await client.connect(transport);
	const { tools } = await client.listTools();
	assert.ok(tools.length > 5);
	const before = await client.callTool({ name: "echo", arguments: { message: "one" } });
	process.kill(transport.host?.state().workerPid ?? Number.NaN, "SIGKILL");
	const after = await client.callTool({ name: "echo", arguments: { message: "one" } });
	assert.deepEqual(after.content, before.content);
	const { resources } = await client.listResources();
	assert.ok(resources.length > 0);
});

test("closing the transport ends the server and tells the client", async () => {
	const transport = hostedTransport<JSONRPCMessage>({ ...FIXTURE_COMMAND, onWorkerStderr: () => {} });
	const client = new Client({ name: "test", version: "1" });
	let closed = false;
	client.onclose = () => {
		closed = true;
	};
	await client.connect(transport);
	const pid = transport.host?.state().workerPid ?? 0;
	await client.close();
	await until(() => closed, "the client knows");
	assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
	await assert.rejects(transport.send({ jsonrpc: "2.0", method: "x" }), /not open/);
});

async function clientOfRawTabs(t: TestContext): Promise<Client> {
	const command = { command: process.execPath, args: ["-e", RAW_TAB_SERVER] };
	const client = new Client({ name: "test", version: "1" });
	t.after(() => client.close());
	await client.connect(hostedTransport<JSONRPCMessage>({ ...command, onWorkerStderr: () => {} }));
	return client;
}

test("an answer whose text is no JSON fails its call at once, and no other", async (t) => {
	const client = await clientOfRawTabs(t);
	const [bad, good] = await Promise.allSettled(
		["bad", "good"].map((name) => client.callTool({ name, arguments: {} }, { timeout: 50_000 })),
	);
	assert.match(bad?.status === "rejected" ? String(bad.reason) : "answered", /could not be read/);
	assert.equal(good?.status, "fulfilled");
});

test("a question of the server's whose text is no JSON is refused at once", async (t) => {
	const client = await clientOfRawTabs(t);
	const { content } = await client.callTool({ name: "ask", arguments: {} }, { timeout: 50_000 });
	assert.deepEqual(content, [{ type: "text", text: "refused with -32700" }]);
});

/** As a shell script does that prints a text between two quotes. */
const RAW_TAB_SERVER = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }).replace("TAB", "\t") + "\\n");
let asking;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params, error } = JSON.parse(line);
	const content = (text) => ({ content: [{ type: "text", text }] });
	if (error !== undefined) send({ id: asking, result: content("refused with " + error.code) });
	else if (method === "initialize")
		send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "raw", version: "1" } } });
	else if (params?.name === "ask") {
		asking = id;
		send({ id: "question", method: "roots/list", params: { text: "aTABb" } });
	} else if (id !== undefined) send({ id, result: content(params?.name === "bad" ? "aTABb" : "a-b") });
});`;
