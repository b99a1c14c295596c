import assert from "node:assert/strict";
import { test } from "node:test";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { bundled } from "../../../../e2e/bundled.ts";
import { ECHO_SERVER } from "./rawClient.ts";

const COMMAND = { command: process.execPath, args: [await bundled(ECHO_SERVER)] };
const ME = { name: "witness", version: "1.0.0" };

test("the first SDK line's client lists and calls tools", async (t) => {
	const client = new FirstClient(ME);
	t.after(() => client.close());
	await client.connect(new FirstStdio(COMMAND));
	assert.equal((await client.listTools()).tools.length, 8);
	const seen: number[] = [];
	const result = await client.callTool({ name: "steps" }, undefined, {
		onprogress: ({ progress }) => seen.push(progress),
	});
	assert.deepEqual(result.content, [{ type: "text", text: "done" }]);
	assert.ok(seen.length > 0);
});

for (const [label, mode] of [
	["with a handshake", "legacy"],
	["by probing", "auto"],
	["pinned to 2026-07-28", { pin: "2026-07-28" }],
] as const) {
	test(`the second SDK line's client works ${label}`, async (t) => {
		const client = new ModernClient(ME, { versionNegotiation: { mode } });
		t.after(() => client.close());
		await client.connect(new ModernStdio(COMMAND));
		assert.equal((await client.listTools()).tools.length, 8);
		const result = await client.callTool({ name: "echo", arguments: { text: "hello" } });
		assert.deepEqual(result.content, [{ type: "text", text: "hello" }]);
	});
}
