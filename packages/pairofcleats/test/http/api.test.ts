import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { EventSource } from "eventsource";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { at, listAt, replacing } from "../server/serving.ts";
import { slowFiles, workspaceOf } from "../tools/workspace.ts";
import { eventsOf, type Reply, type Served, serveApi, spawnApi } from "./api.ts";

function assertEnvelope({ body, text }: Reply): void {
	assert.ok(typeof body === "object" && body !== null, text);
	const keys = Object.keys(body);
	assert.deepEqual(keys, at(body, "/ok") === true ? ["ok", "result", "_meta"] : ["ok", "error", "_meta"]);
	assert.equal(at(body, "/_meta/schemaVersion"), "2.0.1");
	assert.match(String(at(body, "/_meta/ts")), /Z$/);
}

verifies(
	["001-7.2.1-get-health", "001-7.2.2-get-status", "001-7.2.4-post-search", "001-10-api-contract-tests"],
	"health, status and search answer 200 with their envelopes and no path of the server",
	async (t) => {
		const space = await workspaceOf(t);
		const api = await serveApi(t, space);
		const first = await api.get("/health");
		await delay(5);
		const second = await api.get("/health");
		assert.ok(Number(at(second.body, "/result/uptimeMs")) > Number(at(first.body, "/result/uptimeMs")));
		const status = await api.get("/status");
		const search = await api.post("/search", { query: "openSession" });
		for (const reply of [first, status, search]) {
			assert.equal(reply.status, 200, reply.text);
			assertEnvelope(reply);
			assert.ok(!reply.text.includes(space.base));
		}
		assert.equal(at(status.body, "/result/repo"), "repo");
		assert.equal(at(status.body, "/result/status/indexed"), true);
		assert.equal(at(search.body, "/result/repo"), "repo");
		assert.equal(at(search.body, "/result/search/hits/0/name"), "openSession");
		const named = await api.get(`/status?repo=${encodeURIComponent(space.root)}`);
		assert.equal(at(named.body, "/result/repo"), space.root);
	},
);

verifies(
	[
		"001-7.3-status-400",
		"001-7.3-status-403",
		"001-7.3-status-413",
		"001-7.3-status-415",
		"001-7.3-status-409",
		"001-7.1-all-json-envelopes",
		"001-7.1-post-needs-json",
		"001-7.2.4-search-body-validated",
	],
	"each refusal has its status, its code and an envelope",
	async (t) => {
		const space = await workspaceOf(t);
		const bare = join(space.base, "bare");
		mkdirSync(bare);
		symlinkSync("/etc", join(space.root, "escape"));
		const api = await serveApi(t, space, { repositories: [space.root, bare], maxBodyBytes: 4096 });
		const query = { query: "x" };
		const cases: [Reply, number, string][] = [
			[await api.post("/search", "{ not json"), 400, "INVALID_REQUEST"],
			[await api.post("/search", ""), 400, "INVALID_REQUEST"],
			[await api.post("/search", "[]"), 400, "INVALID_REQUEST"],
			[await api.post("/search", { query: 7 }), 400, "INVALID_REQUEST"],
			[await api.post("/search", { ...query, colour: "red" }), 400, "INVALID_REQUEST"],
			[await api.post("/search", { ...query, modifiedAfter: "no date" }), 400, "INVALID_REQUEST"],
			[await api.post("/search", { ...query, render: "porcelain" }), 400, "INVALID_REQUEST"],
			[await api.post("/search/stream", { ...query, colour: "red" }), 400, "INVALID_REQUEST"],
			[await api.get("/status?colour=red"), 400, "INVALID_REQUEST"],
			[await api.post("/search?top=1", query), 400, "INVALID_REQUEST"],
			[await api.post("/search/stream?top=1", query), 400, "INVALID_REQUEST"],
			[await api.post("/search", { ...query, repoPath: "/etc" }), 403, "FORBIDDEN"],
			[await api.post("/search", { ...query, repoPath: join(space.root, "escape") }), 403, "FORBIDDEN"],
			[await api.post("/search/stream", { ...query, repoPath: "/etc" }), 403, "FORBIDDEN"],
			[await api.get("/status?repo=/etc"), 403, "FORBIDDEN"],
			[await api.get("/status/stream?repo=/etc"), 403, "FORBIDDEN"],
			[await api.get("/no/such/path"), 404, "NOT_FOUND"],
			[await api.get("/search"), 405, "INVALID_REQUEST"],
			[await api.post("/status", {}), 405, "INVALID_REQUEST"],
			[await api.post("/search", { ...query, repoPath: bare }), 409, "NO_INDEX"],
			[await api.post("/search", { query: "y".repeat(5000) }), 413, "INVALID_REQUEST"],
			[await api.post("/search", query, { "content-type": "text/plain" }), 415, "INVALID_REQUEST"],
			[
				await api.post("/search", query, { "content-type": "application/x-www-form-urlencoded" }),
				415,
				"INVALID_REQUEST",
			],
		];
		for (const [reply, status, code] of cases) {
			assert.equal(reply.status, status, reply.text);
			assertEnvelope(reply);
			assert.equal(at(reply.body, "/error/code"), code, reply.text);
		}
		assert.equal((await api.get("/search")).headers.get("allow"), "POST");
		assert.equal((await api.post("/status", {})).headers.get("allow"), "GET, HEAD");
		const charset = await api.post("/search", query, { "content-type": "application/json; charset=utf-8" });
		assert.equal(charset.status, 200);
		assert.deepEqual(
			listAt((await api.post("/search", { query: 7, colour: 1 })).body, "/error/details/violations").length,
			2,
		);
	},
);

verifies("001-7.3-status-500", "an exception is 500 with INTERNAL and reveals nothing about itself", async (t) => {
	const space = await workspaceOf(t);
	const broken = `export const search = async () => { throw new TypeError("broken in ${space.root}"); };`;
	const api = await spawnApi(t, space, replacing("/tools/searchTools.js", broken));
	const response = await fetch(`${api.address}/search`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: '{"query":"session"}',
	});
	const text = await response.text();
	assert.equal(response.status, 500);
	assert.equal(at(JSON.parse(text), "/error/code"), "INTERNAL");
	assert.ok(!text.includes(space.base) && !text.includes("TypeError"), text);
	assert.match(api.stderr(), /TypeError: broken/);
});

verifies(
	["001-7.2.3-sse-envelopes", "001-7.2.3-event-start", "001-7.2.3-event-result", "001-7.2.3-event-done"],
	"the status stream is start, result, done, each an envelope, and its result is what status gives",
	async (t) => {
		const api = await serveApi(t, await workspaceOf(t));
		const reply = await api.get("/status/stream");
		assert.equal(reply.headers.get("content-type"), "text/event-stream");
		const events = eventsOf(reply.text);
		assert.deepEqual(
			events.map(({ event }) => event),
			["start", "result", "done"],
		);
		for (const { data } of events) assertEnvelope({ ...reply, body: data });
		assert.deepEqual(at(events[0]?.data, "/result"), { repo: "repo" });
		assert.deepEqual(at(events[1]?.data, "/result"), at((await api.get("/status")).body, "/result"));
		assert.equal(at(events[2]?.data, "/ok"), true);
		assert.deepEqual(at(events[2]?.data, "/result"), {});
	},
);

verifies(
	[
		"001-7.2.5-sse-envelopes",
		"001-7.2.5-event-start",
		"001-7.2.5-event-progress",
		"001-7.2.5-event-result",
		"001-7.2.5-event-error",
		"001-7.2.5-event-done",
	],
	"the search stream is start, progress, result or error, done",
	async (t) => {
		const space = await workspaceOf(t);
		const bare = join(space.base, "bare");
		mkdirSync(bare);
		const api = await serveApi(t, space, { repositories: [space.root, bare] });
		const reply = await api.post("/search/stream", { query: "session" });
		const events = eventsOf(reply.text);
		assert.deepEqual(
			events.map(({ event }) => event),
			["start", "progress", "result", "done"],
		);
		for (const { data } of events) assertEnvelope({ ...reply, body: data });
		assert.deepEqual(at(events[0]?.data, "/result"), {});
		assert.deepEqual(at(events[1]?.data, "/result"), { phase: "search", message: "Running search." });
		assert.deepEqual(
			at(events[2]?.data, "/result"),
			at((await api.post("/search", { query: "session" })).body, "/result"),
		);
		assert.deepEqual(at(events[3]?.data, "/result"), {});
		const failed = eventsOf((await api.post("/search/stream", { query: "x", repoPath: bare })).text);
		assert.deepEqual(
			failed.map(({ event }) => event),
			["start", "progress", "error", "done"],
		);
		assert.equal(at(failed[2]?.data, "/ok"), false);
		assert.equal(at(failed[2]?.data, "/error/code"), "NO_INDEX");
		assert.equal(at(failed[3]?.data, "/ok"), true);
	},
);

verifies(
	"001-7.2.3-event-error",
	"a status that fails after its stream began is an error event, and done still comes",
	async (t) => {
		const space = await workspaceOf(t, slowFiles(20));
		// Only the first status takes longer than 1 ms, because it opens the index.
		const hurried = (): Promise<Served> => serveApi(t, space, { timeoutMs: 1 });
		const events = eventsOf((await (await hurried()).get("/status/stream")).text);
		assert.deepEqual(
			events.map(({ event }) => event),
			["start", "error", "done"],
		);
		assert.equal(at(events[1]?.data, "/ok"), false);
		assert.equal(at(events[1]?.data, "/error/code"), "TOOL_TIMEOUT");
		assert.equal((await (await hurried()).get("/status")).status, 504);
	},
);

verifies("000-6-code-unauthorized", "from other machines a token is needed, except for health", async (t) => {
	const space = await workspaceOf(t);
	await assert.rejects(serveApi(t, space, { host: "0.0.0.0" }), /token is needed/);
	const api = await serveApi(t, space, { token: "s3cret" });
	for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: "Basic s3cret" }]) {
		const reply = await api.get("/status", headers);
		assert.equal(reply.status, 401);
		assert.equal(at(reply.body, "/error/code"), "UNAUTHORIZED");
		assert.match(reply.headers.get("www-authenticate") ?? "", /^Bearer/);
	}
	assert.equal((await api.get("/status", { authorization: "Bearer s3cret" })).status, 200);
	assert.equal((await api.get("/health")).status, 200);
	assert.equal((await api.get("/metrics")).status, 401);
});

test("requests from other origins and with foreign host names (DNS rebinding) are refused", async (t) => {
	const space = await workspaceOf(t);
	const api = await serveApi(t, space, { origins: ["https://app.example"] });
	for (const origin of ["https://evil.example", "http://localhost:5173", "http://127.0.0.1"]) {
		const foreign = await api.get("/status", { origin });
		assert.equal(foreign.status, 403, origin);
		assert.equal(at(foreign.body, "/error/code"), "FORBIDDEN");
	}
	for (const origin of ["https://app.example", api.address]) {
		const allowed = await api.get("/status", { origin });
		assert.deepEqual([allowed.status, allowed.headers.get("access-control-allow-origin")], [200, origin]);
	}
	const rebound = await raw(api.address, "GET /status HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
	assert.match(rebound, /^HTTP\/1\.1 403 /);
	assert.match(rebound, /"FORBIDDEN"/);
});

test("HEAD is answered as GET is, without the body", async (t) => {
	const { address } = await serveApi(t, await workspaceOf(t));
	for (const [path, status] of [
		["/health", 200],
		["/status", 200],
		["/status/stream", 200],
		["/nothing", 404],
		["/search", 405],
	] as const) {
		const answer = await raw(address, `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
		assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} .*\r\n(?:.+\r\n)+\r\n$`), path);
	}
});

test("a body that arrives too late is 408, and too many requests are 429", async (t) => {
	const space = await workspaceOf(t);
	const slow = await serveApi(t, space, { bodyTimeoutMs: 100 });
	const head =
		"POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{";
	assert.match(
		await raw(slow.address, head),
		/^HTTP\/1\.1 408 [\s\S]*\r\nconnection: close\r\n[\s\S]*"INVALID_REQUEST"/,
	);
	const limited = await serveApi(t, space, { rateLimits: { perSecond: 1, burst: 2 } });
	// At once: a slow first answer would give the limit time to refill.
	const replies = await Promise.all(Array.from({ length: 3 }, () => limited.get("/status")));
	assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 429]);
	const refused = replies.find(({ status }) => status === 429);
	assert.equal(at(refused?.body, "/error/code"), "QUEUE_OVERLOADED");
	assert.ok(Number(refused?.headers.get("retry-after")) >= 1);
});

test("an unreadable request is refused with an envelope as well", async (t) => {
	const { address } = await serveApi(t, await workspaceOf(t));
	const post = "POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
	for (const [text, status] of [
		["GET /health HTTP/1.1\r\n\r\n", 400],
		["no request\r\n\r\n", 400],
		[`${post}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`, 400],
		[`${post}Expect: wonders\r\nContent-Length: 2\r\n\r\n{}`, 417],
		[`${post}X: ${"x".repeat(40_000)}\r\n\r\n`, 431],
	] as const) {
		const answer = await raw(address, text);
		assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} [^]*\r\nconnection: close\r\n`), text.slice(0, 99));
		const { ok, error, _meta } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
		assert.deepEqual([ok, error.code, typeof _meta.requestId], [false, "INVALID_REQUEST", "string"], text.slice(0, 99));
	}
});

test("calls beyond the queue limit are 503 until there is room again", async (t) => {
	const waiting = `export const search = (_args, call) => new Promise((_done, fail) => {
		console.error("work began");
		call.signal.addEventListener("abort", () => fail(call.signal.reason));
	});`;
	const space = await workspaceOf(t);
	const nodeArgs = replacing("/tools/searchTools.js", waiting);
	const api = await spawnApi(t, space, nodeArgs, { PAIROFCLEATS_QUEUE_MAX: "1" });
	const leaving = new AbortController();
	const ask = (signal: AbortSignal): Promise<Response> =>
		fetch(`${api.address}/search`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: '{"query":"session"}',
			signal,
		});
	const load = async (): Promise<string> => (await fetch(`${api.address}/metrics`)).text();
	const held = Array.from({ length: 16 }, () => ask(leaving.signal));
	await until(() => api.stderr().split("work began").length === 17, "every place to be taken");
	held.push(ask(leaving.signal));
	await until(async () => /calls_waiting 1\n/.test(await load()), "one to wait");
	const refused = await ask(AbortSignal.timeout(10_000));
	assert.equal(refused.status, 503);
	assert.equal(refused.headers.get("retry-after"), "1");
	const { error } = (await refused.json()) as { error: unknown };
	assert.equal(at(error, "/code"), "QUEUE_OVERLOADED");
	assert.deepEqual(at(error, "/details/queue"), { max: 1, size: 1 });
	assert.equal((await fetch(`${api.address}/status`)).status, 503, "status waits in the same queue");
	leaving.abort();
	for (const outcome of await Promise.allSettled(held)) assert.equal(outcome.status, "rejected");
	await until(async () => /calls_running 0\n/.test(await load()), "room again");
	assert.equal((await fetch(`${api.address}/status`)).status, 200);
});

test("a request that comes while the server shuts down is 503 and the connection is closed", async (t) => {
	const api = await serveApi(t, await workspaceOf(t));
	const socket = connect(Number(new URL(api.address).port), "127.0.0.1");
	await once(socket, "connect");
	let answer = "";
	socket.setEncoding("utf8").on("data", (chunk) => {
		answer += chunk;
	});
	// A connection in the middle of a request is not idle, so the server lets it finish the request.
	socket.write("GET /status HTTP/1.1\r\nHost: localhost\r\n");
	await until(async () => (await api.get("/health")).status === 200, "the request to have begun");
	const closed = api.close();
	socket.write("\r\n");
	await once(socket, "close");
	await closed;
	assert.match(answer, /^HTTP\/1\.1 503 /);
	assert.match(answer, /\r\nretry-after: 1\r\n/i);
	assert.match(answer, /\r\nconnection: close\r\n/i);
	assert.equal(at(JSON.parse(answer.slice(answer.indexOf("{"))), "/error/code"), "QUEUE_OVERLOADED");
});

test("an unchanged status is 304 for a matching ETag", async (t) => {
	const api = await serveApi(t, await workspaceOf(t));
	const first = await api.get("/status");
	const etag = first.headers.get("etag") ?? "";
	assert.match(etag, /^W\/".+"$/);
	const again = await api.get("/status", { "if-none-match": etag });
	assert.equal(again.status, 304);
	assert.equal(again.text, "");
	assert.equal((await api.get("/status", { "if-none-match": 'W/"other"' })).status, 200);
});

test("a client that disconnects cancels its search", async (t) => {
	const waiting = `export const search = (_args, call) => new Promise((_done, fail) => {
		console.error("work began");
		call.signal.addEventListener("abort", () => { console.error("work stopped"); fail(call.signal.reason); });
	});`;
	const api = await spawnApi(t, await workspaceOf(t), replacing("/tools/searchTools.js", waiting));
	for (const path of ["/search", "/search/stream"]) {
		const leaving = new AbortController();
		const request = { method: "POST", headers: { "content-type": "application/json" }, body: '{"query":"session"}' };
		const pending = fetch(api.address + path, { ...request, signal: leaving.signal }).then((response) =>
			response.text(),
		);
		const times = api.stderr().split("work stopped").length;
		await until(() => api.stderr().split("work began").length > times, "the work to begin");
		leaving.abort();
		await assert.rejects(pending);
		await until(() => api.stderr().split("work stopped").length > times, "the work to stop");
	}
	assert.equal((await fetch(`${api.address}/health`)).status, 200);
});

test("a status takes the repository under the name that its errors give it", async (t) => {
	const space = await workspaceOf(t);
	const api = await serveApi(t, space);
	const missing = await api.get(`/status?repo=${encodeURIComponent(join(space.root, "nope"))}`);
	const field = String(at(missing.body, "/error/details/field"));
	const named = (...names: readonly string[]): Promise<Reply> =>
		api.get(`/status?${names.map((name) => `${name}=${encodeURIComponent(space.root)}`).join("&")}`);
	assert.equal(at((await named(field)).body, "/result/repo"), space.root);
	assert.deepEqual(at((await named(field)).body, "/result"), at((await named("repo")).body, "/result"));
	assert.equal((await named("repo", field)).status, 400);
});

test("the OpenAPI document is valid and describes what is sent", async (t) => {
	const api = await serveApi(t, await workspaceOf(t));
	const reply = await api.get("/openapi.json");
	assert.equal(reply.headers.get("content-type"), "application/vnd.oai.openapi+json;version=3.1");
	const document = JSON.parse(reply.text);
	const verdict = await new Validator().validate(document);
	assert.ok(verdict.valid, JSON.stringify(verdict.errors));
	assert.deepEqual(document.servers, [{ url: "/" }], "the server it was read from");
	const ajv = new Ajv2020({ strict: false });
	const schema = (path: string, method: string): object =>
		document.paths[path][method].responses[200].content["application/json"].schema;
	assert.ok(
		ajv.validate(schema("/search", "post"), (await api.post("/search", { query: "session" })).body),
		ajv.errorsText(),
	);
	assert.ok(ajv.validate(schema("/status", "get"), (await api.get("/status")).body), ajv.errorsText());
	const metrics = await api.get("/metrics");
	assert.match(metrics.text, /pairofcleats_http_requests_total\{route="\/search",status="200"\} 1/);
	for (const line of metrics.text.trim().split("\n"))
		assert.match(line, /^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]+\})? [\d.]+)$/);
});

test("an event-source library reads the streams", async (t) => {
	const api = await serveApi(t, await workspaceOf(t), { keepAliveMs: 5 });
	const seen: string[] = [];
	const source = new EventSource(`${api.address}/search/stream`, {
		fetch: (input, init) =>
			fetch(input, {
				...init,
				method: "POST",
				headers: { ...init.headers, "content-type": "application/json" },
				body: '{"query":"session"}',
			}),
	});
	t.after(() => source.close());
	for (const name of ["start", "progress", "result", "done"]) source.addEventListener(name, () => seen.push(name));
	const done = new Promise((resolve) => source.addEventListener("done", resolve));
	await done;
	source.close();
	assert.deepEqual(seen, ["start", "progress", "result", "done"]);
});

test("the request id of the caller is in envelope, header and log", async (t) => {
	const api = await serveApi(t, await workspaceOf(t));
	const reply = await api.post("/search", { query: "session" }, { "x-request-id": "mine-1" });
	assert.equal(at(reply.body, "/_meta/requestId"), "mine-1");
	assert.equal(reply.headers.get("x-request-id"), "mine-1");
	assert.ok(api.log.some((line) => line.includes('"mine-1"')));
});

async function raw(address: string, text: string): Promise<string> {
	const socket = connect(Number(new URL(address).port), "127.0.0.1");
	await once(socket, "connect");
	socket.write(text);
	let answer = "";
	socket.setEncoding("utf8");
	socket.on("data", (chunk) => {
		answer += chunk;
	});
	await once(socket, "close");
	return answer;
}
