import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { until } from "../../../../../e2e/until.ts";
import { UnknownSessionError } from "../../../src/upstream/streamable/httpFailure.ts";
import { call, json, open, resultOf, site, stream } from "./site.ts";

const options = { timeout: 120_000 };
const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: {} } as const;
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" } as const;

test("a session's id and revision go with every request after the handshake, and end with it", options, async () => {
	const server = await site(({ request, message }, response) => {
		if (request.method !== "POST") response.writeHead(request.method === "GET" ? 405 : 204).end();
		else if (message !== undefined && "id" in message && message.id === 0)
			json(response, resultOf(0), { "mcp-session-id": "s-1" });
		else if (message !== undefined && !("id" in message)) response.writeHead(202).end();
		else json(response, resultOf(1));
	});
	const { transport, heard, closed } = open(server.url, { "X-Key": "k", "Mcp-Session-Id": "forged", Accept: "x/y" });
	await transport.send(initialize);
	transport.setProtocolVersion("2025-11-25");
	await transport.send(initialized);
	await transport.send(call(1));
	assert.deepEqual(heard, [JSON.parse(resultOf(0)), JSON.parse(resultOf(1))]);
	await until(() => server.seen.some(({ request }) => request.method === "GET"));
	await transport.close();
	await closed;
	const shown = server.seen.map(({ request: { method, headers } }) => [
		method,
		headers["mcp-session-id"],
		headers["mcp-protocol-version"],
		headers["x-key"],
	]);
	assert.deepEqual(shown[0], ["POST", undefined, undefined, "k"]);
	assert.deepEqual(shown[1], ["POST", "s-1", "2025-11-25", "k"]);
	assert.deepEqual(shown.at(-1), ["DELETE", "s-1", "2025-11-25", "k"]);
	assert.deepEqual(shown.map(([method]) => method).sort(), ["DELETE", "GET", "POST", "POST", "POST"]);
	assert.equal(server.seen[0]?.request.headers.accept, "application/json, text/event-stream");
});

test(
	"a request that claims a revision repeats itself in headers, and its caller cannot say otherwise",
	options,
	async () => {
		const server = await site((_, response) => json(response, resultOf(1)));
		const { transport } = open(server.url);
		const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
		const params = { name: "größe", arguments: {}, _meta };
		await transport.send(
			{ jsonrpc: "2.0", id: 1, method: "tools/call", params },
			{
				headers: { "Mcp-Param-Region": "eu", "mcp-name": "other", Authorization: "Bearer other" },
			},
		);
		const headers = server.seen[0]?.request.headers;
		assert.deepEqual(
			["mcp-protocol-version", "mcp-method", "mcp-name", "mcp-param-region", "authorization"].map(
				(name) => headers?.[name],
			),
			["2026-07-28", "tools/call", "=?base64?Z3LDtsOfZQ==?=", "eu", undefined],
		);
	},
);

test("a stream that breaks off is gone on with behind its last event, when the server said", options, async () => {
	const server = await site(({ request }, response) => {
		if (request.method === "POST") {
			stream(response, "id: 7\nretry: 60\ndata: \n\n");
			setTimeout(() => response.destroy(), 20);
		} else {
			stream(response, `id: 8\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\ndata: ${resultOf(1)}\n\n`);
			response.end();
		}
	});
	const { transport, heard } = open(server.url);
	await transport.send(call(1));
	assert.deepEqual(heard, [{ jsonrpc: "2.0", method: "notifications/message" }, JSON.parse(resultOf(1))]);
	assert.deepEqual(
		server.seen.map(({ request }) => [request.method, request.headers["last-event-id"]]),
		[
			["POST", undefined],
			["GET", "7"],
		],
	);
});

test(
	"a stream that ends without an answer fails its request, and one that cannot be resumed too",
	options,
	async () => {
		const server = await site((_, response) => {
			stream(response, 'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n');
			response.end();
		});
		const { transport } = open(server.url);
		await assert.rejects(transport.send(call(1)), /ended the stream without an answer/);
		server.answer = ({ request }, response) => {
			if (request.method === "GET") response.writeHead(400).end();
			else {
				stream(response, "id: 1\nretry: 10\ndata: \n\n");
				response.end();
			}
		};
		await assert.rejects(transport.send(call(2)), /GET failed with HTTP 400/);
	},
);

test("a request whose caller has gone is let go, and one that was cancelled is not resumed", options, async () => {
	const server = await site((_, response) => stream(response, ": nothing yet\n\n"));
	const { transport } = open(server.url);
	const leaving = new AbortController();
	const sent = transport.send(call(1), { requestSignal: leaving.signal });
	await until(() => server.seen.length === 1);
	// Reset or ended, it is closed; which of the two is the system's choice.
	const gone = new Promise((resolve) => server.seen[0]?.request.socket.on("error", () => {}).once("close", resolve));
	leaving.abort();
	await Promise.allSettled([sent]);
	await gone;
	server.answer = ({ message }, response) => {
		if (message !== undefined && !("id" in message)) return void response.writeHead(202).end();
		stream(response, "id: 1\nretry: 200\ndata: \n\n");
		response.end();
	};
	const waiting = transport.send(call(2));
	await until(() => server.seen.length === 2);
	await transport.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
	await waiting;
	assert.equal(server.seen.filter(({ request }) => request.method === "GET").length, 0);
});

// The protocol asks for 404; many servers, the reference one among them, answer an unknown session with 400.
for (const status of [404, 400]) {
	test(
		`a server that forgot the session (${status}) ends the connection, after the caller was told`,
		options,
		async () => {
			const server = await site((_, response) => json(response, resultOf(0), { "mcp-session-id": "s" }));
			const { transport, closed } = open(server.url);
			await transport.send(initialize);
			server.answer = (_, response) => void response.writeHead(status).end();
			await Promise.all([1, 2].map((id) => assert.rejects(transport.send(call(id)), UnknownSessionError)));
			await closed;
			assert(!server.seen.some(({ request }) => request.method === "DELETE"), "a session that is gone is not deleted");
		},
	);

	test(
		`a session in which a call or the stream is answered with ${status}, but a ping is not, goes on`,
		options,
		async () => {
			const server = await site(({ message }, response) => {
				if (message === undefined || !("method" in message)) response.writeHead(status).end();
				else if (!("id" in message)) response.writeHead(202).end();
				else if (message.method === "tools/call") response.writeHead(status).end();
				else json(response, resultOf(0), { "mcp-session-id": "s" });
			});
			const { transport } = open(server.url);
			await transport.send(initialize);
			await transport.send(initialized);
			const pings = () =>
				server.seen.filter(({ message }) => message !== undefined && "method" in message && message.method === "ping")
					.length;
			await until(() => pings() === 1);
			await assert.rejects(transport.send(call(1)), { name: "SdkHttpError", status });
			assert.equal(transport.sessionId, "s");
			await transport.close();
		},
	);
}

test("a call that is answered with 404 without a session ends nothing", options, async () => {
	const server = await site((_, response) => json(response, resultOf(0)));
	const { transport } = open(server.url);
	await transport.send(initialize);
	server.answer = (_, response) => void response.writeHead(404).end();
	await assert.rejects(transport.send(call(1)), { name: "SdkHttpError", status: 404 });
	assert.equal(server.seen.length, 2);
});

for (const [why, refuse] of [
	["their first connection is cut before its answer", (response) => response.destroy()],
	["the server was too busy for them", (response) => response.writeHead(503).end()],
] satisfies [string, (response: ServerResponse) => void][]) {
	test(`news are asked for again when ${why}`, options, async () => {
		let streams = 0;
		const server = await site(({ request, message }, response) => {
			if (request.method !== "GET") {
				if (message !== undefined && "id" in message) json(response, resultOf(0));
				else response.writeHead(202).end();
			} else if (streams++ === 0) refuse(response);
			else stream(response, 'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n');
		});
		const { transport, heard } = open(server.url);
		await transport.send(initialize);
		await transport.send(initialized);
		await until(() => heard.length === 2);
		assert.deepEqual(heard.at(-1), { jsonrpc: "2.0", method: "notifications/message" });
		await transport.close();
	});
}

test(
	"a request that is only accepted is answered over the standing stream, or fails when there is none",
	options,
	async () => {
		const { promise: standing, resolve: opened } = Promise.withResolvers<ServerResponse>();
		const server = await site(({ request }, response) => {
			if (request.method === "POST") response.writeHead(202).end();
			else if (server.seen.filter(({ request: { method } }) => method === "GET").length > 1)
				response.writeHead(405).end();
			else {
				response.writeHead(200, { "content-type": "text/event-stream" });
				response.write("retry: 50\n\n");
				opened(response);
			}
		});
		const { transport, heard } = open(server.url);
		const unanswered = /expected an answer, got HTTP 202, and there is no stream/;
		await assert.rejects(transport.send(call(1)), unanswered, "before the handshake");
		await transport.send(initialized);
		const answered = transport.send(call(2));
		const forgotten = assert.rejects(transport.send(call(3)), unanswered, "after the stream");
		(await standing).write(`data: ${resultOf(2)}\n\n`);
		await answered;
		assert.deepEqual(heard, [JSON.parse(resultOf(2))]);
		(await standing).end();
		await forgotten;
		await assert.rejects(transport.send(call(4)), unanswered);
		await transport.close();
	},
);

test(
	"a page in answer to the request for a stream, as of a web app at that address, is no stream",
	options,
	async () => {
		const server = await site(({ request }, response) => {
			if (request.method === "GET") response.writeHead(200, { "content-type": "text/html" }).end("<html></html>");
			else response.writeHead(202).end();
		});
		const { transport } = open(server.url);
		await transport.send(initialized);
		// It would be waited for if a stream stood.
		await assert.rejects(transport.send(call(1)), /there is no stream that one could come over/);
		assert.equal(server.seen.filter(({ request }) => request.method === "GET").length, 1);
		await transport.close();
	},
);

test("redirects are followed within the server and nowhere else", options, async () => {
	const other = await site((_, response) => json(response, resultOf(1)));
	let location = "/elsewhere?x=1";
	let status = 307;
	const server = await site(({ request }, response) => {
		if (request.url === "/mcp") response.writeHead(status, { location }).end("moved");
		else json(response, resultOf(1));
	});
	const { transport, heard } = open(server.url, { authorization: "Bearer mine" });
	await transport.send(call(1));
	assert.deepEqual(
		[heard.length, server.seen[1]?.request.url, server.seen[1]?.message],
		[1, "/elsewhere?x=1", call(1)],
	);
	location = `${other.url.href}?secret=1`;
	await assert.rejects(transport.send(call(1)), (error: Error) => {
		assert.match(error.message, /redirects to http:\/\/127\.0\.0\.1:\d+\/mcp, which is not followed/);
		return !error.message.includes("secret");
	});
	status = 302;
	location = "/elsewhere";
	await assert.rejects(transport.send(call(1)), /HTTP 302/, "a POST does not become a GET");
	location = "/mcp";
	status = 307;
	await assert.rejects(transport.send(call(1)), /HTTP 307/, "not in circles");
	assert.equal(other.seen.length, 0);
});

test("an answer is read without the byte order mark that some servers put before it", options, async () => {
	const server = await site((_, response) => json(response, `\uFEFF${resultOf(1)}`));
	const { transport, heard } = open(server.url);
	await transport.send(call(1));
	assert.deepEqual(heard, [JSON.parse(resultOf(1))]);
});

test("an answer over the limit is cut off, plain, packed or in a stream", options, async () => {
	const long = resultOf(1, "x".repeat(2_000));
	const server = await site((_, response) => json(response, long));
	const { transport, fatal } = open(server.url);
	const packed = (text: string) => ({ "content-encoding": "gzip", "content-length": String(gzipSync(text).length) });
	await assert.rejects(transport.send(call(1)), /over 1000 bytes/);
	server.answer = (_, response) => {
		response.writeHead(200, { "content-type": "application/json", ...packed(long) }).end(gzipSync(long));
	};
	await assert.rejects(transport.send(call(1)), /over 1000 bytes/);
	server.answer = (_, response) => stream(response, `data: ${long}`);
	await assert.rejects(transport.send(call(1)), /over 1000 bytes/);
	server.answer = (_, response) => {
		response.writeHead(200, { "content-type": "application/json", ...packed(resultOf(1)) }).end(gzipSync(resultOf(1)));
	};
	await transport.send(call(1));
	assert.deepEqual(fatal, [], "each failed its own request only");
	server.answer = ({ request }, response) => {
		if (request.method === "GET") stream(response, `data: ${long}`);
		else response.writeHead(202).end();
	};
	await transport.send({ jsonrpc: "2.0", method: "notifications/initialized" });
	await until(() => fatal.length > 0);
	assert.match(String(fatal[0]), /over 1000 bytes/, "without a request to fail, whoever owns the connection is told");
});

test("an answer is unpacked however its encoding is written", options, async () => {
	const server = await site((_, response) => json(response, ""));
	const { transport, heard } = open(server.url);
	const packed = gzipSync(resultOf(1));
	for (const [encoding, body] of [
		["GZIP", packed],
		["x-gzip", packed],
		["Identity", resultOf(1)],
		["", resultOf(1)],
	] as const) {
		server.answer = (_, response) =>
			void response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding }).end(body);
		await transport.send(call(1));
	}
	assert.deepEqual(heard, Array(4).fill(JSON.parse(resultOf(1))));
});

test("what is no answer is refused by what it is", options, async () => {
	const server = await site((_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>"));
	const { transport } = open(server.url);
	await assert.rejects(transport.send(call(1)), /content-type: expected .* got "text\/html"/);
	server.answer = (_, response) => json(response, "{");
	await assert.rejects(transport.send(call(1)), SyntaxError);
	server.answer = (_, response) => json(response, '{"id":1,"result":{}}');
	await assert.rejects(transport.send(call(1)), /expected a JSON-RPC message/);
	server.answer = (_, response) => json(response, '{"jsonrpc":"2.0","id":1,"result":{},"error":null}');
	await assert.rejects(transport.send(call(1)), /expected a JSON-RPC message/);
	server.answer = (_, response) => json(response, resultOf(2));
	await assert.rejects(transport.send(call(1)), /expected the answer to request 1, got another message/);
	server.answer = (_, response) => {
		response.writeHead(200, { "content-type": "application/json", "content-encoding": "compress" }).end("x");
	};
	await assert.rejects(transport.send(call(1)), /content-encoding: expected one of gzip, deflate, br, got "compress"/);
	server.answer = (_, response) => {
		response.writeHead(200, { "content-type": "application/json", "content-length": "50" });
		response.write("{");
		setTimeout(() => response.destroy(), 10);
	};
	await assert.rejects(transport.send(call(1)), { code: "ECONNRESET" });
	assert.throws(() => open(new URL("http://me:secret@127.0.0.1/")), /no user name or password/);
	assert.throws(() => open(new URL("file:///etc/passwd")), /expected http or https, got file:/);
});

test("a server may be silent for as long as its answer is awaited, and no longer", options, async () => {
	const held: ServerResponse[] = [];
	const server = await site(({ message }, response) => {
		if (message !== undefined && "id" in message) held.push(response);
		else response.writeHead(202).end();
	});
	const { transport, heard } = open(server.url, {}, undefined, 50);
	const [body, events] = [transport.send(call(1)), transport.send(call(2))];
	await until(() => held.length === 2);
	for (const response of held.slice(1)) stream(response, ": nothing yet\n\n");
	await delay(300);
	for (const [at, response] of held.entries())
		if (at === 0) json(response, resultOf(1));
		else response.end(`data: ${resultOf(2)}\n\n`);
	await Promise.all([body, events]);
	assert.equal(heard.length, 2);
	const given = assert.rejects(transport.send(call(3)), /was silent for too long \(ETIMEDOUT\)/);
	await until(() => held.length === 3);
	await transport.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } });
	await given;
});
