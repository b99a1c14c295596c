import assert from "node:assert/strict";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { after, before } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { type TestWorkspace, workspaceOf } from "../tools/workspace.ts";
import { at, BLOCK, listAt, resultOf, type Served, serve } from "./serving.ts";

const PACKAGE_VERSION: string = JSON.parse(
	readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
).version;
const CLIENT = { capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
const TOOLS = [
	"index_status",
	"config_status",
	"build_index",
	"search",
	"download_models",
	"download_dictionaries",
	"download_extensions",
	"verify_extensions",
	"build_sqlite_index",
	"compact_sqlite_index",
	"cache_gc",
	"clean_artifacts",
	"bootstrap",
	"report_artifacts",
	"triage_ingest",
	"triage_decision",
	"triage_context_pack",
	"show_file",
	"workspace_status",
	"index_build",
	"check_status",
];

type Definition = {
	name: string;
	description: string;
	inputSchema: Record<string, unknown>;
	_meta: Record<string, unknown>;
};

const cleanUp: (() => unknown)[] = [];
let space: TestWorkspace;
let shared: Served;

before(async () => {
	const t = { after: (undo: () => unknown) => void cleanUp.unshift(undo) };
	space = await workspaceOf(t);
	shared = await serve(t, space);
});
after(async () => {
	for (const undo of cleanUp) await undo();
});

verifies(
	[
		"001-6.1-protocol-2025-11-25",
		"001-6.4-experimental-block",
		"001-6.4-block-transport",
		"001-6.4-tools-capability",
		"001-6.4-server-info",
		"001-3.1-tooling-version-is-package",
		"001-3.2-schema-version-semver",
	],
	"the handshake answers 2025-11-25 with the server's name, versions and abilities",
	async (t) => {
		const { client } = await serve(t, space, { raw: true });
		const { result } = await client.request("initialize", { protocolVersion: "2025-11-25", ...CLIENT });
		assert.equal(result?.protocolVersion, "2025-11-25");
		assert.deepEqual(result?.serverInfo, { name: "pairofcleats", title: "pairofcleats", version: PACKAGE_VERSION });
		assert.deepEqual(at(result, "/capabilities/tools"), { listChanged: false });
		assert.equal(at(result, `${BLOCK}/schemaVersion`), "2.0.1");
		assert.equal(at(result, `${BLOCK}/toolingVersion`), PACKAGE_VERSION);
		assert.equal(at(result, `${BLOCK}/transport`), "sdk");
		client.notify("notifications/initialized");
		assert.equal(resultOf(await client.call("show_file", { path: "docs/guide.md" })).repo, "repo");
	},
);

verifies(
	["001-6.1-other-version-negotiated", "001-6.1-bad-initialize-fails"],
	"a malformed initialize fails and the next one is answered with the revision it asks for",
	async (t) => {
		const { client } = await serve(t, space, { raw: true });
		const bad = await client.request("initialize", { protocolVersion: 7 });
		assert.equal(bad.error?.code, -32602);
		assert.equal(at(bad.error, "/data/code"), "INVALID_REQUEST");
		const good = await client.request("initialize", { protocolVersion: "2024-11-05", ...CLIENT });
		assert.equal(good.result?.protocolVersion, "2024-11-05");
		assert.equal(listAt(await client.request("tools/list"), "/result/tools").length, 21);
	},
);

for (const hosted of [false, true]) {
	verifies(
		"001-6.1-other-version-negotiated",
		`a client that has asked what the server is may still begin a handshake${hosted ? " under the host" : ""}`,
		async (t) => {
			const { client } = await serve(t, space, { hosted, raw: true });
			const _meta = {
				"io.modelcontextprotocol/protocolVersion": "2026-07-28",
				"io.modelcontextprotocol/clientInfo": CLIENT.clientInfo,
				"io.modelcontextprotocol/clientCapabilities": {},
			};
			const found = await client.request("server/discover", { _meta });
			assert.equal(at(found.result, `${BLOCK}/schemaVersion`), "2.0.1");
			// A host that asked anything of its own would do so now.
			await new Promise((resolve) => setTimeout(resolve, 100));
			const { result } = await client.request("initialize", { protocolVersion: "2025-11-25", ...CLIENT });
			assert.equal(result?.protocolVersion, "2025-11-25");
			client.notify("notifications/initialized");
			assert.equal(resultOf(await client.call("show_file", { path: "docs/guide.md" })).repo, "repo");
		},
	);
}

verifies(
	["001-6.1-modern-revision", "001-6.4-experimental-block-modern"],
	"a client without a handshake finds the same block, the same tools and the same answers",
	async (t) => {
		const modern = await serve(t, space, { modern: true });
		const legacy = shared;
		const found = await modern.client.request("server/discover");
		assert.equal(at(found.result, `${BLOCK}/schemaVersion`), "2.0.1");
		assert.equal(at(found.result, `${BLOCK}/toolingVersion`), PACKAGE_VERSION);
		const lists = await Promise.all([modern, legacy].map(({ client }) => client.request("tools/list")));
		assert.deepEqual(lists[0]?.result?.tools, lists[1]?.result?.tools);
		const calls = [modern, legacy].map(({ client }) => client.call("search", { query: "session" }));
		const [first, second] = (await Promise.all(calls)).map(resultOf);
		assert.deepEqual(first, second);
	},
);

verifies(
	["001-6.5.1-full-list", "001-6.5.1-tool-meta-versions", "000-2.1-definition-fields"],
	"all twenty-one tools are listed once, each whole and with both versions, in less than 40 kB",
	async () => {
		const { client, lines } = shared;
		const answer = await client.request("tools/list");
		const tools = answer.result?.tools as Definition[];
		assert.equal(answer.result?.nextCursor, undefined);
		assert.deepEqual(tools.map(({ name }) => name).sort(), [...TOOLS].sort());
		for (const { name, description, inputSchema, _meta } of tools) {
			assert.ok(name.length > 0 && description.length > 0);
			assert.equal(inputSchema.type, "object");
			assert.equal(_meta.schemaVersion, "2.0.1");
			assert.equal(_meta.toolingVersion, PACKAGE_VERSION);
		}
		const bytes = Buffer.byteLength(lines.find((line) => line.includes('"tools":[')) ?? "");
		assert.ok(bytes < 40_000, `${bytes} bytes`);
		assert.equal((await client.request("tools/list", { cursor: "x" })).error?.code, -32602);
		assert.equal((await client.request("tools/list", { cursor: null })).error, undefined);
	},
);

verifies(
	[
		"001-6.1-unparseable-line",
		"001-6.1-json-rpc-2",
		"001-6.2-one-line-messages",
		"001-5.2-protocol-error-data-code",
		"001-5.2-reserved-numeric-codes",
		"001-10-mcp-conformance-tests",
		"000-7.2-ids-keep-type",
	],
	"whatever a client sends, each answer is one line of JSON-RPC 2.0 with its id and a code of the table",
	async (t) => {
		const { client, lines, child } = await serve(t, space, { raw: true });
		const early = await client.request("tools/list");
		assert.equal(early.error?.code, -32600);
		client.sendText("no JSON at all");
		client.sendText("[1,2]");
		client.sendText('{"jsonrpc":"1.0","id":1,"method":"ping"}');
		await client.connect();
		assert.equal((await client.request("no/such", {}, "text")).error?.code, -32601);
		assert.equal((await client.request("tools/call", { name: "none" }, 9)).error?.code, -32602);
		const [seven, text] = await Promise.all([client.request("ping", {}, 7), client.request("ping", {}, "7")]);
		assert.equal(seven.id, 7);
		assert.equal(text.id, "7");
		client.sendText('{"jsonrpc":"2.0","id":12345678901234567890,"method":"no/such"}');
		await client.call("show_file", { path: "docs/guide.md" });
		assert.ok(lines.some((line) => line.includes('"id":12345678901234567890,"error"')));
		for (const line of lines) {
			const message = JSON.parse(line);
			assert.equal(message.jsonrpc, "2.0");
			if (message.error === undefined) continue;
			assert.ok(Number.isInteger(message.error.code));
			assert.ok(message.error.code > -32020 || message.error.code < -32099, line);
			assert.ok(["INVALID_REQUEST", "UNKNOWN_TOOL"].includes(message.error.data.code), line);
		}
		const numbers = client.anonymousErrors.map(({ code }) => code).sort();
		assert.ok(numbers.includes(-32700) && numbers.includes(-32600), String(numbers));
		assert.equal(child.exitCode, null);
	},
);

for (const hosted of [false, true]) {
	verifies(
		"001-5.2-protocol-error-data-code",
		`every refusal of a message has a code of the table${hosted ? " under the host" : ""}`,
		async (t) => {
			const { client, lines } = await serve(t, space, { hosted });
			for (const bad of [
				"{",
				"[]",
				"42",
				'{"jsonrpc":"1.0","id":1,"method":"ping"}',
				'{"jsonrpc":"2.0","id":true,"method":"ping"}',
				'{"jsonrpc":"2.0","id":50,"method":5}',
				'{"jsonrpc":"2.0","id":51,"method":"tools/list","params":"x"}',
				'{"jsonrpc":"2.0","id":52,"id":53,"method":"tools/list"}',
				`{"jsonrpc":"2.0","id":54,"method":"tools/list","params":${"[".repeat(300)}${"]".repeat(300)}}`,
				`{"jsonrpc":"2.0","id":55,"method":"tools/list","params":{"x":"${"x".repeat(12_000_000)}"}}`,
				'{"jsonrpc":"2.0","id":56,"method":"server/discover"}',
				'{"jsonrpc":"2.0","id":57,"method":"no/such"}',
			])
				client.sendText(bad);
			const errors = (): string[] => lines.filter((line) => line.includes('"error":'));
			await until(() => errors().length === 12, "every refusal");
			for (const line of errors()) assert.equal(at(JSON.parse(line), "/error/data/code"), "INVALID_REQUEST", line);
		},
	);
}

verifies(
	"001-5.2-protocol-error-data-code",
	"a call that the host answers because the server cannot start has a code of the table",
	async (t) => {
		const ending = "if(process.argv.includes('--direct'))process.exit(1)";
		const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ending)}` };
		const { client } = await serve(t, space, { hosted: true, raw: true, env });
		const { error } = await client.request("initialize", { protocolVersion: "2025-11-25", ...CLIENT });
		assert.equal(error?.code, -32603);
		assert.equal(at(error, "/data/code"), "INTERNAL");
		assert.equal(at(error, "/data/fault/code"), "start_failed");
	},
);

verifies(
	"001-6.2-stdout-protocol-only",
	"output of a dependency goes to standard error and never between the messages",
	async (t) => {
		const printing =
			'setInterval(()=>{console.log("stray console");process.stdout.write("stray write\\n")},20).unref();console.error("ready")';
		const nodeArgs = ["--import", `data:text/javascript,${encodeURIComponent(printing)}`];
		const { client, lines, stderr } = await serve(t, space, { nodeArgs });
		const guarded = lines.length;
		for (let at = 0; at < 20; at++) await client.call("show_file", { path: "src/session.ts" });
		await new Promise((resolve) => setTimeout(resolve, 100));
		for (const line of lines.slice(guarded)) assert.doesNotThrow(() => JSON.parse(line), line);
		assert.ok(stderr().includes("stray console") && stderr().includes("stray write"));
	},
);

verifies(
	"001-6.4-block-capabilities",
	"the reported capabilities are detected: without an optional package its flag is false",
	async (t) => {
		const block = async (nodeArgs: readonly string[]): Promise<(path: string) => unknown> => {
			const { client } = await serve(t, space, { raw: true, nodeArgs });
			const { result } = await client.request("initialize", { protocolVersion: "2025-11-25", ...CLIENT });
			return (path) => at(result, `${BLOCK}/capabilities${path}`);
		};
		const hide = (name: string): string[] => {
			const hook = `import fs from"node:fs";import{syncBuiltinESMExports}from"node:module";const own=fs.existsSync;fs.existsSync=(p)=>!String(p).includes(${JSON.stringify(`/node_modules/${name}/`)})&&own(p);syncBuiltinESMExports()`;
			return ["--import", `data:text/javascript,${encodeURIComponent(hook)}`];
		};
		const whole = await block([]);
		for (const flag of [
			"/docs/pdfjsDist",
			"/docs/mammoth",
			"/vector/sqliteVec",
			"/vector/hnsw",
			"/mcp/sdk",
			"/mcp/legacy",
		]) {
			assert.equal(typeof whole(flag), "boolean", flag);
		}
		assert.equal(whole("/docs/mammoth"), true);
		assert.equal((await block(hide("mammoth")))("/docs/mammoth"), false);
		assert.equal(whole("/vector/sqliteVec"), true);
		assert.equal((await block(hide("sqlite-vec")))("/vector/sqliteVec"), false);
	},
);

verifies(
	"001-1.2-stdio-only",
	"the MCP server listens on no port",
	async () => {
		const { client, child } = shared;
		await client.call("index_status");
		const sockets = new Set(
			["tcp", "tcp6"].flatMap((file) =>
				readFileSync(`/proc/${child.pid}/net/${file}`, "utf8")
					.split("\n")
					.slice(1)
					.map((row) => row.trim().split(/\s+/))
					.filter((row) => row[3] === "0A")
					.map((row) => row[9] ?? ""),
			),
		);
		const own = readdirSync(`/proc/${child.pid}/fd`).flatMap((fd) => {
			try {
				return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${child.pid}/fd/${fd}`))?.[1] ?? [];
			} catch {
				return [];
			}
		});
		assert.deepEqual(
			own.filter((inode) => sockets.has(inode)),
			[],
		);
	},
	{ skip: process.platform === "linux" ? false : "needs /proc" },
);
