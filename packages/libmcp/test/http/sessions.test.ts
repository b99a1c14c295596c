import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { RpcError } from "../../src/fault/rpcError.ts";
import type { EndpointOptions } from "../../src/http/mcpEndpoint.ts";
import type { Dispatcher } from "../../src/server/protocol/dispatcher.ts";
import { type Answered, call, errorOf, events, INITIALIZE, openSession, post, request, serve } from "./serving.ts";

verifies(
	"mcp-http-session-id",
	"a handshake opens a session whose id is random visible ASCII, and no cookie is set",
	async () => {
		const { url } = await serve();
		const ids = new Set<string>();
		for (let round = 0; round < 20; round++) {
			const answered = await post(url, request(1, "initialize", INITIALIZE));
			assert.equal(answered.status, 200);
			assert.equal((answered.json.result as { protocolVersion: string }).protocolVersion, "2025-11-25");
			assert.equal(answered.headers.get("set-cookie"), null);
			const id = answered.headers.get("mcp-session-id") ?? "";
			assert.match(id, /^[\x21-\x7e]{32}$/);
			ids.add(id);
		}
		assert.equal(ids.size, 20);
	},
);

test("a handshake with more to remember than a client could mean opens no session", async () => {
	const { url, endpoint } = await serve();
	const open = (changed: object) => post(url, request(1, "initialize", { ...INITIALIZE, ...changed }));
	const long = "x".repeat(100_000);
	const refused = [
		{ capabilities: { experimental: { long } } },
		{ clientInfo: { name: long, version: "1" } },
		{ protocolVersion: long },
	];
	for (const changed of refused) {
		const { code, message } = errorOf(await open(changed));
		assert.equal(code, -32602);
		assert.match(message, /^initialize: params: expected at most 65536 characters .*, got 100\d\d\d$/);
	}
	assert.equal(endpoint.sessions, 0);
	// An icon may be a whole picture; it is not remembered.
	const icons = [{ src: `data:image/png;base64,${long}` }];
	assert.equal((await open({ clientInfo: { name: "raw", version: "1", icons } })).status, 200);
	assert.equal(endpoint.sessions, 1);
});

verifies(
	"mcp-http-session-ended",
	"a request needs a session, an unknown one is not found, and DELETE ends one",
	async () => {
		const { url, endpoint } = await serve();
		const without = await post(url, request(1, "tools/list"));
		assert.deepEqual([without.status, errorOf(without).data.code], [400, "SESSION_REQUIRED"]);
		const unknown = await post(url, request(1, "tools/list"), { "mcp-session-id": "nobody" });
		assert.deepEqual([unknown.status, errorOf(unknown).data.code], [404, "SESSION_NOT_FOUND"]);
		const session = await openSession(url);
		assert.equal((await post(url, request(2, "tools/list"), session)).status, 200);
		assert.equal(endpoint.sessions, 1);
		assert.equal((await fetch(url, { method: "DELETE", headers: session })).status, 204);
		assert.equal((await post(url, request(3, "tools/list"), session)).status, 404);
		assert.equal(endpoint.sessions, 0);
	},
);

test("a failed handshake leaves no session", async () => {
	const { url, endpoint } = await serve();
	const answered = await post(url, request(1, "initialize", {}));
	assert.equal(errorOf(answered).code, -32602);
	assert.equal(answered.headers.get("mcp-session-id"), null);
	assert.equal(endpoint.sessions, 0);
});

test("a client that leaves during the handshake leaves no session", async () => {
	const ended: string[] = [];
	const description: EndpointOptions["description"] = ({ session }) =>
		new Promise(() => session?.ended.addEventListener("abort", () => ended.push(String(session.ended.reason))));
	const { url, endpoint } = await serve({ endpoint: { description, maxSessions: 2 } });
	for (let client = 0; client < 3; client++) {
		const abort = new AbortController();
		const opening = fetch(url, {
			method: "POST",
			headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
			body: JSON.stringify(request(1, "initialize", INITIALIZE)),
			signal: abort.signal,
		});
		await until(() => endpoint.sessions === 1);
		abort.abort();
		await assert.rejects(opening, { name: "AbortError" });
		await until(() => endpoint.sessions === 0 && endpoint.inFlight === 0);
	}
	assert.deepEqual(ended, Array(3).fill("AbortError: the client left during the handshake"));
});

test("a handshake that fails late leaves no session either, and names none", async () => {
	const description = async (): Promise<never> => {
		await new Promise((resolve) => setTimeout(resolve, 1));
		throw new RpcError(-32603, "no server");
	};
	const { url, endpoint } = await serve({ endpoint: { description } });
	const answered = await post(url, request(1, "initialize", INITIALIZE));
	assert.equal(errorOf(answered).message, "no server");
	assert.equal(answered.headers.get("mcp-session-id"), null);
	assert.equal(endpoint.sessions, 0);
});

test("an idle session is ended, one with a listening client is not", async () => {
	const { url, endpoint } = await serve({ endpoint: { sessionIdleMs: 1_500 } });
	const [idle, listening] = [await openSession(url), await openSession(url)];
	// Kept until the end: a response nobody holds is collected, and its connection closed.
	const stream = await fetch(url, { headers: { ...listening, accept: "text/event-stream" } });
	await until(() => endpoint.sessions === 1);
	assert.equal((await post(url, request(2, "tools/list"), idle)).status, 404);
	assert.equal((await post(url, request(2, "tools/list"), listening)).status, 200);
	await stream.body?.cancel();
	await until(() => endpoint.sessions === 0);
});

test("when sessions are full the longest unused one makes room, and one at work is never taken", async () => {
	const { url, seen } = await serve({ endpoint: { maxSessions: 2 } });
	const first = await openSession(url);
	const held = post(url, call(2, "hold"), first);
	await until(() => seen.held === 1);
	const second = await openSession(url);
	const third = await openSession(url);
	assert.equal((await post(url, request(3, "tools/list"), second)).status, 404);
	const alsoHeld = post(url, call(4, "hold"), third);
	await until(() => seen.held === 2);
	const refused = await post(url, request(1, "initialize", INITIALIZE));
	assert.equal(refused.status, 429);
	seen.release();
	assert.deepEqual([(await held).status, (await alsoHeld).status], [200, 200]);
});

test("what comes before the answer turns it into a stream; otherwise it is one JSON body", async () => {
	const { url } = await serve();
	const session = await openSession(url);
	const plain = await post(url, call(2, "echo", "hi"), session);
	assert.equal(plain.headers.get("content-type"), "application/json");
	const streamed = await post(url, call(3, "steps", undefined, { _meta: { progressToken: "t" } }), session);
	assert.equal(streamed.headers.get("content-type"), "text/event-stream");
	const messages = events(streamed.body).map((event) => JSON.parse(event.data) as Record<string, unknown>);
	assert.equal(messages[0]?.method, "notifications/progress");
	assert.equal(messages.at(-1)?.id, 3);
	assert.equal(messages.filter((message) => "result" in message).length, 1);
});

test("with JSON responses a POST is one JSON body even when progress is asked for", async () => {
	const { url } = await serve({ endpoint: { jsonResponses: true } });
	const session = await openSession(url);
	const answered = await post(url, call(3, "steps", undefined, { _meta: { progressToken: "t" } }), session);
	assert.equal(answered.headers.get("content-type"), "application/json");
});

test("with JSON responses a client is asked on its standing stream, and at once not if it has none", async () => {
	const { url } = await serve({ endpoint: { jsonResponses: true } });
	const session = await openSession(url);
	assert.equal(errorOf(await post(url, call(3, "ask"), session)).data.code, "MISSING_CAPABILITY");
	const standing = await fetch(url, { headers: { ...session, accept: "text/event-stream" } });
	const reader = standing.body?.pipeThrough(new TextDecoderStream()).getReader();
	assert.ok(reader);
	const answered = post(url, call(4, "ask"), session);
	let text = "";
	while (!text.includes("roots/list")) text += (await reader.read()).value ?? "";
	const asked = events(text).find(({ data }) => data.includes("roots/list"));
	const { id } = JSON.parse(asked?.data ?? "{}");
	await post(url, { jsonrpc: "2.0", id, result: { roots: [] } }, session);
	assert.match((await answered).body, /roots/);
	await reader.cancel();
});

test("without sessions no id is given out, every request stands alone, and the client is asked nothing", async () => {
	const { url, endpoint } = await serve({ endpoint: { stateless: true } });
	const opened = await post(url, request(1, "initialize", INITIALIZE));
	assert.equal(opened.status, 200);
	assert.equal(opened.headers.get("mcp-session-id"), null);
	const { capabilities } = opened.json.result as { capabilities: unknown };
	assert.deepEqual(capabilities, { tools: {} }, "a client that is told nothing is promised nothing");
	assert.equal((await post(url, call(2, "echo", "alone"))).status, 200);
	assert.equal(errorOf(await post(url, call(3, "ask"))).data.code, "MISSING_CAPABILITY");
	assert.equal((await fetch(url, { headers: { accept: "text/event-stream" } })).status, 405);
	assert.equal((await fetch(url, { method: "DELETE" })).status, 405);
	assert.equal(endpoint.sessions, 0);
});

verifies(
	"mcp-http-one-message",
	"the server asks on the stream of the call that caused it, and the answer comes by another POST",
	async () => {
		const { url } = await serve();
		const session = await openSession(url);
		const response = await fetch(url, {
			method: "POST",
			headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...session },
			body: JSON.stringify(call(2, "ask")),
		});
		const reader = response.body?.getReader();
		assert.ok(reader);
		let text = "";
		let asked: { id: number; method: string } | undefined;
		while (asked === undefined) {
			text += new TextDecoder().decode((await reader.read()).value);
			asked = events(text)
				.map((event) => JSON.parse(event.data) as { id: number; method: string })
				.find((message) => message.method === "roots/list");
		}
		const answered = await post(
			url,
			{ jsonrpc: "2.0", id: asked.id, result: { roots: [{ uri: "file:///x" }] } },
			session,
		);
		assert.equal(answered.status, 202);
		for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
			text += new TextDecoder().decode(chunk.value);
		assert.match(events(text).at(-1)?.data ?? "", /file:\/\/\/x/);
	},
);

verifies(
	["mcp-http-own-replay", "mcp-http-disconnect-cancels"],
	"the standing stream carries notifications, and a stream that broke off is resumed where it was",
	async () => {
		const { url, endpoint, seen } = await serve();
		const session = await openSession(url);
		const abort = new AbortController();
		const listening = await fetch(url, { headers: { ...session, accept: "text/event-stream" }, signal: abort.signal });
		endpoint.notify("notifications/tools/list_changed");
		const reader = listening.body?.getReader();
		assert.ok(reader);
		let text = "";
		while (!text.includes("list_changed")) text += new TextDecoder().decode((await reader.read()).value);
		abort.abort();

		const broken = new AbortController();
		const response = await fetch(url, {
			method: "POST",
			headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...session },
			body: JSON.stringify(call(2, "hold", "streaming")),
			signal: broken.signal,
		});
		const begun = response.body?.getReader();
		assert.ok(begun);
		let start = "";
		while (!start.includes("holding")) start += new TextDecoder().decode((await begun.read()).value);
		const lastEventId = events(start).at(-1)?.id ?? "";
		broken.abort();
		await new Promise((resolve) => setTimeout(resolve, 50));
		assert.equal(seen.aborted, 0, "a broken connection is no cancel for a client with a session");
		seen.release();
		const resumed = await fetch(url, {
			headers: { ...session, accept: "text/event-stream", "last-event-id": lastEventId },
		});
		const rest = events(await resumed.text()).map((event) => JSON.parse(event.data) as Record<string, unknown>);
		assert.deepEqual(
			rest.map((message) => message.id),
			[2],
			"the answer alone: no other stream's events",
		);

		const gone = await fetch(url, { headers: { ...session, accept: "text/event-stream", "last-event-id": "9-999" } });
		assert.equal(gone.status, 400);
	},
);

test("what the client was asked is withdrawn when the call is cancelled, answered, or says so itself", async () => {
	const own = new AbortController();
	let asked = 0;
	const dispatcher: Dispatcher = async (_method, params, context) => {
		const { name } = params as { name: string };
		const answer = context.request("roots/list", {}, own.signal).catch((error: Error) => error.message);
		asked++;
		if (name === "impatient") return { content: [] };
		return { content: [{ type: "text", text: await answer }] };
	};
	const { url } = await serve({ endpoint: { dispatcher } });
	const session = await openSession(url);
	const messages = (answered: Answered): readonly unknown[] =>
		events(answered.body).map(({ data }) => {
			const { method, params, result } = JSON.parse(data);
			return method === "notifications/cancelled" ? ["withdrawn", params.requestId] : (method ?? result);
		});
	assert.deepEqual(messages(await post(url, call(1, "impatient"), session)), [
		"roots/list",
		["withdrawn", 1],
		{ content: [] },
	]);
	const cancelled = post(url, call("c", "patient"), session);
	await until(() => asked === 2);
	await post(url, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "c" } }, session);
	assert.deepEqual(messages(await cancelled), ["roots/list", ["withdrawn", 2]]);
	const withdrawn = post(url, call(3, "patient"), session);
	await until(() => asked === 3);
	own.abort(new Error("not needed"));
	const text = [{ type: "text", text: "not needed" }];
	assert.deepEqual(messages(await withdrawn), ["roots/list", ["withdrawn", 3], { content: text }]);
});

test("cancelling ends the call and its POST without an answer", async () => {
	const { url, seen } = await serve();
	const session = await openSession(url);
	const held = post(url, call("h", "hold"), session);
	await until(() => seen.held === 1);
	await post(url, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "h" } }, session);
	const answered = await held;
	assert.equal(answered.body, "");
	assert.equal(seen.aborted, 1);
	await post(url, { jsonrpc: "2.0", method: "notifications/roots/list_changed" }, session);
	assert.deepEqual(seen.notifications, ["notifications/roots/list_changed"]);
});
