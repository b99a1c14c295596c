import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../../../../e2e/temporaryFolder.ts";
import { until } from "../../../../e2e/until.ts";
import { approveCommand } from "../../src/cli/approveCommand.ts";
import { createQuarantine } from "../../src/quarantine/quarantine.ts";
import { COMPILED } from "../fixtures/compileCache.ts";
import { testGateway } from "../fixtures/gateway.ts";

const SERVER = fileURLToPath(new URL("../fixtures/stdioServer.ts", import.meta.url));

test("a tool that a server changed while it ran is approved as the gateway has it, not as its command would show it", {
	timeout: 120_000,
}, async (t) => {
	const folder = temporaryFolder(t);
	const file = join(folder, "approvals.json");
	const config = join(folder, "metatools.json");
	const args = ["--disable-warning=ExperimentalWarning", SERVER];
	const demo = { command: process.execPath, args, env: COMPILED };
	writeFileSync(config, JSON.stringify({ quarantine: { file }, mcpServers: { demo } }));

	const gateway = await testGateway({ quarantine: createQuarantine({ mode: "auto", file }) });
	const echo = { tool_id: "demo:echo", args: { text: "hi" } };
	await gateway.data("run_tool", echo);
	const peer = gateway.peers.of("demo");
	peer.tools = peer.tools.map((tool) => (tool.name === "echo" ? { ...tool, description: "Say it again" } : tool));
	peer.notifyToolsChanged();
	await until(() => gateway.gateway.catalog.get("demo:echo")?.definition.description === "Say it again");
	assert.match(
		String((await gateway.error("run_tool", echo)).message),
		/^demo:echo is quarantined: its description changed/,
	);

	assert.match(await approve("-c", config), /^demo:echo +description changed\n.*Repeat a text\n.*Say it again$/);
	assert.match(await approve("demo:echo", "-c", config), /^demo:echo +approved\n/);
	await until(async () => (await gateway.call("run_tool", echo)).isError !== true);
	const served =
		"demo:echo: a gateway serves another definition than the configured server has, and that one is approved";
	assert.equal(await approve("-c", config), served, "the configured definition does not wait while another is served");
	await assert.rejects(approve("demo:*", "-c", config), /nothing by that name waits for approval/);

	const held = join(folder, "approvals.held.json");
	const left = readFileSync(held, "utf8");
	await gateway.stop();
	assert.deepEqual(JSON.parse(readFileSync(held, "utf8")), {});
	const gone = spawnSync(process.execPath, ["--version"]).pid;
	writeFileSync(held, left.replace(`"pid": ${process.pid}`, `"pid": ${gone}`));
	assert.match(
		await approve("-c", config),
		/^demo:echo: a gateway was shown another definition than this one.*\ndemo:echo +description changed\n/,
		"nobody serves what a gateway that was killed has left",
	);
});

test("a gateway forgets what an earlier one with its process number has left", { timeout: 120_000 }, async (t) => {
	const folder = temporaryFolder(t);
	const held = join(folder, "approvals.held.json");
	const definition = { name: "echo", inputSchema: { type: "object" } };
	const left = { namespace: "demo", server: "demo", definition };
	writeFileSync(
		held,
		JSON.stringify({ "demo:echo": { ...left, pid: process.pid }, "demo:other": { ...left, pid: process.ppid } }),
	);
	const quarantine = createQuarantine({ mode: "auto", file: join(folder, "approvals.json") });
	const gateway = await testGateway({ quarantine });
	t.after(() => gateway.stop());
	assert.deepEqual(Object.keys(JSON.parse(readFileSync(held, "utf8"))), ["demo:other"]);
});

test("a changed tool whose name has a hash is approved by that name, and its namesake stays as it was", {
	timeout: 120_000,
}, async (t) => {
	const folder = temporaryFolder(t);
	const file = join(folder, "approvals.json");
	const config = join(folder, "metatools.json");
	const demo = { command: process.execPath, args: ["-e", "process.exit(1)"] };
	writeFileSync(config, JSON.stringify({ quarantine: { file }, mcpServers: { demo } }));

	const gateway = await testGateway({ quarantine: createQuarantine({ mode: "auto", file }) });
	t.after(() => gateway.stop());
	const { catalog } = gateway.gateway;
	const peer = gateway.peers.of("demo");
	const [echo] = peer.tools;
	assert.ok(echo !== undefined);
	peer.tools = [
		{ ...echo, name: "foo_bar", description: "The first" },
		{ ...echo, name: "foo bar", description: "The second" },
	];
	peer.notifyToolsChanged();
	await until(() => catalog.get("demo:foo_bar") !== undefined);
	const hashed = catalog.tools.find(({ definition }) => definition.name === "foo bar")?.id ?? "";
	assert.match(hashed, /^demo:foo_bar_[0-9a-f]{6}$/);
	const run = (tool_id: string) => ({ tool_id, args: { text: "hi" } });
	for (const id of ["demo:foo_bar", hashed]) await gateway.data("run_tool", run(id));

	peer.tools = peer.tools.map((tool) => (tool.name === "foo bar" ? { ...tool, description: "Another" } : tool));
	peer.notifyToolsChanged();
	await until(() => catalog.get(hashed)?.definition.description === "Another");
	const changed = `${hashed} +description changed\n.*The second\n.*Another$`;
	assert.match(await approve("-c", config), new RegExp(changed));
	assert.match(await approve(hashed, "-c", config), new RegExp(`^${hashed} +approved\n`, "m"));
	await until(async () => (await gateway.call("run_tool", run(hashed))).isError !== true);
	await gateway.data("run_tool", run("demo:foo_bar"));
});

/** What the command says, all of it. */
async function approve(...argv: string[]): Promise<string> {
	const lines: string[] = [];
	const say = (text: string): void => void lines.push(text);
	await approveCommand(argv, {
		...{ out: say, tell: say, complain: say, bold: String, dim: String },
		error: () => {},
	});
	return lines.join("\n");
}
