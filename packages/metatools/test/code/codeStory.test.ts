import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { verifies } from "../../../../e2e/verifies.ts";

const REGIONS = ["north", "south", "east", "west", "centre", "coast"];

verifies(
	["004-tradeoffs-tool-execute-code", "004-tradeoffs-execute-code-sandboxed"],
	"one execute_code over three real servers does the work of twelve run_tool calls in a fifth of the bytes",
	async (t) => {
		const folder = await folderOfLogs(t);
		const meter = await connected(t, folder);

		const stepByStep = await inTwelveCalls(meter, join(folder, "logs"));
		const long = meter.reading();
		const atOnce = await inOneCall(meter, join(folder, "logs"));
		const short = meter.reading();

		assert.deepEqual(atOnce, stepByStep);
		assert.deepEqual([long.calls, short.calls], [12, 1]);
		const line = (name: string, { calls, sent, received }: Reading): string =>
			`${name}: ${calls} calls, ${sent} bytes sent, ${received} received, about ${Math.round((sent + received) / 4)} tokens`;
		t.diagnostic(line("run_tool", long));
		t.diagnostic(line("execute_code", short));
		assert.ok((short.sent + short.received) * 5 <= long.sent + long.received);
	},
	{ timeout: 180_000 },
);

type Totals = { errors: Record<string, number>; sums: string[]; kept: number };
type Reading = { calls: number; sent: number; received: number };

/** As an agent does it: look, read six files, add up in three steps, write down, read back. */
async function inTwelveCalls(meter: Meter, logs: string): Promise<Totals> {
	await meter.tool("filesystem:list_directory", { path: logs });
	const errors: Record<string, number> = {};
	for (const region of REGIONS) {
		const read = await meter.tool("filesystem:read_text_file", { path: join(logs, `${region}.log`) });
		errors[region] = countIn(read);
	}
	const counts = REGIONS.map((region) => errors[region] ?? 0);
	const sums: string[] = [];
	for (let at = 0; at < 6; at += 2)
		sums.push(String(await meter.tool("everything:get-sum", { a: counts[at], b: counts[at + 1] })));
	await meter.tool("memory:create_entities", { entities: entities(errors) });
	const graph = await meter.tool("memory:read_graph", {});
	return { errors, sums, kept: Object(graph).entities.length };
}

async function inOneCall(meter: Meter, logs: string): Promise<Totals> {
	const code = `const logs = ${JSON.stringify(logs)};
const listing = JSON.stringify(await tools.filesystem.list_directory({ path: logs }));
const names = [...listing.matchAll(/(\\w+)\\.log/g)].map((m) => m[1]);
const regions = ${JSON.stringify(REGIONS)}.filter((r) => names.includes(r));
const counts = await Promise.all(regions.map(async (r) => {
	const read = await tools.filesystem.read_text_file({ path: logs + "/" + r + ".log" });
	return (typeof read === "string" ? read : read.content).split("ERROR").length - 1;
}));
const sums = await Promise.all([0, 2, 4].map((i) => tools.everything.get_sum({ a: counts[i], b: counts[i + 1] })));
const errors = Object.fromEntries(regions.map((r, i) => [r, counts[i]]));
await tools.memory.create_entities({ entities: regions.map((name) => ({ name, entityType: "region", observations: [errors[name] + " errors"] })) });
return { errors, sums, kept: (await tools.memory.read_graph({})).entities.length };`;
	const { value } = await meter.call("execute_code", { language: "javascript", code, timeout_ms: 60_000 });
	return Object(value);
}

function countIn(read: unknown): number {
	return String(typeof read === "string" ? read : Object(read).content).split("ERROR").length - 1;
}

function entities(errors: Record<string, number>): object[] {
	return Object.entries(errors).map(([name, count]) => ({
		...{ name, entityType: "region", observations: [`${count} errors`] },
	}));
}

/** A client that weighs what goes each way. */
class Meter {
	readonly #client: Client;
	#reading: Reading = { calls: 0, sent: 0, received: 0 };

	constructor(client: Client) {
		this.#client = client;
	}

	async tool(toolId: string, args: object): Promise<unknown> {
		return (await this.call("run_tool", { tool_id: toolId, args })).structured;
	}

	async call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
		const result = await this.#client.callTool({ name, arguments: args });
		this.#reading.calls += 1;
		this.#reading.sent += JSON.stringify({ name, arguments: args }).length;
		this.#reading.received += JSON.stringify(result).length;
		assert.notEqual(result.isError, true, JSON.stringify(result));
		return Object(result.structuredContent);
	}

	reading(): Reading {
		const reading = this.#reading;
		this.#reading = { calls: 0, sent: 0, received: 0 };
		return reading;
	}
}

async function folderOfLogs(t: TestContext): Promise<string> {
	const folder = await realpath(await mkdtemp(join(tmpdir(), "code-story-")));
	t.after(() => rm(folder, { recursive: true, force: true }));
	await mkdir(join(folder, "logs"));
	for (const [index, region] of REGIONS.entries()) {
		const lines = Array.from(
			{ length: 40 },
			(_, at) =>
				`2026-03-${10 + index} 08:${10 + at} ${at % (index + 3) === 0 ? "ERROR" : "INFO"} ${region} order ${at} handled`,
		);
		await writeFile(join(folder, "logs", `${region}.log`), `${lines.join("\n")}\n`);
	}
	return folder;
}

async function connected(t: TestContext, folder: string): Promise<Meter> {
	const server = (name: string, args: string[] = [], env = {}): object => ({
		command: process.execPath,
		args: [entryOf(name), ...args],
		env,
	});
	const config = join(folder, "metatools.json");
	const mcpServers = {
		filesystem: server("filesystem", [join(folder, "logs")]),
		memory: server("memory", [], { MEMORY_FILE_PATH: join(folder, "memory.jsonl") }),
		everything: server("everything"),
	};
	await writeFile(config, JSON.stringify({ mcpServers, runtime: { backend: "wasm" } }));
	const bin = fileURLToPath(new URL("../../bin/metatools.js", import.meta.url));
	const transport = new StdioClientTransport({
		...{ command: process.execPath, args: [bin, "serve", "--config", config], stderr: "pipe" },
	});
	const client = new Client({ name: "story", version: "1.0.0" });
	await client.connect(transport);
	t.after(() => client.close());
	const { tools } = await client.listTools();
	assert.ok(tools.some(({ name }) => name === "execute_code"));
	const meter = new Meter(client);
	await untilListed(meter, ["filesystem", "memory", "everything"]);
	meter.reading();
	return meter;
}

async function untilListed(meter: Meter, namespaces: readonly string[]): Promise<void> {
	for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
		const listed = JSON.stringify(await meter.call("list_tools", { limit: 100 }));
		if (namespaces.every((name) => listed.includes(`"${name}:`))) return;
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	throw new Error(`the servers ${namespaces.join(", ")} were not ready in time`);
}

function entryOf(name: string): string {
	const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}/package.json`);
	return join(dirname(manifest), "dist", "index.js");
}
