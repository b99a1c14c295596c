import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createFront, type HttpListener, LOOPBACK_NAMES, listen, McpEndpoint, type Route } from "libmcp/http";
import { until } from "../../../../e2e/until.ts";
import { isObject } from "../../src/contract/json.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { ask, ask2026, send2026, served } from "./conversations.ts";

const CALL = { name: "echo", arguments: {} };
const options = { timeout: 120_000 };
const running: { readonly listener: HttpListener; readonly endpoint: McpEndpoint }[] = [];
after(() => Promise.all(running.map(({ listener, endpoint }) => listener.close([endpoint], 0).catch(() => {}))));

/** A server on an address, which may be one that another had before. */
async function server(port = 0, hasStream = true) {
	const calls: (string | undefined)[] = [];
	const wishes: string[] = [];
	const endpoint = new McpEndpoint({
		dispatcher: async (method, params, { session }) => {
			if (method === "tools/list") return { tools: [{ name: "echo", inputSchema: { type: "object" } }] };
			if (method !== "tools/call") {
				wishes.push(`${method} ${isObject(params) ? (params.uri ?? params.level) : ""}`);
				return {};
			}
			calls.push(session?.id);
			return { content: [{ type: "text", text: "ok" }] };
		},
		description: {
			info: { name: "s", version: "1" },
			capabilities: { tools: { listChanged: true }, logging: {}, resources: { subscribe: true } },
		},
	});
	const front = createFront({
		endpoint: () => endpoint,
		origins: { hosts: LOOPBACK_NAMES, origins: [] },
		...(!hasStream && { open: [refuseStream] }),
	});
	const listener = await listen(front, { port });
	running.push({ listener, endpoint });
	const stop = () => listener.close([endpoint], 0);
	return { url: `${listener.address}/mcp`, port: listener.port, calls, wishes, endpoint, stop };
}

const refuseStream: Route = ({ method }, response) => {
	if (method !== "GET") return false;
	response.writeHead(405).end();
	return true;
};

test("a server that forgot its sessions is asked in a new one, and each call runs once", options, async () => {
	const first = await server();
	const url = await served({ kind: "http", protocol: "legacy", url: first.url, headers: {} }, openTransport);
	const { session } = await ask(url);
	assert.equal((await ask(url, session, "tools/call", CALL)).status, 200);
	await first.stop();
	const second = await server(first.port);
	// What is sent in the very moment a server goes may have run, and is not sent again.
	await new Promise((resolve) => setTimeout(resolve, 100));
	for (let n = 0; n < 3; n++) {
		const { body } = await ask(url, session, "tools/call", CALL);
		assert.deepEqual(body.result, { content: [{ type: "text", text: "ok" }] });
	}
	assert.equal(second.calls.length, 3);
	assert.equal(new Set(second.calls).size, 1, "one new session, and not one for each call");
});

test("a client that can be asked is served again by a server that forgot its sessions", options, async () => {
	// Without a stream, only the next call shows that the session is forgotten.
	const first = await server(0, false);
	const url = await served({ kind: "http", protocol: "legacy", url: first.url, headers: {} }, openTransport);
	const call = async () => (await ask2026(url, "tools/call", CALL, { elicitation: { form: {} } })).result;
	assert.ok(isObject(await call()));
	await first.stop();
	const second = await server(first.port, false);
	await new Promise((resolve) => setTimeout(resolve, 100));
	for (let n = 0; n < 3; n++) assert.ok(isObject(await call()), `call ${n}`);
	assert.equal(second.calls.length, 3);
	assert.equal(new Set(second.calls).size, 1, "one new session, and not one for each call");
});

test("a server of the old kind that is down is told as one that could not be reached", options, async () => {
	const gone = await server();
	await gone.stop();
	const url = await served({ kind: "sse", protocol: "auto", url: gone.url, headers: {} }, openTransport);
	const { error } = (await ask(url)).body;
	assert.ok(isObject(error) && isObject(error.data));
	assert.match(String(error.message), /^The server could not be reached: .*ECONNREFUSED/);
	assert.equal(error.data.code, "UPSTREAM_UNREACHED");
});

for (const client of ["a client with a session", "clients without one"] as const) {
	test(
		`what ${client} asked for holds in the session that a server has after it forgot the first`,
		options,
		async () => {
			const first = await server();
			const url = await served({ kind: "http", protocol: "legacy", url: first.url, headers: {} }, openTransport);
			const listening = new AbortController();
			after(() => listening.abort());
			const uris = ["file:///a", "file:///b"];
			let stream: Response;
			if (client === "a client with a session") {
				const { session } = await ask(url);
				stream = await fetch(url, {
					headers: { accept: "text/event-stream", "mcp-session-id": session ?? "" },
					signal: listening.signal,
				});
				await ask(url, session, "logging/setLevel", { level: "notice" });
				for (const uri of uris) await ask(url, session, "resources/subscribe", { uri });
				await ask(url, session, "resources/unsubscribe", { uri: "file:///b" });
			} else {
				const notifications = { resourceSubscriptions: ["file:///a"] };
				stream = await send2026(url, "subscriptions/listen", { notifications }, {}, listening.signal);
			}
			const heard = collected(stream);
			await until(() => first.wishes.includes("resources/subscribe file:///a"));
			await first.stop();
			// Nobody asks for anything: it is the news that are waited for.
			const second = await server(first.port);
			await until(() => second.wishes.includes("resources/subscribe file:///a"));
			const expected = ["logging/setLevel notice", "resources/subscribe file:///a"];
			assert.deepEqual(second.wishes, client === "a client with a session" ? expected : expected.slice(1));
			await until(() => {
				second.endpoint.notify("notifications/resources/updated", { uri: "file:///a" });
				return heard().includes('"uri":"file:///a"');
			});
		},
	);
}

function collected(stream: Response): () => string {
	let text = "";
	void (async () => {
		for await (const chunk of stream.body ?? []) text += Buffer.from(chunk).toString();
	})().catch(() => {});
	return () => text;
}

test("news are asked for again when the connection they came over is gone", options, async () => {
	const first = await server();
	const url = await served({ kind: "http", protocol: "modern", url: first.url, headers: {} }, openTransport);
	const listening = new AbortController();
	after(() => listening.abort());
	const { session } = await ask(url);
	const stream = await fetch(url, {
		headers: { accept: "text/event-stream", "mcp-session-id": session ?? "" },
		signal: listening.signal,
	});
	const news = collected(stream);
	await first.stop();
	const second = await server(first.port);
	await until(() => {
		second.endpoint.notify("notifications/tools/list_changed");
		return news().includes("notifications/tools/list_changed");
	});
});
