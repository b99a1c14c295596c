import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { createFront, type HttpListener, LOOPBACK_NAMES, listen } from "libmcp/http";
import { MountedUpstreams } from "../../src/passthrough/mountedUpstreams.ts";
import type { HttpSpec } from "../../src/upstream/spec.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { type TestGateway, testGateway } from "../fixtures/gateway.ts";
import type { Message } from "../fixtures/scriptedPeer.ts";
import { ask } from "../passthrough/conversations.ts";

const options = { timeout: 120_000 };
const HEADERS = { authorization: "Bearer hunter2-very-private", "x-api-key": "k3y-9988-private" };
const QUOTE = `bad credentials ${HEADERS.authorization} key ${HEADERS["x-api-key"]}`;
const RAW = /hunter2|k3y-9988/;

type Says =
	| { readonly status: number; readonly body: string; readonly challenge?: string }
	| { readonly result: object }
	| { readonly error: object };

/** What the server says when it fails, for each way to do so. */
const FAILURES = {
	http400: { status: 400, body: QUOTE },
	http401: { status: 401, body: QUOTE },
	http403: { status: 403, body: QUOTE },
	scope403: { status: 403, body: QUOTE, challenge: 'Bearer error="insufficient_scope"' },
	http500: { status: 500, body: QUOTE },
	cut_short: { status: 400, body: `${"x".repeat(459)} ${HEADERS["x-api-key"]}${"y".repeat(100)}` },
	error_message: { error: { code: -32000, message: QUOTE } },
	error_data: { error: { code: -32000, message: "failed", data: { request: { headers: HEADERS, [QUOTE]: [QUOTE] } } } },
	failed_result: {
		result: { isError: true, content: [{ type: "text", text: QUOTE }], structuredContent: { sent: HEADERS } },
	},
} as const satisfies Record<string, Says>;

let server: ReturnType<typeof createServer>;
let demo: TestGateway;
let mounted: MountedUpstreams;
let listener: HttpListener;

before(async () => {
	server = createServer((request, response) => void answer(request, response));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
	const spec: HttpSpec = {
		kind: "http",
		name: "quoting",
		namespace: "quoting",
		protocol: "legacy",
		url,
		headers: HEADERS,
	};
	demo = await testGateway({ openTransport, config: { servers: [spec] } });
	mounted = new MountedUpstreams(demo.gateway, { open: openTransport });
	const origins = { hosts: LOOPBACK_NAMES, origins: [] };
	listener = await listen(createFront({ endpoint: (path) => mounted.at(path), origins }));
});
after(async () => {
	await listener.close(mounted.all(), 0);
	await demo.stop();
	server.closeAllConnections();
	server.close();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
	if (request.method !== "POST") return void response.writeHead(405).end();
	const { id, method, params }: Message = JSON.parse(await text(request));
	if (id === undefined) return void response.writeHead(202).end();
	const says = saysTo(method, String(params?.name));
	if ("status" in says) {
		const headers = says.challenge === undefined ? {} : { "www-authenticate": says.challenge };
		return void response.writeHead(says.status, headers).end(says.body);
	}
	response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, ...says }));
}

function saysTo(method: string | undefined, tool: string): Says {
	switch (method) {
		case "initialize": {
			const capabilities = { tools: {}, resources: {}, prompts: {} };
			return { result: { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "quoting", version: "1" } } };
		}
		case "tools/list": {
			const names = [...Object.keys(FAILURES), "fine"];
			return { result: { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) } };
		}
		case "resources/list":
			return FAILURES.http500;
		case "prompts/list":
			return FAILURES.error_data;
		default:
			return (
				Object.entries(FAILURES).find(([name]) => name === tool)?.[1] ?? {
					result: { content: [{ type: "text", text: QUOTE }] },
				}
			);
	}
}

/** What a client is answered at the server's own path. */
async function answered(method: string, params: object): Promise<string> {
	const url = `${listener.address}/mcp/quoting`;
	const { session } = await ask(url);
	return JSON.stringify((await ask(url, session, method, { ...params })).body);
}

for (const name of Object.keys(FAILURES)) {
	test(`run_tool shows no secret that a failing server quotes: ${name}`, options, async () => {
		const told = JSON.stringify(await demo.call("run_tool", { tool_id: `quoting:${name}`, args: {} }));
		assert.doesNotMatch(told, RAW);
		assert.match(told, /\[secret\]/, "the rest stays readable");
	});

	test(`/mcp/<namespace> shows no secret that a failing server quotes: ${name}`, options, async () => {
		const told = await answered("tools/call", { name, arguments: {} });
		assert.doesNotMatch(told, RAW);
		assert.match(told, /\[secret\]/, "the rest stays readable");
	});
}

for (const method of ["resources/list", "prompts/list"])
	test(`/mcp/<namespace> shows no secret that a failing ${method} quotes`, options, async () => {
		const told = await answered(method, {});
		assert.doesNotMatch(told, RAW);
		assert.match(told, /\[secret\]/);
	});

test("a server that forbids a call without a challenge is not said to need a login", options, async () => {
	const told = [
		JSON.stringify(await demo.call("run_tool", { tool_id: "quoting:http403", args: {} })),
		await answered("tools/call", { name: "http403", arguments: {} }),
	];
	for (const text of told) {
		assert.match(text, /HTTP 403: bad credentials/);
		assert.doesNotMatch(text, /login/);
	}
});

for (const name of ["http401", "scope403"])
	test(`a server that refuses us names the login at both doors: ${name}`, options, async () => {
		const told = [
			JSON.stringify(await demo.call("run_tool", { tool_id: `quoting:${name}`, args: {} })),
			await answered("tools/call", { name, arguments: {} }),
		];
		for (const text of told) assert.match(text, /needs a login for this: metatools login quoting \(/);
	});

test("an answer that is no failure passes as it is", options, async () => {
	const told = [
		JSON.stringify(await demo.call("run_tool", { tool_id: "quoting:fine", args: {} })),
		await answered("tools/call", { name: "fine", arguments: {} }),
	];
	for (const text of told) assert.match(text, /k3y-9988-private/);
});
