import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { bundled } from "../../../../e2e/bundled.ts";
import { until } from "../../../../e2e/until.ts";
import { COMPILED } from "../fixtures/compileCache.ts";
import { metatools } from "../transport/command.ts";

const BIN = fileURLToPath(new URL("../../bin/metatools.js", import.meta.url));
const ECHO = await bundled(new URL("../../../libmcp/test/server/fixtures/echoServer.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "metatools-access-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("clients are told when an approval or a rule changes what they may see", { timeout: 120_000 }, async () => {
	const file = join(folder, "config.json");
	const write = (policy: object) =>
		writeFileSync(
			file,
			JSON.stringify({
				mcpServers: { echo: { command: process.execPath, args: [ECHO], env: COMPILED } },
				quarantine: { mode: "ask", file: join(folder, "approvals.json") },
				policy,
			}),
		);
	write({});
	const address = await metatools(["serve", "--transport=streamable", "--port=0", "-c", file], {
		XDG_STATE_HOME: folder,
	}).address;
	const [whole, own] = [await listening(address), await listening(`${address}/echo`)];
	const bothTold = (before: readonly number[]) =>
		until(() => whole.told() > (before[0] ?? 0) && own.told() > (before[1] ?? 0));
	assert.deepEqual(await own.names(), []);
	await until(async () => (await whole.namespaces()).includes("echo"));

	let before = [whole.told(), own.told()];
	await promisify(execFile)(process.execPath, [BIN, "approve", "echo:*", "-c", file], {
		env: { ...process.env, XDG_STATE_HOME: folder },
	});
	await bothTold(before);
	assert.ok((await own.names()).includes("slow"));

	before = [whole.told(), own.told()];
	write({ "*": { deny: ["echo:slow"] } });
	await bothTold(before);
	assert.ok(!(await own.names()).includes("slow"));
});

async function listening(url: string) {
	const client = new Client({ name: "witness", version: "1.0.0" });
	let told = 0;
	client.setNotificationHandler("notifications/tools/list_changed", () => void told++);
	await client.connect(new StreamableHTTPClientTransport(new URL(url)));
	after(() => client.close());
	return {
		told: () => told,
		names: async () => (await client.listTools()).tools.map(({ name }) => name),
		namespaces: async () => JSON.stringify(await client.callTool({ name: "list_namespaces", arguments: {} })),
	};
}
