// What keeps strangers, their pages and their mistakes away from the API and the console's page.
import assert from "node:assert/strict";
import { request } from "node:http";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { HttpRefusal } from "libmcp/http";
import { until } from "../../../../e2e/until.ts";
import { answerRefusal } from "../../src/api/apiError.ts";
import { type StartedProduct, startedProduct } from "../console/startedProduct.ts";

let started: StartedProduct;
before(async () => {
	started = await startedProduct();
	const { catalog } = started.product.gateway;
	await until(() => catalog.get("hostile:slow") !== undefined, "its tools are there");
});
after(() => started.close());

test("a name that somebody pointed at this machine opens nothing, the page included", async () => {
	for (const [method, path] of [
		["GET", "/"],
		["GET", "/console.js"],
		["GET", "/api/servers"],
		["GET", "/api/events"],
		["GET", "/metrics"],
		["POST", "/api/servers/hostile/restart"],
		["POST", "/mcp"],
	] as const) {
		assert.equal(await statusFor(method, path, { host: "evil.example" }), 403, `${method} ${path}`);
		assert.equal(await statusFor(method, path, { host: "127.0.0.1.evil.example:80" }), 403, `${method} ${path}`);
		if (path.startsWith("/api/"))
			for (const origin of [
				"null",
				"https://evil.example",
				"http://localhost.evil.example",
				"http://127.0.0.1@evil.example",
			])
				assert.equal(await statusFor(method, path, { origin }), 403, `${method} ${path} from ${origin}`);
	}
	assert.equal(await statusFor("GET", "/api/servers", {}), 200);
});

test("a page at another port of this machine has no say in the API, though it may call MCP", async () => {
	const { port } = new URL(started.address);
	const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "content-type" };
	for (const origin of ["http://localhost:1", "http://127.0.0.1:1", "https://localhost", "http://[::1]:1"]) {
		for (const [method, path] of [
			["GET", "/api/servers"],
			["GET", "/api/approvals"],
			["GET", "/api/openapi.json"],
			["POST", "/api/approvals"],
			["POST", "/api/servers/hostile/restart"],
		] as const)
			assert.equal(await statusFor(method, path, { origin }), 403, `${method} ${path} from ${origin}`);
		const asked = { method: "OPTIONS", headers: { origin, ...preflight } };
		const refused = await fetch(`${started.address}/api/approvals`, asked);
		assert.equal(refused.status, 403);
		assert.equal(refused.headers.get("access-control-allow-origin"), null);
		const allowed = await fetch(`${started.address}/mcp`, asked);
		assert.equal(allowed.status, 204);
		assert.equal(allowed.headers.get("access-control-allow-origin"), origin);
	}
	for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:9`])
		assert.equal(await statusFor("GET", "/api/servers", { host, origin: `http://${host.toLowerCase()}` }), 200, host);
});

test("a page whose address the configuration names may use the API, on this machine too", async (t) => {
	const auth = { allowed_origins: ["http://localhost:5173"], allowed_hosts: ["tools.example"] };
	const named = await startedProduct({ sections: { auth } });
	t.after(() => named.close());
	const answer = (origin: string) => fetch(`${named.address}/api/servers`, { headers: { origin } });
	for (const origin of ["http://localhost:5173", "https://tools.example"]) {
		const { status, headers } = await answer(origin);
		assert.deepEqual([status, headers.get("access-control-allow-origin")], [200, origin]);
	}
	assert.equal((await answer("http://localhost:5174")).status, 403);
});

test("a path that is asked in the wrong way says every way that is right", async () => {
	const asked = async (method: string, path: string): Promise<unknown> =>
		(await fetch(`${started.address}${path}`, { method, signal: AbortSignal.timeout(10_000) })).json();
	const told = (message: string) => ({ error: { code: "method_not_allowed", message } });
	assert.deepEqual(await asked("PUT", "/api/approvals"), told("method: expected GET or POST, got PUT"));
	for (const path of ["/api/servers", "/api/events", "/api/openapi.json"])
		assert.deepEqual(await asked("POST", path), told("method: expected GET, got POST"), path);
});

test("a refusal that waiting would mend, and a failure of ours, are not called a mistake of the caller", async (t) => {
	const limited = await startedProduct({ sections: { auth: { rate_limit: { per_second: 1, burst: 1 } } } });
	t.after(() => limited.close());
	const ask = () => fetch(`${limited.address}/api/approvals`);
	await ask();
	const refused = await ask();
	assert.equal(refused.status, 429);
	assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
	assert.deepEqual(await refused.json(), { error: { code: "unavailable", message: "at most 1 request a second" } });
	const codes = (["INTERNAL", "SHUTTING_DOWN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "BODY_TOO_LARGE"] as const).map(
		(code) => answerRefusal(new HttpRefusal(code, "")).body.error.code,
	);
	assert.deepEqual(codes, ["internal", "unavailable", "not_found", "method_not_allowed", "invalid_request"]);
});

test("the page may run, load and send nothing but its own, and is in nobody's frame", async () => {
	for (const path of ["/", "/console.js", "/console.css", "/icon.svg"]) {
		const { headers } = await fetch(`${started.address}${path}`);
		assert.equal(
			headers.get("content-security-policy"),
			"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
		);
		assert.equal(headers.get("x-content-type-options"), "nosniff");
		assert.equal(headers.get("referrer-policy"), "no-referrer");
		assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
		const tag = headers.get("etag") ?? "";
		const again = await fetch(`${started.address}${path}`, { headers: { "if-none-match": tag } });
		assert.equal(again.status, 304);
		assert.equal((await fetch(`${started.address}${path}`, { method: "POST" })).ok, false);
	}
});

test("answers of the API are kept by nobody and taken for nothing but JSON", async () => {
	for (const path of ["/api/servers", "/api/nothing", "/api"]) {
		const { headers } = await fetch(`${started.address}${path}`);
		assert.match(headers.get("content-type") ?? "", /^application\/json/);
		assert.equal(headers.get("cache-control"), "no-store");
		assert.equal(headers.get("x-content-type-options"), "nosniff");
	}
	const beside = await fetch(`${started.address}/apiary`);
	assert.doesNotMatch(await beside.text(), /the API has nothing/);
});

test("a body that is no object, or too large, is refused before it reaches anything", async () => {
	const send = (body: string) =>
		fetch(`${started.address}/api/chain`, { method: "POST", headers: { "content-type": "application/json" }, body });
	for (const body of ["[]", "null", '"text"', "5"]) {
		const answer = await send(body);
		assert.equal(answer.status, 400);
		assert.deepEqual(await answer.json(), { error: { code: "invalid_request", message: "body: expected an object" } });
	}
	assert.equal((await send(`{"steps": "${"x".repeat(4_100_000)}"}`)).status, 413);
});

test("a body that cannot be read says why, and is never run with other characters than were sent", async () => {
	const { recorder } = started.product;
	const before = recorder.calls.latest.length;
	const nested = (levels: number, inner: string) =>
		Buffer.from(`{"args":${'{"a":'.repeat(levels)}${inner}${"}".repeat(levels)}}`);
	const shallow = "at most 256 levels of nesting; send such data as text";
	for (const [body, expected] of [
		[Buffer.from('{"args":{"name":"\xff\xfe"}}', "latin1"), "JSON, got bytes that are not UTF-8"],
		[Buffer.from('\ufeff{"args":{}}', "utf16le"), "JSON, got bytes that are not UTF-8"],
		[Buffer.from('\ufeff{"args":{}}'), "JSON, got a text that begins with a byte order mark"],
		[Buffer.alloc(0), "JSON, got nothing"],
		[Buffer.from(" \n"), "JSON, got nothing"],
		[nested(256, "1"), shallow],
		[nested(50_000, "1"), shallow],
		[nested(50_000, "12345678901234567890"), shallow],
		[Buffer.from('{"args":{"name":1,"name":2}}'), 'each member once, but a member appears twice in one object: "name"'],
	] as const) {
		const answer = await fetch(`${started.address}/api/tools/hostile%3Agreet/run`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body,
		});
		assert.equal(answer.status, 400, expected);
		const message = `body: expected ${expected}`;
		assert.deepEqual(await answer.json(), { error: { code: "invalid_request", message } });
	}
	assert.equal(recorder.calls.latest.length, before);
});

test("a query that is not percent-encoded UTF-8 is refused, not read as other characters", async () => {
	for (const text of ["%ff%fe", "100%", "caf%e9"]) {
		const answer = await fetch(`${started.address}/api/tools?q=${text}&limit=5`);
		const message = `query/q: expected percent-encoded UTF-8, got ${JSON.stringify(text)}`;
		assert.deepEqual(await answer.json(), { error: { code: "invalid_request", message } });
		assert.equal(answer.status, 400, text);
	}
	const plain = await fetch(`${started.address}/api/tools?q=a+caf%C3%A9%2B=&limit=5`);
	assert.equal(plain.status, 200);
});

test("a defect of ours keeps its text to itself", async (t) => {
	t.mock.method(started.product.gateway.catalog, "resolve", () => {
		throw new Error("/home/ada/secret.ts");
	});
	const answer = await fetch(`${started.address}/api/tools/hostile%3Agreet/run`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: '{"args":{}}',
	});
	assert.equal(answer.status, 500);
	assert.deepEqual(await answer.json(), {
		error: { code: "internal", message: "the server failed while answering; its log has the cause" },
	});
});

test("a call ends when whoever asked for it goes away", async () => {
	const { recorder } = started.product;
	const stop = new AbortController();
	const asked = fetch(`${started.address}/api/tools/hostile%3Aslow/run`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: '{"args":{"ms":60000}}',
		signal: stop.signal,
	}).catch(() => {});
	await until(() => recorder.calls.running("hostile:slow") !== undefined, "it runs");
	stop.abort();
	await asked;
	await until(() => recorder.calls.running("hostile:slow") === undefined, "it ended");
});

test("whoever leaves the stream of events, or reads it too slowly, is forgotten", async () => {
	const { recorder } = started.product;
	const listening = () => ["entry", "call", "servers", "tools"].map((event) => recorder.listenerCount(event));
	const before = listening();
	const stop = new AbortController();
	await fetch(`${started.address}/api/events`, { signal: stop.signal });
	assert.deepEqual(
		listening(),
		before.map((count) => count + 1),
	);
	stop.abort();
	await until(() => listening().join() === before.join(), "nobody listens");

	const { hostname, port, host } = new URL(started.address);
	const socket = connect(Number(port), hostname, () =>
		socket.write(`GET /api/events HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
	);
	socket.on("error", () => {});
	await until(() => listening().join() !== before.join(), "it listens");
	const summary = "x".repeat(1_000_000);
	for (let count = 0; count < 40; count++)
		recorder.tell({ kind: "fault", server: "hostile", level: "bad", summary, record: {} });
	await until(() => listening().join() === before.join(), "it was cut off");
	socket.destroy();
});

/** What a request answers whose headers say what no client of this program would. */
function statusFor(method: string, path: string, headers: Record<string, string>): Promise<number | undefined> {
	return new Promise((resolve, reject) => {
		const json = method === "POST" ? { "content-type": "application/json" } : {};
		const asked = request(`${started.address}${path}`, { method, headers: { ...json, ...headers } }, (response) => {
			response.destroy();
			resolve(response.statusCode);
		});
		asked.on("error", reject);
		asked.end(method === "POST" ? "{}" : undefined);
	});
}
