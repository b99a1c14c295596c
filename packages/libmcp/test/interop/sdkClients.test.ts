// Clients nobody here wrote drive one session through many kills and upgrades.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client as SecondClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as SecondStdio } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { verifies } from "../../../../e2e/verifies.ts";
import { EffectLog } from "../../src/testing/effectLog.ts";
import { fixtureCommand } from "../../src/testing/fixtureConfig.ts";

const HOST_PROCESS = fileURLToPath(new URL("../scenarios/hostProcess.ts", import.meta.url));
const ME = { name: "witness", version: "1.0.0" };
const KILLS = Number(process.env.KILLS ?? 6);
const ROLLOUTS = Number(process.env.ROLLOUTS ?? 2);

type Witness = {
	readonly hostPid: number;
	call(tool: string, toolArguments: Record<string, unknown>): Promise<Record<string, unknown>>;
	list(): Promise<string[]>;
	close(): Promise<void>;
	closed(): boolean;
};

const WITNESSES: Readonly<Record<string, (command: { command: string; args: string[] }) => Promise<Witness>>> = {
	"the first SDK line's client": async (command) => {
		const client = new FirstClient(ME);
		const transport = new FirstStdio(command);
		await client.connect(transport);
		return witness(client, transport.pid);
	},
	"the second SDK line's client, with a handshake": async (command) => {
		const client = new SecondClient(ME, { versionNegotiation: { mode: "legacy" } });
		const transport = new SecondStdio(command);
		await client.connect(transport);
		return witness(client, transport.pid);
	},
	"the second SDK line's client, pinned to 2026-07-28": async (command) => {
		const client = new SecondClient(ME, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
		const transport = new SecondStdio(command);
		await client.connect(transport);
		return witness(client, transport.pid);
	},
};

for (const [name, connect] of Object.entries(WITNESSES)) {
	verifies(
		["002-problem-statement-stable-host", "002-problem-statement-rollout-blue-green"],
		`${name} keeps its session through ${KILLS} kills and ${ROLLOUTS} upgrades`,
		async (t) => {
			const folder = mkdtempSync(join(tmpdir(), "libmcp-interop-"));
			t.after(() => rmSync(folder, { recursive: true, force: true }));
			const log = new EffectLog(join(folder, "effects.jsonl"));
			const options = {
				...fixtureCommand({ effects: log.path }),
				rollouts: { probationMs: 50 },
				restarts: { intensity: 1_000 },
			};
			const args = ["--disable-warning=ExperimentalWarning", HOST_PROCESS, JSON.stringify(options)];
			const client = await connect({ command: process.execPath, args });
			t.after(() => client.close());
			const tools = await client.list();
			assert.ok(tools.includes("holdfast_health") && tools.includes("read"));
			let n = 0;
			const reads = () => Promise.all(Array.from({ length: 4 }, () => client.call("read", { key: `r${n++}`, ms: 30 })));
			for (let kill = 0; kill < KILLS; kill++) {
				const pid = await workerPid(client);
				const flying = reads();
				await delay(10);
				process.kill(pid, "SIGKILL");
				for (const { isError } of await flying) assert.notEqual(isError, true);
			}
			for (let rollout = 0; rollout < ROLLOUTS; rollout++) {
				const before = await workerPid(client);
				process.kill(client.hostPid, "SIGUSR2");
				for (let waited = 0; (await workerPid(client)) === before; waited++) {
					assert.ok(waited < 2_000, "the upgrade never came");
					for (const { isError } of await reads()) assert.notEqual(isError, true);
				}
			}
			assert.deepEqual(await client.list(), tools);
			assert.equal(client.closed(), false);
			const health = await client.call("holdfast_health", {});
			assert.match(
				JSON.stringify(health.structuredContent),
				new RegExp(`"generation":${1 + KILLS + ROLLOUTS},.*"restartCount":${KILLS},`),
			);
		},
		{ timeout: 120_000 + (KILLS + ROLLOUTS) * 10_000 },
	);
}

async function workerPid(client: Witness): Promise<number> {
	const { structuredContent } = await client.call("whoami", {});
	assert.ok(typeof structuredContent === "object" && structuredContent !== null && "pid" in structuredContent);
	return Number(structuredContent.pid);
}

function witness(client: FirstClient | SecondClient, pid: number | null): Witness {
	let closed = false;
	client.onclose = () => {
		closed = true;
	};
	return {
		hostPid: pid ?? assert.fail("no host process"),
		call: async (name, toolArguments) => ({ ...(await client.callTool({ name, arguments: toolArguments })) }),
		list: async () => (await client.listTools()).tools.map((tool) => tool.name),
		close: () => client.close(),
		closed: () => closed,
	};
}
