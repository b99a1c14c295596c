import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../../e2e/until.ts";
import { openControlSockets } from "../../src/up/controlSockets.ts";
import { startedProduct } from "../console/startedProduct.ts";
import { inProcess } from "./inProcess.ts";

const ECHO = fileURLToPath(new URL("./echoServer.ts", import.meta.url));
/** The same tool, which says of itself what the first argument is. */
const TALKING = `const say = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
	require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
		const { id, method, params } = JSON.parse(line);
		const serverInfo = { name: "echo", version: "2" };
		const tools = [{ name: "echo", description: process.argv[1], inputSchema: { type: "object" } }];
		if (method === "initialize")
			say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
		else if (id !== undefined) say(id, method === "tools/list" ? { tools } : { content: [] });
	});`;

test("a rollout says which tools it has caused to be held, once, and what a person can do about it", {
	skip: process.platform === "win32",
	timeout: 120_000,
}, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-rollout-"));
	t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	const place = { env: { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder }, cwd: folder };
	process.env.XDG_RUNTIME_DIR = folder;
	const started = await startedProduct({
		sections: { mcpServers: { every: { command: process.execPath, args: [ECHO] } } },
	});
	t.after(() => started.close());
	const { gateway } = started.product;
	const sockets = openControlSockets(gateway, { log: () => {} });
	t.after(() => sockets.close());
	sockets.follow();
	await until(() => gateway.catalog.get("every:echo") !== undefined, "it is connected");
	// Its first use approves it as it is.
	const request = { viewer: { id: "local" }, signal: new AbortController().signal };
	await gateway.runner.run({ toolId: "every:echo", args: {}, ...request });
	const rollOut = (description: string, ...flags: string[]) =>
		inProcess(["rollout", "every", ...flags, "--", process.execPath, "-e", TALKING, description], place);
	const first = await rollOut("Says it again, and to others");
	assert.equal(first.stderr, "");
	assert.match(
		first.stdout,
		/^every: generation 2 serves, changed: tools in \d+ ms; .*; every:echo cannot be run before approval: /,
	);
	assert.ok(first.stdout.endsWith(`: ${gateway.command("approve")}\n`), first.stdout);
	const again = await rollOut("Says it again, and to others");
	assert.doesNotMatch(again.stdout, /approval/);
	const told = JSON.parse((await rollOut("Says something else", "--json")).stdout);
	assert.deepEqual(told.held, { tools: ["every:echo"], remedy: gateway.command("approve") });
	const back = await inProcess(["rollout", "every", "--", process.execPath, ECHO], place);
	assert.match(back.stdout, /^every: generation 5 serves, changed: tools /);
	assert.doesNotMatch(back.stdout, /approval/);
});
