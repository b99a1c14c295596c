import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { until } from "../../../../e2e/until.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "holdfast-serve-"));
const project = join(home, "project");
mkdirSync(project);
after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

test("started where everything is, as agents without a project do, the gateway reads nothing of it unasked", () => {
	for (const cwd of [home, "/"]) {
		const { namespaces, said } = served(cwd);
		assert.deepEqual(namespaces, ["local"], cwd);
		assert.match(said, /is not a repository, so only your own servers are served; --repo names one/);
	}
	for (const [cwd, ...args] of [[project], ["/", "--repo", home]] as const)
		assert.deepEqual(served(cwd, ...args).namespaces, ["local", "pairofcleats", "synesthetic"], cwd);
});

test("a gateway behind two others refuses to serve and names the file, since one may start itself", (t) => {
	const folder = join(home, ".config", "holdfast");
	const file = join(folder, "metatools.json");
	mkdirSync(folder, { recursive: true });
	t.after(() => rmSync(folder, { recursive: true }));
	writeFileSync(file, "{}");
	const { stderr, status } = spawnSync(process.execPath, [BIN, "serve", "--bare"], {
		cwd: project,
		env: { PATH: process.env.PATH, HOME: home, METATOOLS_DEPTH: "2" },
		input: "",
		encoding: "utf8",
		timeout: 120_000,
	});
	assert.equal(status, 1);
	assert.match(stderr, /^holdfast serve: this gateway was started behind 2 others, which would never end; /);
	assert(stderr.includes(`a server in ${file}, or in a file that it imports, starts the gateway itself`), stderr);
});

test("code search of an agent's own gateway answers without being told to index", { timeout: 120_000 }, async (t) => {
	const search = await searching(t, join(home, "indexed"));
	await until(async () => (await search()).includes("lantern.ts"), "the search finds it");
});

test("with --no-index an agent's own gateway leaves the index to the tool", { timeout: 120_000 }, async (t) => {
	const search = await searching(t, join(home, "unindexed"), "--no-index");
	await until(async () => (await search()).includes("the repository has no index; build one first"), "it answers");
});

/** Searches through a gateway that is started in a new repository. */
async function searching(t: TestContext, repository: string, ...args: string[]): Promise<() => Promise<string>> {
	mkdirSync(repository);
	writeFileSync(join(repository, "lantern.ts"), "export function lightLantern(): void {}\n");
	const client = await connected(t, repository, ...args);
	const run = { tool_id: "pairofcleats:search", args: { query: "lightLantern" } };
	return async () => JSON.stringify(await client.callTool({ name: "run_tool", arguments: run }));
}

async function connected(t: TestContext, cwd: string, ...args: string[]): Promise<Client> {
	const client = new Client({ name: "test", version: "1.0.0" });
	const env = { PATH: process.env.PATH ?? "", HOME: home };
	await client.connect(
		new StdioClientTransport({ command: process.execPath, args: [BIN, "serve", ...args], cwd, env, stderr: "ignore" }),
	);
	t.after(() => client.close());
	return client;
}

/** The namespaces that a gateway started in a folder tells its client of, and what it says besides. */
function served(cwd: string, ...args: string[]): { namespaces: string[]; said: string } {
	const clientInfo = { name: "test", version: "1.0.0" };
	const messages = [
		{ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
		{ method: "notifications/initialized" },
		{ id: 2, method: "tools/call", params: { name: "list_namespaces", arguments: { render: "json" } } },
	];
	const { stdout, stderr } = spawnSync(process.execPath, [BIN, "serve", ...args], {
		cwd,
		env: { PATH: process.env.PATH, HOME: home },
		input: messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""),
		encoding: "utf8",
		timeout: 120_000,
	});
	const answers = stdout.trim().split("\n");
	const answer = answers.map((line) => JSON.parse(line)).find(({ id }) => id === 2);
	return { namespaces: answer.result.structuredContent.namespaces, said: stderr };
}
