import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { until } from "../../../../e2e/until.ts";
import type { HttpSpec } from "../../src/upstream/spec.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { type TestGateway, testGateway, texts } from "../fixtures/gateway.ts";
import { type Message, ScriptedPeer } from "../fixtures/scriptedPeer.ts";

const servers: Server[] = [];
after(() => {
	for (const server of servers) {
		server.closeAllConnections();
		server.close();
	}
});

async function listen(
	handler: (request: IncomingMessage, response: ServerResponse) => void,
	port = 0,
): Promise<Server & { url: string }> {
	const server = createServer(handler);
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
	return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` });
}

function http(url: string, kind: "http" | "sse" = "http", headers: Record<string, string> = {}): HttpSpec {
	return { kind, name: "remote", namespace: "remote", protocol: "auto", url, headers };
}

async function connected(spec: HttpSpec): Promise<TestGateway> {
	const demo = await testGateway({ openTransport, config: { servers: [spec] }, settings: { connectTimeout: 5_000 } });
	await until(() => demo.gateway.upstreams.all[0]?.state.kind !== "connecting");
	return demo;
}

/** Streamable HTTP by hand: one session, JSON answers, the modern era unknown. */
function streamable(state: {
	session: string;
	seen: IncomingMessage[];
	huge?: boolean;
	/** Says of the modern era's opening only that it came. */
	accepts?: boolean;
	/** What calls of `count` wait for. */
	held?: Promise<void>;
}): (request: IncomingMessage, response: ServerResponse) => void {
	return (request, response) => {
		state.seen.push(request);
		if (request.method !== "POST") return void response.writeHead(405).end();
		let body = "";
		request.on("data", (chunk) => (body += chunk));
		request.on("end", () => {
			const message: Message = JSON.parse(body);
			const { session } = state;
			if (message.method === "server/discover" && state.accepts === true) return void response.writeHead(202).end();
			if (message.method === "server/discover")
				return void response
					.writeHead(400, { "content-type": "application/json" })
					.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "no such method" } }));
			if (message.method !== "initialize" && request.headers["mcp-session-id"] !== session)
				return void response.writeHead(404).end();
			if (message.id === undefined) return void response.writeHead(202).end();
			if (state.huge === true && message.method === "tools/call") {
				response.writeHead(200, { "content-type": "application/json" });
				const filler = Buffer.alloc(1_000_000, 120);
				const pour = () => {
					while (!response.destroyed && response.write(filler));
					if (!response.destroyed) response.once("drain", pour);
				};
				return pour();
			}
			const peer = new ScriptedPeer((answer) =>
				response
					.writeHead(200, { "content-type": "application/json", "mcp-session-id": session })
					.end(JSON.stringify(answer)),
			);
			if (message.method === "tools/call" && state.held !== undefined && body.includes('"count"'))
				return void state.held.then(() => peer.receive(message));
			return void peer.receive(message);
		});
	};
}

test("a Streamable HTTP server is listed and run, with the configured headers", { timeout: 120_000 }, async (t) => {
	const state = { session: "s1", seen: [] as IncomingMessage[] };
	const server = await listen(streamable(state));
	const demo = await connected(http(server.url, "http", { "X-Key": "k1" }));
	t.after(() => demo.stop());
	assert.equal(
		(await demo.data("run_tool", { tool_id: "remote:echo", args: { text: "over http" } })).structured,
		"over http",
	);
	assert(state.seen.every((request) => request.headers["x-key"] === "k1"));
});

test("a server that only accepts the modern era's opening, without an answer, is spoken to in the older era", {
	timeout: 120_000,
}, async (t) => {
	const server = await listen(streamable({ session: "s1", seen: [], accepts: true }));
	const demo = await connected(http(server.url));
	t.after(() => demo.stop());
	const [remote] = demo.gateway.namespaces({ id: "x" });
	assert.equal(remote?.reason, undefined);
	assert.equal((await demo.data("run_tool", { tool_id: "remote:echo", args: { text: "hi" } })).structured, "hi");
});

test("a server that forgot the session is connected to anew, and the call is answered", {
	timeout: 120_000,
}, async (t) => {
	const state = { session: "s1", seen: [] as IncomingMessage[] };
	const server = await listen(streamable(state));
	const demo = await connected(http(server.url));
	t.after(() => demo.stop());
	state.session = "s2";
	assert.equal((await demo.data("run_tool", { tool_id: "remote:count" })).structured, "count 1");
});

test("a server that restarts on the same address is usable again", { timeout: 120_000 }, async (t) => {
	const first = await listen(streamable({ session: "s1", seen: [] }));
	const demo = await connected(http(first.url));
	t.after(() => demo.stop());
	first.closeAllConnections();
	await new Promise((resolve) => first.close(resolve));
	const error = await demo.error("run_tool", { tool_id: "remote:echo", args: { text: "x" }, timeout_ms: 1_500 });
	assert(["no_backends", "timeout", "execution_failed"].includes(String(error.code)), JSON.stringify(error));
	const [upstream] = demo.gateway.upstreams.all;
	await until(() => Number(upstream?.health().generation) >= 4);
	await listen(streamable({ session: "s9", seen: [] }), Number(new URL(first.url).port));
	await until(
		async () => (await demo.call("run_tool", { tool_id: "remote:echo", args: { text: "back" } })).isError !== true,
	);
	assert.equal(upstream?.health().restartCount, 1, "attempts in vain are no restarts");
});

test("a result without end is cut off and said, and no other call of the server notices", {
	timeout: 120_000,
}, async (t) => {
	const { promise: held, resolve: release } = Promise.withResolvers<void>();
	const state = { session: "s1", seen: [] as IncomingMessage[], huge: false, held };
	const server = await listen(streamable(state));
	const demo = await connected(http(server.url));
	t.after(() => demo.stop());
	const asked = state.seen.length;
	const other = demo.data("run_tool", { tool_id: "remote:count" });
	await until(() => state.seen.length > asked);
	state.huge = true;
	const before = process.memoryUsage().rss;
	const error = await demo.error("run_tool", { tool_id: "remote:echo", args: { text: "x" }, timeout_ms: 10_000 });
	assert.equal(
		error.message,
		"The answer from remote has over 16000000 bytes, and at most 16000000 are read; the call itself has run, so ask for less only if it may be repeated.",
	);
	assert(process.memoryUsage().rss - before < 300e6);
	release();
	assert.equal((await other).structured, "count 1");
	state.huge = false;
	assert.equal((await demo.data("run_tool", { tool_id: "remote:echo", args: { text: "ok" } })).structured, "ok");
});

test("a server that wants a token says needs_auth", { timeout: 120_000 }, async (t) => {
	const server = await listen(
		(_request, response) => void response.writeHead(401, { "www-authenticate": "Bearer" }).end(),
	);
	const demo = await connected(http(server.url));
	t.after(() => demo.stop());
	assert.equal(demo.gateway.namespaces({ id: "x" })[0]?.state, "needs_auth");
	const [upstream] = demo.gateway.upstreams.all;
	assert.ok(upstream?.state.kind === "needs_auth");
	assert.match(upstream.state.reason, /^the server requires authorization/);
	const said = "the server requires authorization (HTTP 401); a person can log in with: metatools login remote";
	const listed = texts(await demo.call("list_namespaces"));
	const refused = await demo.error("run_tool", { tool_id: "remote:echo" });
	assert.equal(refused.message, `The server remote is not available: ${said}`);
	assert(listed.includes(`needs_auth      0  ${said}`), listed);
});

test("a server that refuses the token in its entry says which header it had", { timeout: 120_000 }, async (t) => {
	const server = await listen((_request, response) => void response.writeHead(401).end());
	const demo = await connected(http(server.url, "http", { Authorization: "Bearer expired-token" }));
	t.after(() => demo.stop());
	const said =
		"the server requires authorization (HTTP 401), although its entry sends Authorization; a person can log in with: ";
	assert(texts(await demo.call("list_namespaces")).includes(said));
	assert(demo.log.some((line) => line.includes(said)));
});

test("a server that refuses everybody is told in its own words, and as one to log in to only if it asks for that", async (t) => {
	const stateAt = async (status: number, headers: Record<string, string> = {}) => {
		const server = await listen((_, response) => response.writeHead(status, headers).end("not from your address"));
		const demo = await connected(http(server.url));
		t.after(() => demo.stop());
		const { state, reason } = demo.gateway.namespaces({ id: "x" })[0] ?? {};
		return [state, reason];
	};
	assert.deepEqual(await stateAt(403), ["failed", "POST failed with HTTP 403: not from your address"]);
	assert.deepEqual(await stateAt(503), ["failed", "POST failed with HTTP 503: not from your address"]);
	const [state, reason] = await stateAt(403, { "www-authenticate": "Bearer" });
	assert.equal(state, "needs_auth");
	assert.match(reason ?? "", /^POST failed with HTTP 403: not from your address; a person can log in with: /);
});

test("a page for browsers is told by its words", async (t) => {
	const page =
		"<!DOCTYPE html>\n<html>\n<head><title>Error</title></head>\n<body>\n<pre>Cannot POST /mcp</pre>\n</body></html>\n";
	const server = await listen((_request, response) =>
		response.writeHead(404, { "content-type": "text/html" }).end(page),
	);
	const demo = await connected(http(server.url));
	t.after(() => demo.stop());
	const [remote] = demo.gateway.namespaces({ id: "x" }).filter(({ namespace }) => namespace === "remote");
	assert.equal(remote?.reason, "POST failed with HTTP 404: Error Cannot POST /mcp");
});

test("an SSE server of the old kind is listed and run", { timeout: 120_000 }, async (t) => {
	let transport: SSEServerTransport | undefined;
	const server = await listen(async (request, response) => {
		if (request.method === "POST") return transport?.handlePostMessage(request, response);
		const own = new SSEServerTransport("/messages", response);
		transport = own;
		const peer = new ScriptedPeer((message) => void own.send(message as Parameters<typeof own.send>[0]));
		own.onmessage = (message) => void peer.receive(message as Message);
		return own.start();
	});
	const demo = await connected(http(server.url, "sse"));
	t.after(() => demo.stop());
	assert.equal(
		(await demo.data("run_tool", { tool_id: "remote:echo", args: { text: "over sse" } })).structured,
		"over sse",
	);
});

test("an SSE server of the old kind whose stream breaks loses the call on it, and the next is made after a new handshake", {
	timeout: 120_000,
}, async (t) => {
	const streams = new Map<string, SSEServerTransport>();
	const heard: string[][] = [];
	const server = await listen(async (request, response) => {
		if (request.method === "POST") {
			const id = new URL(request.url ?? "", "http://x").searchParams.get("sessionId") ?? "";
			// The reference server leaves a message for a stream that is gone without any answer.
			return streams.get(id)?.handlePostMessage(request, response);
		}
		const own = new SSEServerTransport("/messages", response);
		streams.set(own.sessionId, own);
		response.once("close", () => streams.delete(own.sessionId));
		const methods: string[] = [];
		heard.push(methods);
		const peer = new ScriptedPeer((message) => void own.send(message as Parameters<typeof own.send>[0]));
		peer.dieOn = { tool: "count", times: 1 };
		peer.onDie = () => void response.destroy();
		own.onmessage = (message) => {
			if ("method" in message) methods.push(message.method);
			void peer.receive(message as Message);
		};
		return own.start();
	});
	const demo = await connected(http(server.url, "sse"));
	t.after(() => demo.stop());
	const error = await demo.error("run_tool", { tool_id: "remote:count" });
	assert.deepEqual([error.code, error.retryable], ["execution_failed", false]);
	assert.match(
		String(error.message),
		/^The connection to remote was lost during the call .* unknown, so it was not repeated/,
	);
	assert(demo.log.includes("remote: terminated: other side closed"), demo.log.join());
	await until(() => demo.gateway.upstreams.all[0]?.state.kind === "ready");
	const { structured } = await demo.data("run_tool", { tool_id: "remote:echo", args: { text: "again" } });
	assert.equal(structured, "again");
	assert.deepEqual(
		heard.map((methods) => methods[0]),
		["initialize", "initialize"],
	);
});

test("a server that quotes our headers or its address in a refusal tells nobody the secrets in them", async (t) => {
	const secret = "sk-0123456789-abcdef";
	const server = await listen((request, response) =>
		response.writeHead(400).end(`bad request ${request.url} from ${request.headers.authorization}`),
	);
	const demo = await connected(http(`${server.url}?api_key=${secret}`, "http", { Authorization: `Bearer ${secret}` }));
	t.after(() => demo.stop());
	const told = `${JSON.stringify(await demo.data("list_namespaces"))} ${demo.log.join(" ")}`;
	assert.match(told, /bad request \/mcp\?api_key=\[secret\] from (?:Bearer )?\[secret\]/);
	assert(!told.includes(secret), told);
});
