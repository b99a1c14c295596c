import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";

const folder = mkdtempSync(join(tmpdir(), "metatools-e2e-"));
const config = join(folder, "metatools.json");
const bin = join(import.meta.dirname, "../../bin/metatools.js");
const require = createRequire(import.meta.url);
const entry = (name: string) =>
	join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), "dist/index.js");
const serving = (file: string) => ({ command: process.execPath, args: [bin, "serve", "--config", file] });
const command = serving(config);
const options = { timeout: 120_000 };

type Result = {
	content: { type: string; text?: string }[];
	structuredContent: Record<string, unknown>;
	isError?: boolean;
};
type Servers = Record<string, { command: string; args: string[]; env?: Record<string, string> }>;

const files = (name: string) => {
	mkdirSync(join(folder, name), { recursive: true });
	return { command: process.execPath, args: [entry("server-filesystem"), join(folder, name)] };
};
const everything = { command: process.execPath, args: [entry("server-everything")] };
const memory = {
	command: process.execPath,
	args: [entry("server-memory")],
	env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
};
const configure = (servers: Servers) => writeFileSync(config, JSON.stringify({ mcpServers: servers }));

let client: Client;
let listChanges = 0;
const call = async (name: string, args: object = {}) =>
	(await client.callTool({ name, arguments: { ...args } })) as Result;
const value = async (tool_id: string, args: object) => {
	const result = await call("run_tool", { tool_id, args });
	assert.notEqual(result.isError, true, JSON.stringify(result));
	return result.structuredContent.structured;
};
const states = async () =>
	Object.fromEntries(
		(
			(await call("list_namespaces")).structuredContent.details as {
				namespace: string;
				state: string;
				tools: number;
			}[]
		).map((entry) => [entry.namespace, entry]),
	);

before(async () => {
	configure({ everything, files: files("files"), memory });
	client = new Client({ name: "e2e", version: "1.0.0" });
	client.setNotificationHandler("notifications/tools/list_changed", () => {
		listChanges++;
	});
	await client.connect(new StdioClientTransport({ ...command, stderr: "ignore" }));
	await until(async () => Object.values(await states()).every(({ state }) => state === "ready"));
}, options);
after(async () => {
	await client.close();
	await until(() => !somebodyRuns());
	rmSync(folder, { recursive: true, force: true });
});

/** Whether any process still has our folder on its command line. */
function somebodyRuns(): boolean {
	return readdirSync("/proc").some((pid) => {
		try {
			return (
				/^\d+$/.test(pid) &&
				Number(pid) !== process.pid &&
				readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder)
			);
		} catch {
			return false;
		}
	});
}

verifies(
	"004-tradeoffs-wire-compatible",
	"both lines of SDK clients list and call the metatools without a schema error",
	async () => {
		const file = join(folder, "everything.json");
		writeFileSync(file, JSON.stringify({ mcpServers: { everything } }));
		const old = new OldClient({ name: "old", version: "1.0.0" });
		await old.connect(new OldStdioClientTransport({ ...serving(file), stderr: "ignore" }));
		const modern = new Client(
			{ name: "modern", version: "1.0.0" },
			{ versionNegotiation: { mode: { pin: "2026-07-28" } } },
		);
		await modern.connect(new StdioClientTransport({ ...serving(file), stderr: "ignore" }));
		try {
			for (const each of [old, modern, client]) {
				const { tools } = await each.listTools();
				assert.deepEqual(tools.map((tool) => tool.name).slice(0, 6), [
					"search_tools",
					"list_tools",
					"list_namespaces",
					"describe_tool",
					"list_tool_examples",
					"run_tool",
				]);
				await until(async () =>
					JSON.stringify(await each.callTool({ name: "list_namespaces", arguments: {} })).includes(
						'"everything","state":"ready"',
					),
				);
				const calls: [string, Record<string, unknown>][] = [
					["search_tools", { query: "echo a message" }],
					["list_tools", { limit: 3 }],
					["describe_tool", { tool_id: "everything:echo", detail_level: "full" }],
					["list_tool_examples", { tool_id: "everything:echo" }],
					[
						"run_tool",
						{
							tool_id: "everything:echo",
							args: { message: "x" },
							include_tool: true,
							include_backend: true,
							include_mcp_result: true,
						},
					],
					["run_tool", { tool_id: "everything:echo" }],
					["run_tool", { tool_id: "everything:none" }],
					[
						"run_chain",
						{ steps: [{ tool_id: "everything:get-sum", args: { a: 1, b: 2 } }, { tool_id: "everything:none" }] },
					],
					["list_toolsets", {}],
					["list_skills", {}],
					["plan_skill", { skill: { steps: [{ tool_id: "everything:echo" }] } }],
					["run_skill", { skill: { steps: [{ tool_id: "local:ping" }] } }],
					["describe_toolset", { toolset_id: "none" }],
					["read_result", { handle: "none" }],
					["run_tool", { tool_id: "everything:echo", args: { message: "y".repeat(5_000) }, max_chars: 500 }],
				];
				for (const [name, args] of calls) {
					const result = (await each.callTool({ name, arguments: args })) as Result;
					assert.equal(typeof result.structuredContent, "object", name);
				}
			}
		} finally {
			await old.close();
			await modern.close();
		}
	},
	options,
);

test("real servers are found by what they do, and run", options, async () => {
	const top = async (query: string) =>
		((await call("search_tools", { query, limit: 3 })).structuredContent.tools as { id: string }[]).map(
			(tool) => tool.id,
		);
	assert((await top("create a new folder")).includes("files:create_directory"));
	assert((await top("add entities to the knowledge graph")).includes("memory:create_entities"));
	assert((await top("add two numbers")).includes("everything:get-sum"));
	assert.equal(await value("everything:echo", { message: "hi" }), "Echo: hi");
});

test("a tool that a real server runs only as a task gives its result", options, async () => {
	const report = await value("everything:simulate-research-query", { topic: "bees" });
	assert.match(String(report), /^# Research Report: bees/);
});

test("a resource that a real server only links to can be read", options, async () => {
	const links = await call("run_tool", { tool_id: "everything:get-resource-links", args: { count: 2 } });
	const [, handle] = /read_result \{"handle":"(r_[\w-]+)"\}/.exec(links.content[0]?.text ?? "") ?? [];
	assert(handle !== undefined, links.content[0]?.text);
	const resource = await call("read_result", { handle });
	assert.match(resource.content[0]?.text ?? "", /^Resource 1|\[resource demo:/);
});

test("a chain crosses servers", options, async () => {
	const path = join(folder, "files", "note.txt");
	const result = await call("run_chain", {
		steps: [
			{
				tool_id: "memory:create_entities",
				args: { entities: [{ name: "Ada", entityType: "person", observations: ["writes programs"] }] },
			},
			{
				tool_id: "files:write_file",
				args: { path, content: { $from: "steps/0/structured/entities/0/observations/0" } },
			},
			{ tool_id: "files:read_text_file", args: { path } },
		],
	});
	assert.notEqual(result.isError, true, JSON.stringify(result));
	assert.match(JSON.stringify(result.structuredContent.final), /writes programs/);
	assert.equal(readFileSync(path, "utf8"), "writes programs");
});

test("progress of a real server arrives under the caller's token", options, async () => {
	const heard: number[] = [];
	await client.callTool(
		{
			name: "run_tool",
			arguments: { tool_id: "everything:trigger-long-running-operation", args: { duration: 2, steps: 4 } },
		},
		{ onprogress: ({ progress }) => heard.push(progress) },
	);
	assert(heard.length >= 3, heard.join());
	assert.deepEqual(
		heard,
		heard.toSorted((a, b) => a - b),
	);
});

test(
	"a server killed in a call that may be repeated answers it all the same, and its neighbours never notice",
	options,
	async () => {
		const running = call("run_tool", {
			tool_id: "everything:trigger-long-running-operation",
			args: { duration: 2, steps: 2 },
		});
		await new Promise((resolve) => setTimeout(resolve, 300));
		const pid = readdirSync("/proc").find((candidate) => isOurs(candidate, entry("server-everything")));
		assert(pid !== undefined);
		process.kill(Number(pid), "SIGKILL");
		assert.match(JSON.stringify(await value("files:list_allowed_directories", {})), /files/);
		const result = await running;
		assert.notEqual(result.isError, true, JSON.stringify(result));
		assert.match(String(result.structuredContent.structured), /completed/);
		assert.equal(await value("everything:echo", { message: "back" }), "Echo: back");
		const health = (await value("local:health", {})) as { upstreams: { everything: { restartCount: number } } };
		assert.equal(health.upstreams.everything.restartCount, 1);
	},
);

function isOurs(pid: string, program: string): boolean {
	try {
		const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
		return line[1] === program && descendsFromUs(Number(pid));
	} catch {
		return false;
	}
}

function descendsFromUs(pid: number): boolean {
	for (let at = pid; at > 1; ) {
		if (at === process.pid) return true;
		at = Number(/\) \w (\d+)/.exec(readFileSync(`/proc/${at}/stat`, "utf8"))?.[1] ?? 0);
	}
	return false;
}

test("servers are added, changed and removed by editing the file, while others go on", options, async () => {
	const before = listChanges;
	configure({ files: files("files"), memory, second: files("second") });
	await until(async () => (await states()).second?.state === "ready" && (await states()).everything === undefined);
	assert.equal((await call("run_tool", { tool_id: "everything:echo", args: { message: "x" } })).isError, true);
	assert.match(JSON.stringify(await value("second:list_allowed_directories", {})), /second/);
	await until(() => listChanges > before);

	// The same name with other arguments is an upgrade: the new program answers.
	configure({ files: files("files"), memory, second: files("upgraded") });
	await until(async () =>
		JSON.stringify((await call("run_tool", { tool_id: "second:list_allowed_directories" })).structuredContent).includes(
			"upgraded",
		),
	);

	writeFileSync(config, "{ not json");
	await new Promise((resolve) => setTimeout(resolve, 600));
	assert.equal((await states()).second?.state, "ready");
});

test("finding and calling one tool among sixty costs a fifth of listing them", options, async () => {
	configure({ everything, again: everything, files: files("files"), more: files("more"), memory });
	await until(async () => Object.values(await states()).filter(({ state }) => state === "ready").length === 6);
	const total = Object.values(await states()).reduce((sum, { tools }) => sum + tools, 0);
	assert(total >= 60, String(total));
	// What clients hand to a model; they keep output schemas and annotations to themselves.
	const listed = async (each: Client) =>
		JSON.stringify(
			(await each.listTools()).tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
		).length;
	let plain = 0;
	for (const [server, times] of [
		[everything, 2],
		[files("files"), 2],
		[memory, 1],
	] as const) {
		const direct = new Client({ name: "direct", version: "1.0.0" });
		await direct.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
		plain += times * (await listed(direct));
		await direct.close();
	}
	const spoken = [
		await call("search_tools", { query: "read the contents of a text file", limit: 5 }),
		await call("describe_tool", { tool_id: "files:read_text_file", detail_level: "schema" }),
		await call("run_tool", { tool_id: "files:read_text_file", args: { path: join(folder, "files", "note.txt") } }),
	].map((result) => result.content[0]?.text?.length ?? 0);
	const compact = new Client({ name: "compact", version: "1.0.0" });
	await compact.connect(
		new StdioClientTransport({ ...command, args: [...command.args, "--surface=compact"], stderr: "ignore" }),
	);
	const bytes = {
		plain,
		spoken: spoken.reduce((a, b) => a + b),
		compact: await listed(compact),
		full: await listed(client),
	};
	await compact.close();
	const ratio = (part: number) => Number((part / bytes.plain).toFixed(3));
	console.log(
		JSON.stringify({
			figure: "bytes to find and call one tool",
			tools: total,
			...bytes,
			ratio: ratio(bytes.spoken),
			withCompactList: ratio(bytes.spoken + bytes.compact),
			withFullList: ratio(bytes.spoken + bytes.full),
		}),
	);
	assert(bytes.spoken + bytes.compact <= bytes.plain / 5, JSON.stringify(bytes));
});
