import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport as FirstSse } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { bundled } from "../../../../e2e/bundled.ts";
import { noCertificates, selfSigned } from "../../../../e2e/selfSigned.ts";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { createStdioTransport } from "../../src/server/serving/transport.ts";
import { createSseTransport } from "../../src/transport/sse.ts";
import { createStreamableTransport } from "../../src/transport/streamable.ts";
import { metatools } from "./command.ts";

const ME = { name: "witness", version: "1.0.0" };
const HTTP = ["serve", "--transport=streamable", "--port=0"];
const INITIALIZE = {
	jsonrpc: "2.0",
	id: 1,
	method: "initialize",
	params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: ME },
};
const folder = mkdtempSync(join(tmpdir(), "metatools-http-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** With one server at a path of its own, `/mcp/every`. */
const BESIDE = [...HTTP, `--config=${join(folder, "every.json")}`];
const everything = await bundled(new URL("../../../libmcp/test/fixtures/everythingStdio.ts", import.meta.url));
const command = { command: process.execPath, args: [everything] };
writeFileSync(
	join(folder, "every.json"),
	JSON.stringify({ mcpServers: { every: { ...command, protocol: "legacy" } } }),
);

/** The gateways that several tests ask. */
const streamable = metatools(HTTP);
const sse = metatools(["serve", "--transport=sse", "--port=0"]);

async function post(url: string, message: unknown, headers: Record<string, string> = {}): Promise<Response> {
	return fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
		body: JSON.stringify(message),
	});
}

/** An answer that takes long comes as a stream. */
async function message(response: Response): Promise<unknown> {
	const text = await response.text();
	return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text);
}

async function openSession(url: string): Promise<Record<string, string>> {
	const opened = await post(url, INITIALIZE);
	await opened.text();
	return { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-11-25" };
}

verifies("004-transport-layer-interface", "every transport has a name, info, serve and close, and nothing else", () => {
	const site = { host: "127.0.0.1", port: 0 };
	for (const transport of [createStdioTransport(), createStreamableTransport(site), createSseTransport(site)]) {
		assert.deepEqual(Object.keys(transport).sort(), ["close", "info", "name", "serve"]);
		assert.equal(transport.info().name, transport.name);
		assert.equal(transport.serve.length, 2, "a server and a signal to stop");
	}
});

verifies(
	"004-transport-layer-identical-behaviour",
	"the same server lists and answers the same over stdio, streamable and sse",
	async () => {
		const bin = new URL("../../bin/metatools.js", import.meta.url).pathname;
		const environment = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", XDG_CONFIG_HOME: "/nonexistent" };
		const transports = [
			new FirstStdio({ command: process.execPath, args: [bin, "serve"], env: environment, stderr: "ignore" }),
			new FirstHttp(new URL(await streamable.address)),
			new FirstSse(new URL(await sse.address)),
		];
		const seen = [];
		for (const transport of transports) {
			const client = new FirstClient(ME);
			await client.connect(transport);
			const { tools } = await client.listTools();
			const found = await client.callTool({ name: "search_tools", arguments: { query: "ping", render: "json" } });
			const refused = await client
				.callTool({ name: "describe_tool", arguments: {} })
				.catch((error: unknown) => String(error));
			seen.push(JSON.stringify({ tools, found: found.structuredContent, refused, server: client.getServerVersion() }));
			await client.close();
		}
		assert.equal(seen[1], seen[0]);
		assert.equal(seen[2], seen[0]);
	},
	{ timeout: 120_000 },
);

verifies(
	["004-transport-selection-streamable", "004-transport-config-flag-streamable-port"],
	"streamable serves both revisions at the port it is given, on one address",
	async () => {
		const port = 20_000 + (process.pid % 20_000);
		const address = await metatools(["serve", "--transport=streamable", `--port=${port}`]).address;
		assert.equal(address, `http://127.0.0.1:${port}/mcp`);
		for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
			const client = new ModernClient(ME, { versionNegotiation: { mode } });
			await client.connect(new ModernHttp(new URL(address)));
			const { tools } = await client.listTools();
			assert.ok(tools.some((tool) => tool.name === "search_tools"));
			await client.close();
		}
	},
	{ timeout: 120_000 },
);

verifies(
	["004-transport-selection-stdio", "004-transport-config-flag-stdio-default"],
	"without a transport named it is stdio: one session, no configuration, no port",
	async () => {
		for (const args of [["serve"], ["serve", "--transport=stdio"]]) {
			const { child, stderr, exited } = metatools(args);
			let answer = "";
			child.stdout?.on("data", (chunk: Buffer) => {
				answer += chunk.toString();
			});
			child.stdin?.write(`${JSON.stringify(INITIALIZE)}\n`);
			await until(() => answer.includes("\n"));
			assert.match(answer, /"protocolVersion":"2025-11-25"/);
			assert.doesNotMatch(stderr(), /serving MCP at/);
			child.stdin?.end();
			assert.equal(await exited, 0);
		}
	},
	{ timeout: 120_000 },
);

verifies(
	"004-transport-selection-sse-deprecated",
	"sse still serves old clients and says on stderr that it is deprecated",
	async () => {
		const client = new FirstClient(ME);
		await client.connect(new FirstSse(new URL(await sse.address)));
		assert.ok((await client.listTools()).tools.length > 3);
		await client.close();
		assert.match(sse.stderr(), /sse transport is deprecated.*streamable/);
	},
	{ timeout: 120_000 },
);

verifies(
	[
		"004-streamable-http-single-endpoint",
		"004-streamable-http-session-header",
		"004-streamable-http-session-lifecycle",
	],
	"POST, GET and DELETE are served at /mcp alone, by a session in a header that ends when it is deleted",
	async () => {
		const url = await streamable.address;
		const opened = await post(url, INITIALIZE);
		await opened.text();
		assert.equal(opened.headers.get("set-cookie"), null);
		const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
		assert.notEqual(session["mcp-session-id"], "");
		const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
		assert.equal((await post(url, list, { cookie: `mcp-session-id=${session["mcp-session-id"]}` })).status, 400);
		assert.equal((await post(url, list, session)).status, 200);
		const abort = new AbortController();
		const stream = await fetch(url, { headers: { ...session, accept: "text/event-stream" }, signal: abort.signal });
		assert.equal(stream.headers.get("content-type"), "text/event-stream");
		abort.abort();
		for (const method of ["PUT", "PATCH", "OPTIONS"]) assert.equal((await fetch(url, { method })).status, 405, method);
		assert.equal((await fetch(url.replace(/mcp$/, "other"), { method: "POST" })).status, 404);
		assert.equal((await fetch(url, { method: "DELETE", headers: session })).status, 204);
		assert.equal((await post(url, list, session)).status, 404);
		assert.equal((await post(url, list, { "mcp-session-id": "unknown" })).status, 404);
	},
	{ timeout: 120_000 },
);

verifies(
	["004-streamable-http-stateless-mode", "004-transport-config-flag-stateless"],
	"with --stateless no session is issued and each request stands alone on any instance",
	async () => {
		const [one, other] = [metatools([...BESIDE, "--stateless"]), metatools([...BESIDE, "--stateless"])];
		const opened = await post(await one.address, INITIALIZE);
		await opened.text();
		assert.equal(opened.headers.get("mcp-session-id"), null);
		const listed = await post(await other.address, { jsonrpc: "2.0", id: 2, method: "tools/list" });
		assert.match(await listed.text(), /search_tools/);
		assert.equal(
			(await fetch(await one.address, { headers: { accept: "text/event-stream" } })).status,
			405,
			"no stream to send a request on",
		);
		const greeted = await post(`${await one.address}/every`, INITIALIZE);
		assert.equal(greeted.headers.get("mcp-session-id"), null);
		const { result } = (await message(greeted)) as { result: { capabilities: Record<string, unknown> } };
		assert.deepEqual(result.capabilities.tools, {}, "nobody could be told of a change");
		assert.match(await (await post(`${await other.address}/every`, ECHO)).text(), /"alone"/);
		const kept = await post(`${await other.address}/every`, {
			jsonrpc: "2.0",
			id: 5,
			method: "resources/subscribe",
			params: { uri: "test://watched-resource" },
		});
		assert.match(await kept.text(), /-32601.*resources\/subscribe: needs a session/);
	},
	{ timeout: 120_000 },
);

const ECHO = {
	jsonrpc: "2.0",
	id: 4,
	method: "tools/call",
	params: { name: "echo", arguments: { text: "alone" } },
};

const RUN_PING = {
	jsonrpc: "2.0",
	id: 3,
	method: "tools/call",
	params: { name: "run_tool", arguments: { tool_id: "local:ping" }, _meta: { progressToken: "p" } },
};

verifies(
	"004-streamable-http-sse-responses-default",
	"by default a POST with progress is answered as a stream, progress before the result",
	async () => {
		const url = await streamable.address;
		const answered = await post(url, RUN_PING, await openSession(url));
		assert.equal(answered.headers.get("content-type"), "text/event-stream");
		const messages = [...(await answered.text()).matchAll(/^data: (\{.*)$/gm)].map(
			([, data]) => JSON.parse(data ?? "") as Record<string, unknown>,
		);
		assert.equal(messages[0]?.method, "notifications/progress");
		assert.equal(messages.at(-1)?.id, 3);
	},
	{ timeout: 120_000 },
);

verifies(
	"004-streamable-http-json-responses",
	"with JSON responses on, the same POST is one application/json body",
	async () => {
		const url = await metatools([...BESIDE, "--json-response"]).address;
		const answered = await post(url, RUN_PING, await openSession(url));
		assert.equal(answered.headers.get("content-type"), "application/json");
		assert.equal(((await answered.json()) as { id: number }).id, 3);
		const mounted = `${url}/every`;
		const steps = {
			...ECHO,
			params: { name: "test_tool_with_progress", arguments: {}, _meta: { progressToken: "p" } },
		};
		const stepped = await post(mounted, steps, await openSession(mounted));
		assert.equal(stepped.headers.get("content-type"), "application/json");
		assert.equal(((await stepped.json()) as { id: number }).id, 4);
	},
	{ timeout: 120_000 },
);

// At once, since one mostly waits.
void describe("servers of their own", { concurrency: 2 }, () => {
	verifies(
		["004-streamable-http-tls-built-in", "004-transport-config-flag-tls"],
		"with a certificate and key the server speaks HTTPS itself; --tls without both is refused at start",
		async () => {
			const { cert, key } = selfSigned(folder, "localhost");
			const address = await metatools([...HTTP, "--tls", `--tls-cert=${cert}`, `--tls-key=${key}`]).address;
			assert.match(address, /^https:\/\/127\.0\.0\.1:\d+\/mcp$/);
			const status = await new Promise((resolve, reject) => {
				const agent = new Agent({ rejectUnauthorized: false });
				httpsRequest(address.replace(/mcp$/, "healthz"), { agent }, (response) => resolve(response.statusCode))
					.on("error", reject)
					.end();
			});
			assert.equal(status, 200);
			for (const [flags, missing] of [
				[["--tls"], "transport.http.tls.cert"],
				[["--tls", `--tls-cert=${cert}`], "transport.http.tls.key"],
			] as const) {
				const refused = metatools([...HTTP, ...flags]);
				assert.equal(await refused.exited, 3);
				assert.match(refused.stderr(), new RegExp(`${missing}: expected`));
			}
		},
		{ timeout: 120_000, skip: noCertificates },
	);

	verifies(
		"004-transport-config-env-session-timeout",
		"METATOOLS_TRANSPORT_STREAMABLE_SESSION_TIMEOUT says how long an idle session lives",
		async () => {
			const url = await metatools(HTTP, { METATOOLS_TRANSPORT_STREAMABLE_SESSION_TIMEOUT: "3s" }).address;
			const session = await openSession(url);
			assert.equal((await post(url, { jsonrpc: "2.0", id: 2, method: "tools/list" }, session)).status, 200);
			await delay(6_000);
			assert.equal((await post(url, { jsonrpc: "2.0", id: 3, method: "tools/list" }, session)).status, 404);
		},
		{ timeout: 120_000 },
	);
});

test("health is open to anybody, and metrics come in the Prometheus text form", { timeout: 120_000 }, async () => {
	const address = await streamable.address;
	for (const path of ["healthz", "readyz"])
		assert.equal((await fetch(address.replace(/mcp$/, path))).status, 200, path);
	const metrics = async () => (await fetch(address.replace(/mcp$/, "metrics"))).text();
	assert.match(await metrics(), /^# TYPE libmcp_state gauge$/m);
	const sessions = async () => Number(/^metatools_http_sessions (\d+)$/m.exec(await metrics())?.[1]);
	const before = await sessions();
	await openSession(address);
	assert.equal(await sessions(), before + 1);
});

test("an address others can reach is refused without auth", { timeout: 120_000 }, async () => {
	const refused = metatools(["serve", "--transport=streamable", "--port=0", "--host=0.0.0.0"]);
	assert.equal(await refused.exited, 3);
	assert.match(refused.stderr(), /^metatools: host: 0\.0\.0\.0 can be reached by others/);
});

test("a port that is taken is said in one line", { timeout: 120_000 }, async () => {
	const port = new URL(await streamable.address).port;
	const refused = metatools(["serve", "--transport=streamable", `--port=${port}`]);
	assert.equal(await refused.exited, 1);
	assert.equal(
		refused.stderr(),
		`metatools: --port: expected a free one, got ${port}, which is in use; 0 takes any that is free\n`,
	);
});
