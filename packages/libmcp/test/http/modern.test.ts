import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { CLAIM, call, errorOf, events, modernHeaders, post, request, serve } from "./serving.ts";

const meta = { _meta: CLAIM };

test("a request without a handshake is served when its headers say what its body says", async () => {
	const { url, endpoint } = await serve();
	const answered = await post(url, call(1, "echo", "hi", meta), modernHeaders("tools/call", "echo"));
	assert.equal(answered.status, 200);
	assert.equal(answered.headers.get("mcp-session-id"), null);
	assert.equal((answered.json.result as { resultType: string }).resultType, "complete");
	assert.equal(endpoint.sessions, 0);
	const encoded = `=?base64?${Buffer.from("echo").toString("base64")}?=`;
	assert.equal((await post(url, call(1, "echo", "hi", meta), modernHeaders("tools/call", encoded))).status, 200);
});

verifies(
	"mcp-http-headers-match",
	"headers that are missing or say something else are refused with -32020",
	async () => {
		const { url } = await serve();
		const good = modernHeaders("tools/call", "echo");
		const cases: Record<string, string>[] = [
			{ ...good, "mcp-name": "other" },
			{ ...good, "mcp-name": "=?base64?!?=" },
			{ ...good, "mcp-method": "tools/list" },
			{ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" },
			{ "mcp-protocol-version": "2026-07-28", "mcp-name": "echo" },
			{ "mcp-method": "tools/call", "mcp-name": "echo" },
			{ ...good, "mcp-protocol-version": "2025-11-25" },
		];
		for (const headers of cases) {
			const refused = await post(url, call(1, "echo", "hi", meta), headers);
			assert.deepEqual(
				[refused.status, errorOf(refused).code, errorOf(refused).data.code],
				[400, -32020, "HEADER_MISMATCH"],
				JSON.stringify(headers),
			);
		}
	},
);

verifies(
	"mcp-http-unknown-method",
	"an unknown revision, a missing claim and an unknown method have their own codes and statuses",
	async () => {
		const { url } = await serve();
		const future = { ...CLAIM, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
		const ahead = await post(url, request(1, "tools/list", { _meta: future }), {
			"mcp-protocol-version": "2099-01-01",
			"mcp-method": "tools/list",
		});
		assert.deepEqual([ahead.status, errorOf(ahead).code], [400, -32022]);
		const unclaimed = await post(url, request(1, "tools/list", {}), modernHeaders("tools/list"));
		assert.deepEqual([unclaimed.status, errorOf(unclaimed).code], [400, -32602]);
		for (const method of ["nonsense/method", "ping", "initialize", "resources/subscribe"]) {
			const unknown = await post(url, request(1, method, meta), modernHeaders(method));
			assert.deepEqual([unknown.status, errorOf(unknown).code], [404, -32601], method);
		}
		const tool = await post(url, call(1, "nothing", "", meta), modernHeaders("tools/call", "nothing"));
		assert.deepEqual([tool.status, errorOf(tool).code], [200, -32602]);
	},
);

verifies("mcp-http-disconnect-cancels", "closing the connection cancels the call", async () => {
	const { url, seen } = await serve();
	const abort = new AbortController();
	const held = post(url, call(1, "hold", "", meta), modernHeaders("tools/call", "hold"));
	const dropped = fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json", ...modernHeaders("tools/call", "hold") },
		body: JSON.stringify(call(1, "hold", "", meta)),
		signal: abort.signal,
	}).catch(() => undefined);
	await until(() => seen.held === 2);
	abort.abort();
	await dropped;
	await until(() => seen.aborted === 1);
	seen.release();
	assert.equal((await held).status, 200, "another client's call with the same id goes on");
});

test("progress comes on the stream of its own request", async () => {
	const { url } = await serve();
	const answered = await post(
		url,
		call(1, "steps", "", { _meta: { ...CLAIM, progressToken: 7 } }),
		modernHeaders("tools/call", "steps"),
	);
	assert.equal(answered.headers.get("content-type"), "text/event-stream");
	const first = JSON.parse(events(answered.body)[0]?.data ?? "{}") as { params: { progressToken: number } };
	assert.equal(first.params.progressToken, 7);
});

test("a subscription gets what it asked for until its connection closes, and its result when the server goes", async () => {
	const { url, endpoint, listener } = await serve();
	const listen = (toolsListChanged: boolean, signal?: AbortSignal): Promise<Response> =>
		fetch(url, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				accept: "text/event-stream",
				...modernHeaders("subscriptions/listen"),
			},
			body: JSON.stringify(request("s", "subscriptions/listen", { notifications: { toolsListChanged }, ...meta })),
			...(signal === undefined ? {} : { signal }),
		});
	const abort = new AbortController();
	await listen(true, abort.signal);
	abort.abort();
	const listening = await listen(true);
	const nothing = events(await (await listen(false)).text());
	assert.equal(nothing.length, 2, "acknowledged and complete: nothing can come");
	endpoint.notify("notifications/tools/list_changed");
	const text = listening.text();
	await listener.close([endpoint], 100);
	const messages = events(await text).map((event) => JSON.parse(event.data) as Record<string, unknown>);
	assert.deepEqual(
		messages.map((message) => message.method ?? message.id),
		["notifications/subscriptions/acknowledged", "notifications/tools/list_changed", "s"],
	);
});

test("a client that leaves before the server knows itself has no work done and no subscription kept", async () => {
	const described = Promise.withResolvers<void>();
	const watched: string[] = [];
	const responses: ServerResponse[] = [];
	let asked = 0;
	const { url, endpoint, seen } = await serve({
		endpoint: {
			description: async () => {
				asked++;
				await described.promise;
				return { info: { name: "late", version: "1" }, capabilities: { resources: { subscribe: true } } };
			},
			onWatch: (uris) => watched.push(...uris),
		},
		front: { open: [(_request, response) => responses.push(response) === 0] },
	});
	const leaving = new AbortController();
	const posts = [
		[call(1, "hold", "", meta), modernHeaders("tools/call", "hold")],
		[
			request(2, "subscriptions/listen", { notifications: { resourceSubscriptions: ["a:b"] }, ...meta }),
			modernHeaders("subscriptions/listen"),
		],
	] as const;
	const left = posts.map(([message, headers]) =>
		fetch(url, {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify(message),
			signal: leaving.signal,
		}).catch(() => "left"),
	);
	await until(() => endpoint.inFlight === 1 && asked === 1 && responses.length === 2);
	leaving.abort();
	assert.deepEqual(await Promise.all(left), ["left", "left"]);
	await until(() => responses.every(({ destroyed }) => destroyed));
	described.resolve();
	await until(() => endpoint.inFlight === 0);
	assert.deepEqual([seen.held, watched], [0, []]);
});
