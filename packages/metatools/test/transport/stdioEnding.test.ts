import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../../e2e/until.ts";
import { metatools, type Running } from "./command.ts";

const SERVER = fileURLToPath(new URL("../fixtures/stdioServer.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "metatools-ending-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("a client that asks and closes its input gets an answer that takes seconds", async () => {
	const { running, written } = await gatewayWithCalls([3_000]);
	running.child.stdin?.end();
	assert.equal(await running.exited, 0);
	assert.match(written(), /"id":10,"result":.*late/);
});

test("a signal lets a short call finish, and a longer one is answered that it may have taken effect", async () => {
	const { running, written } = await gatewayWithCalls([600, 60_000]);
	running.child.kill("SIGTERM");
	assert.equal(await running.exited, 0);
	assert.match(written(), /"id":10,"result":.*late/);
	assert.match(written(), /"id":11,"error":.*"ambiguous_outcome"/);
});

/** A gateway on stdio with calls on their way in its server, each of which takes this long. */
async function gatewayWithCalls(
	delays: readonly number[],
): Promise<{ readonly running: Running; readonly written: () => string }> {
	const config = join(folder, "config.json");
	const demo = { command: process.execPath, args: ["--disable-warning=ExperimentalWarning", SERVER] };
	writeFileSync(config, JSON.stringify({ mcpServers: { demo } }));
	const running = metatools(["serve", "-c", config]);
	let output = "";
	running.child.stdout?.on("data", (chunk: Buffer) => {
		output += chunk.toString();
	});
	const send = (message: object): void =>
		void running.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
	const run = (id: number, tool: string, args: object): void =>
		send({ id, method: "tools/call", params: { name: "run_tool", arguments: { tool_id: `demo:${tool}`, args } } });
	send({ id: 1, method: "initialize", params: client });
	run(2, "slow", { ms: 1 });
	await until(() => output.includes('"id":2,"result"'));
	for (const [index, ms] of delays.entries()) run(10 + index, "slow", { ms });
	send({ id: 3, method: "ping" });
	await until(() => output.includes('"id":3'));
	return { running, written: () => output };
}
