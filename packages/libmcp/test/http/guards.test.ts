import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest, IncomingMessage, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { EventBudget, EventLog } from "../../src/http/eventLog.ts";
import { bearerTokens, RateLimit } from "../../src/http/front/guards.ts";
import { HttpRefusal } from "../../src/http/front/refusal.ts";
import { HttpSession } from "../../src/http/httpSession.ts";
import { SseEndpoint } from "../../src/http/sseEndpoint.ts";
import type { Dispatcher } from "../../src/server/protocol/dispatcher.ts";
import { RpcServer } from "../../src/server/session/rpcServer.ts";
import { call, errorOf, INITIALIZE, openSession, post, request, serve } from "./serving.ts";

/** fetch does not let a caller choose Host. */
function withHost(url: string, host: string): Promise<number> {
	return new Promise((resolve, reject) => {
		const sent = httpRequest(
			url,
			{ method: "POST", headers: { host, "content-type": "application/json" } },
			(response) => {
				response.resume();
				resolve(response.statusCode ?? 0);
			},
		);
		sent.on("error", reject);
		sent.end(JSON.stringify(request(1, "initialize", INITIALIZE)));
	});
}

verifies("mcp-http-origin", "foreign origins and hosts are refused, own and named ones let in", async () => {
	const { url } = await serve();
	const initialize = request(1, "initialize", INITIALIZE);
	const foreign = ["http://evil.example", "null", "file://", "http://localhost.evil.example", "garbage"];
	for (const origin of [...foreign, "tauri://localhost", "vscode-webview://localhost"]) {
		const refused = await post(url, initialize, { origin });
		assert.deepEqual([refused.status, errorOf(refused).data.code], [403, "FORBIDDEN_ORIGIN"], origin);
	}
	for (const origin of ["http://localhost:3000", "http://127.0.0.1", "https://app.example"]) {
		const allowed = await post(url, initialize, { origin });
		assert.equal(allowed.status, 200, origin);
		assert.equal(allowed.headers.get("access-control-allow-origin"), origin);
		assert.match(allowed.headers.get("access-control-expose-headers") ?? "", /mcp-session-id/);
	}
	assert.deepEqual(
		[await withHost(url, "evil.example"), await withHost(url, "evil.example:80"), await withHost(url, "LOCALHOST:1")],
		[403, 403, 200],
	);
});

test("a browser's preflight is answered for allowed origins only", async () => {
	const { url } = await serve();
	const asked = "content-type, Mcp-Param-Region, x-other, mcp-param-bad name";
	const ask = (origin: string): Promise<Response> =>
		fetch(url, {
			method: "OPTIONS",
			headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": asked },
		});
	const allowed = await ask("https://app.example");
	assert.equal(allowed.status, 204);
	assert.match(
		allowed.headers.get("access-control-allow-headers") ?? "",
		/mcp-session-id.*mcp-method.*mcp-param-region$/,
	);
	assert.equal((await ask("https://evil.example")).status, 403);
});

test("an answer is of a kind that the client accepts, however it is written", async () => {
	const { url } = await serve();
	const session = await openSession(url);
	const kindFor = async (accept: string) =>
		(await post(url, request(2, "tools/list"), { ...session, accept })).headers.get("content-type");
	for (const accept of ["APPLICATION/JSON, TEXT/EVENT-STREAM", "application/*;q=0.5", "*/*", "application/json ;q=0.1"])
		assert.equal(await kindFor(accept), "application/json", accept);
	for (const accept of ["application/json;q=0, text/event-stream", "Text/Event-Stream", "text/*, */*;q=0"])
		assert.equal(await kindFor(accept), "text/event-stream", accept);
});

verifies(
	["mcp-http-version-header", "mcp-http-one-message"],
	"methods, media types, sizes and malformed bodies are refused by their status",
	async () => {
		const { url } = await serve({ endpoint: { maxBodyBytes: 1_000 } });
		const put = await fetch(url, { method: "PUT", body: "x" });
		assert.deepEqual([put.status, put.headers.get("allow")], [405, "GET, POST, DELETE"]);
		assert.equal((await post(url, "{}", { "content-type": "text/plain" })).status, 415);
		assert.equal((await post(url, "{}", { "content-encoding": "gzip" })).status, 415);
		assert.equal((await post(url, "{}", { accept: "image/png" })).status, 406);
		assert.equal((await post(url, "{}", { accept: "*/*, text/*;q=0, application/json;q=0.0" })).status, 406);
		assert.equal((await post(url, JSON.stringify({ big: "x".repeat(2_000) }))).status, 413);
		const garbage = await post(url, "not json");
		assert.deepEqual([garbage.status, errorOf(garbage).code], [400, -32700]);
		const batch = await post(url, [request(1, "initialize", INITIALIZE)]);
		assert.deepEqual([batch.status, errorOf(batch).code], [400, -32600]);
		assert.equal((await fetch(`${url}/nothing`, { method: "POST" })).status, 404);
		const session = await openSession(url);
		const version = await post(url, request(2, "tools/list"), { ...session, "mcp-protocol-version": "1999-01-01" });
		assert.deepEqual([version.status, errorOf(version).data.code], [400, "UNSUPPORTED_VERSION_HEADER"]);
	},
);

test("a client that reads nothing before it has sent everything learns that it was too much", async () => {
	const { listener } = await serve({ endpoint: { maxBodyBytes: 1_000 } });
	const body = "x".repeat(12_000_000);
	const head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
	const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
	for (const request of [
		`content-length: ${body.length}\r\n\r\n${body}`,
		`transfer-encoding: chunked\r\n\r\n${chunked}`,
	]) {
		const socket = connect(listener.port, "127.0.0.1");
		socket.on("error", () => {});
		await new Promise<void>((resolve, reject) => {
			socket.write(`${head}${request}`, (error) => (error ? reject(error) : resolve()));
		});
		const [answer] = (await once(socket, "data")) as [Buffer];
		assert.match(answer.toString(), /^HTTP\/1\.1 413 /);
		socket.destroy();
	}
});

test("a body of unknown length is cut off at the limit", async () => {
	const { url } = await serve({ endpoint: { maxBodyBytes: 1_000 } });
	const body = new ReadableStream<Uint8Array>({
		async pull(controller) {
			// Without a pause the sender would keep the server, in the same process, from reading.
			await delay(1);
			controller.enqueue(new Uint8Array(500).fill(0x20));
		},
	});
	const answered = await fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body,
		duplex: "half",
	}).catch(() => undefined);
	assert.ok(answered === undefined || answered.status === 413);
});

verifies(
	["mcp-auth-every-request", "mcp-auth-header-only"],
	"a token is required on every request, is looked for in the header only, and a session belongs to its caller",
	async () => {
		const authenticate = bearerTokens({ "token-a": { id: "a", scopes: [] }, "token-b": { id: "b", scopes: [] } });
		const { url } = await serve({ front: { authenticate } });
		const bare = await post(`${url}?access_token=token-a`, request(1, "initialize", INITIALIZE));
		assert.equal(bare.status, 401);
		assert.equal(bare.headers.get("www-authenticate"), "Bearer");
		const wrong = await post(url, request(1, "initialize", INITIALIZE), { authorization: "Bearer token-c" });
		assert.equal(wrong.headers.get("www-authenticate"), 'Bearer error="invalid_token"');
		const session = await openSession(url, { authorization: "Bearer token-a" });
		const answered = await post(url, call(2, "echo"), session);
		assert.equal((answered.json.result as { who: string }).who, "a");
		assert.equal((await post(url, call(3, "echo"), { ...session, authorization: "Bearer token-b" })).status, 404);
		const { authorization: _, ...unsigned } = session;
		assert.equal((await post(url, call(4, "echo"), unsigned)).status, 401, "a session is no authentication");
	},
);

test("what a caller may do goes by the token of each request, not by the one that opened its session", async () => {
	const { url } = await serve({ front: { authenticate: byScopes }, endpoint: { dispatcher: tellScopes } });
	const session = await openSession(url, { authorization: "Bearer token-admin" });
	const scopesWith = async (token: string) =>
		(await post(url, call(2, "echo"), { ...session, authorization: `Bearer ${token}` })).json.result;
	assert.deepEqual(await scopesWith("token-less"), { scopes: ["read"] });
	assert.deepEqual(await scopesWith("token-admin"), { scopes: ["admin"] });
});

test("nor does it by the token that opened the stream of an old client", async () => {
	const endpoint = new SseEndpoint({
		dispatcher: tellScopes,
		description: { info: { name: "served", version: "1.0.0" }, capabilities: { tools: {} } },
		messagesPath: "/messages",
	});
	const { listener } = await serve({ front: { authenticate: byScopes, endpoint: () => endpoint } });
	const stream = await fetch(listener.address, { headers: { authorization: "Bearer token-admin" } });
	let told = "";
	const reading = stream.body?.pipeThrough(new TextDecoderStream()).pipeTo(
		new WritableStream({
			write: (text) => {
				told += text;
			},
		}),
	);
	await until(() => told.includes("session="));
	const messages = `${listener.address}${/^data: (.*)$/m.exec(told)?.[1]}`;
	await post(messages, request(1, "initialize", INITIALIZE), { authorization: "Bearer token-less" });
	await post(messages, call(2, "echo"), { authorization: "Bearer token-less" });
	await until(() => told.includes('"id":2'));
	assert.match(told, /"scopes":\["read"\]/);
	await endpoint.close(0);
	await reading;
});

const byScopes = bearerTokens({
	"token-admin": { id: "a", scopes: ["admin"] },
	"token-less": { id: "a", scopes: ["read"] },
});
const tellScopes: Dispatcher = async (_method, _params, { principal }) => ({ scopes: principal?.scopes });

test("a client that asks too often is told when to come back", async () => {
	const { url } = await serve({ front: { rateLimits: { perSecond: 0.5, burst: 3 } } });
	const statuses = [];
	for (let round = 0; round < 5; round++) statuses.push((await post(url, request(1, "initialize", INITIALIZE))).status);
	assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
	let now = 0;
	const limit = new RateLimit({ perSecond: 2, burst: 2 }, () => now);
	limit.take("x");
	limit.take("x");
	assert.throws(() => limit.take("x"), { code: "RATE_LIMITED", headers: { "retry-after": "1" } });
	limit.take("y");
	now = 500;
	limit.take("x");
	assert.throws(() => limit.take("x"));
});

test("a long pause saves up no more requests than a burst", () => {
	let now = 0;
	const limit = new RateLimit({ perSecond: 2, burst: 2 }, () => now);
	limit.take("x");
	now = 3_600_000;
	for (let n = 0; n < 2; n++) limit.take("x");
	assert.throws(() => limit.take("x"), { code: "RATE_LIMITED" });
});

test("wrong tokens count against the rate too, so that they cannot be guessed quickly", async () => {
	const authenticate = bearerTokens({ "token-a": { id: "a", scopes: [] } });
	const { url } = await serve({ front: { authenticate, rateLimits: { perSecond: 0.01, burst: 3 } } });
	const statusWith = async (token: string) =>
		(await post(url, request(1, "initialize", INITIALIZE), { authorization: `Bearer ${token}` })).status;
	const statuses = [];
	for (const token of ["token-b", "token-c", "token-d", "token-e", "token-a"]) statuses.push(await statusWith(token));
	assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
});

test("of very many clients the one that was not seen for longest is forgotten first", () => {
	const limit = new RateLimit({ perSecond: 1, burst: 1 }, () => 0);
	for (let client = 0; client < 10_001; client++) limit.take(`client ${client}`);
	assert.throws(() => limit.take("client 1"), { code: "RATE_LIMITED" });
	limit.take("client 0");
});

const LIMITS = { maxEvents: 4, maxBytes: 1_000, maxAwaitedBytes: 2_000 };
const answerOf = (id: number, text = ""): string => `{"jsonrpc":"2.0","id":${id},"result":"${text}"}`;

test("an event log forgets from the front, keeps streams apart, and admits which answers it no longer knows", () => {
	const log = new EventLog(LIMITS);
	const ids = [1, 2, 3, 4].map((id, index) => log.add(index % 2, answerOf(id)));
	assert.deepEqual(
		log.after(ids[0] ?? "")?.events.map((event) => event.text),
		[answerOf(3)],
	);
	assert.deepEqual(
		log.after(ids[1] ?? "")?.events.map((event) => event.text),
		[answerOf(4)],
	);
	for (const id of [5, 6, 7]) log.add(1, answerOf(id));
	assert.equal(log.after(ids[0] ?? ""), undefined);
	assert.equal(log.after("1-99"), undefined);
	assert.equal(log.after("junk"), undefined);
	log.forget(new Set([1]));
	assert.deepEqual(log.after(ids[2] ?? "")?.events, []);
});

test("an event log knows a quiet stream however much the others say, and none that never was or is forgotten", () => {
	const log = new EventLog(LIMITS);
	const quiet = log.add(1, "quiet");
	const told = ["a", "b", "c", "d", "e"].map((text) => log.add(2, text));
	assert.deepEqual(log.after(quiet)?.events, []);
	log.add(1, answerOf(1));
	assert.equal(log.after(quiet)?.events.length, 1);
	assert.equal(log.after("3-1"), undefined);
	log.end(2);
	assert.notEqual(log.after(told[4] ?? ""), undefined);
	log.forget(new Set([2]));
	assert.equal(log.after(told[4] ?? ""), undefined);
	for (const id of [2, 3, 4, 5]) log.add(1, answerOf(id));
	assert.equal(log.after(quiet), undefined, "what was heard since is gone");
	const last = log.add(4, "x".repeat(2_000));
	log.end(4);
	assert.equal(log.after(last), undefined, "nothing of it was kept");
});

test("an event log drops notifications before answers, and keeps the newest answer however large it is", () => {
	const log = new EventLog(LIMITS);
	const first = log.add(1, "");
	const progress = ["a", "b", "c", "d", "e", "f"].map((text) => log.add(1, text));
	const large = answerOf(1, "x".repeat(3_000));
	log.add(1, large);
	log.end(1);
	for (const text of ["g", "h", "i", "j"]) log.add(2, text);
	for (const missed of [first, progress[0], progress[5]]) {
		assert.deepEqual(
			log.after(missed ?? "")?.events.map((event) => event.text),
			[large],
		);
	}
	const next = log.add(3, answerOf(2));
	assert.equal(log.after(first), undefined, "it made room for the next answer");
	assert.deepEqual(log.after(next)?.events, []);
});

test("logs of many sessions share one budget, and a session that ends gives its share back", () => {
	const budget = new EventBudget(10);
	const [first, second] = [0, 1].map(() => new EventLog(LIMITS, budget));
	assert.ok(first !== undefined && second !== undefined);
	first.add(1, "12345");
	second.add(1, "123456");
	assert.equal(budget.bytes, 5, "of the session that holds most the oldest is forgotten");
	first.clear();
	assert.equal(budget.bytes, 0);
	second.add(1, "123456");
	assert.equal(budget.bytes, 6);
});

test("an answer that was sent is kept for a moment, should it not have arrived, and no longer", () => {
	const budget = new EventBudget(1_000);
	const session = httpSession(budget);
	const stream = session.newStream();
	stream.attach(new ServerResponse(new IncomingMessage(new Socket())));
	stream.send("answer");
	stream.end();
	session.keepAlive(performance.now());
	assert.equal(budget.bytes, 6);
	session.keepAlive(performance.now() + 61_000);
	assert.equal(budget.bytes, 0);
	// An empty stream in its place would have the client resume it again and again.
	const late = new ServerResponse(new IncomingMessage(new Socket()));
	assert.throws(() => session.listen(late, "1-1"), { code: "EVENT_EXPIRED" });
});

test("an answer nobody was there to take is kept, though its stream is put away", () => {
	const budget = new EventBudget(1_000);
	const session = httpSession(budget);
	const stream = session.newStream();
	stream.send("answer");
	stream.end();
	session.keepAlive(performance.now() + 61_000);
	const response = new ServerResponse(new IncomingMessage(new Socket()));
	session.listen(response, "1-0");
	assert.ok(response.writableEnded);
	assert.equal(budget.bytes, 6);
	session.keepAlive(performance.now() + 61_000);
	assert.equal(budget.bytes, 0);
});

function httpSession(budget: EventBudget): HttpSession {
	const description = { info: { name: "kept", version: "1" }, capabilities: {} };
	const server = new RpcServer({ dispatcher: async () => ({}), description });
	return new HttpSession(server, { principal: undefined, budget });
}

test("whoever sends a request slowly is let go", { timeout: 120_000 }, async () => {
	const { listener } = await serve();
	const socket = connect(listener.port, "127.0.0.1");
	socket.on("error", () => {});
	let said = "";
	socket.on("data", (chunk: Buffer) => {
		said += chunk.toString();
	});
	socket.write("POST /mcp HTTP/1.1\r\nhost: localhost\r\n");
	const dripping = setInterval(() => socket.write("x: y\r\n"), 500);
	await new Promise((resolve) => socket.once("close", resolve));
	clearInterval(dripping);
	assert.match(said, /^HTTP\/1\.1 408 [\s\S]*"REQUEST_TIMEOUT"/);
});

test("a request that names two hosts reaches nobody, whichever is ours", async () => {
	const { listener } = await serve();
	const body = JSON.stringify(request(1, "initialize", INITIALIZE));
	for (const hosts of [
		["localhost", "evil.example"],
		["evil.example", "localhost"],
	]) {
		const socket = connect(listener.port, "127.0.0.1");
		const names = hosts.map((host) => `host: ${host}\r\n`).join("");
		socket.write(
			`POST /mcp HTTP/1.1\r\n${names}connection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
		);
		let answer = "";
		for await (const chunk of socket) answer += String(chunk);
		assert.match(answer, /^HTTP\/1.1 40[03] /);
	}
});

test("a client that leaves in the middle of its body is nothing unexpected", async () => {
	const unexpected: unknown[] = [];
	const { listener, url } = await serve({ front: { onUnexpected: (error) => void unexpected.push(error) } });
	const socket = connect(listener.port, "127.0.0.1");
	socket.write(
		"POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
	);
	await new Promise((resolve) => setTimeout(resolve, 100));
	socket.resetAndDestroy();
	await new Promise((resolve) => setTimeout(resolve, 100));
	await openSession(url);
	assert.deepEqual(unexpected, []);
});

test("a failure before the endpoint is a failure of the server to the client, and reported in full", async () => {
	const unexpected: unknown[] = [];
	const down = new Error("the token database is down");
	const { url } = await serve({
		front: {
			authenticate: () => {
				throw down;
			},
			onUnexpected: (error) => void unexpected.push(error),
		},
	});
	const failed = await post(url, request(1, "initialize", INITIALIZE));
	assert.deepEqual([failed.status, errorOf(failed).data.code], [500, "INTERNAL"]);
	assert.doesNotMatch(failed.body, /database/);
	assert.deepEqual(unexpected, [down]);
});

test("a refusal may have a status of its own, and a cause that only the server's log tells", async () => {
	const unexpected: unknown[] = [];
	const cause = new Error("the token database is down");
	const { url } = await serve({
		front: {
			authenticate: () => {
				throw new HttpRefusal("INTERNAL", "come back later", { "retry-after": "2" }, { status: 503, cause });
			},
			onUnexpected: (error) => void unexpected.push(error),
		},
	});
	const refused = await post(url, request(1, "initialize", INITIALIZE));
	assert.deepEqual([refused.status, errorOf(refused).data.code], [503, "INTERNAL"]);
	assert.doesNotMatch(refused.body, /database/);
	assert.deepEqual(unexpected, [cause]);
});

test("a failure before the endpoint that nobody listens to is written to standard error", async (t) => {
	const written = t.mock.method(process.stderr, "write", () => true);
	const authenticate = (): never => {
		throw new Error("the token database is down");
	};
	const { url } = await serve({ front: { authenticate } });
	await post(url, request(1, "initialize", INITIALIZE));
	const texts = written.mock.calls.map(({ arguments: [text] }) => String(text));
	assert.match(texts.join(""), /^libmcp: a request over HTTP failed: Error: the token database is down\n/);
});

test("a request whose length is said in two ways reaches nobody", async () => {
	const { listener, seen } = await serve();
	const body = JSON.stringify(request(1, "initialize", INITIALIZE));
	const framings = [
		`content-length: ${body.length}\r\ntransfer-encoding: chunked`,
		`content-length: ${body.length}\r\ncontent-length: 1`,
		"transfer-encoding: chunked, identity",
		`content-length: +${body.length}`,
	];
	for (const framing of framings) {
		const socket = connect(listener.port, "127.0.0.1");
		const chunks: Buffer[] = [];
		socket.on("data", (chunk: Buffer) => chunks.push(chunk));
		socket.write(
			`POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${framing}\r\n\r\n${body}`,
		);
		await new Promise((resolve) => socket.once("close", resolve));
		assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 400 /, framing);
	}
	assert.deepEqual(seen.notifications, []);
});
