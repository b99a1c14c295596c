import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { noCertificates, selfSigned } from "../../../../e2e/selfSigned.ts";
import { until } from "../../../../e2e/until.ts";
import type { Fault } from "../../src/fault/fault.ts";
import { createFront } from "../../src/http/front/front.ts";
import { LOOPBACK_NAMES } from "../../src/http/front/guards.ts";
import { listen } from "../../src/http/front/listen.ts";
import { SseEndpoint } from "../../src/http/sseEndpoint.ts";
import type { Dispatcher } from "../../src/server/protocol/dispatcher.ts";
import {
	type Answered,
	CLAIM,
	call,
	errorOf,
	INITIALIZE,
	modernHeaders,
	openSession,
	post,
	request,
	serve,
} from "./serving.ts";

const folder = mkdtempSync(join(tmpdir(), "libmcp-http-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("shutting down refuses what is new, lets a call in flight answer, and closes every connection", async () => {
	const { url, endpoint, listener, seen } = await serve();
	const session = await openSession(url);
	const held = post(url, call(2, "hold"), session);
	const fresh = post(url, call(3, "echo"), session);
	await fresh;
	await until(() => endpoint.inFlight === 1);
	const closed = listener.close([endpoint], 5_000);
	const refused = await post(url, call(4, "echo"), session).catch(() => undefined);
	assert.ok(refused === undefined || (refused.status === 503 && errorOf(refused).data.code === "SHUTTING_DOWN"));
	seen.release();
	assert.match((await held).body, /held/);
	await closed;
	await assert.rejects(post(url, call(5, "echo"), session));
});

test("a call that outlasts the drain is aborted and answered under its id, plain or on a stream, in either era", async () => {
	const { url, endpoint, listener, seen } = await serve();
	const session = await openSession(url);
	const modern = modernHeaders("tools/call", "hold");
	const held = [
		post(url, call(2, "hold"), session),
		post(url, call(3, "hold", "streaming"), session),
		post(url, call(4, "hold", "", { _meta: CLAIM }), modern),
	];
	await until(() => endpoint.inFlight === 3);
	await listener.close([endpoint], 50);
	assert.equal(seen.aborted, 3);
	const answers = await Promise.all(held);
	assert.deepEqual(
		answers.map(({ status, json }) => [status, json.id]),
		[2, 3, 4].map((id) => [200, id]),
	);
	for (const answered of answers) assert.equal(faultIn(answered).class, "ambiguous_outcome");
});

test("a request that outlasts the drain and changes nothing is answered that it may be repeated", async () => {
	const description = (): Promise<never> => new Promise(() => {});
	const { url, endpoint, listener } = await serve({ endpoint: { description } });
	const held = [
		post(url, request(1, "initialize", INITIALIZE)),
		post(url, request(2, "tools/list", { _meta: CLAIM }), modernHeaders("tools/list")),
	];
	await until(() => endpoint.inFlight === 2);
	await listener.close([endpoint], 0);
	for (const answered of await Promise.all(held)) assert.equal(faultIn(answered).code, "host_closing");
});

test("a call without a session that outlasts the drain is aborted and answered", async () => {
	const { url, endpoint, listener, seen } = await serve({ endpoint: { stateless: true } });
	const held = post(url, call(2, "hold"));
	await until(() => endpoint.inFlight === 1);
	await listener.close([endpoint], 0);
	assert.equal(seen.aborted, 1);
	assert.equal(faultIn(await held).class, "ambiguous_outcome");
});

test("a call in flight when its client ends the session is answered", async () => {
	const { url, endpoint, seen } = await serve();
	const session = await openSession(url);
	const held = post(url, call(2, "hold"), session);
	await until(() => endpoint.inFlight === 1);
	await fetch(url, { method: "DELETE", headers: session });
	assert.equal(faultIn(await held).class, "ambiguous_outcome");
	assert.equal(seen.aborted, 1);
});

test("a call on the stream of an old client that outlasts the drain is answered there", async () => {
	const dispatcher: Dispatcher = () => new Promise(() => {});
	const endpoint = new SseEndpoint({
		dispatcher,
		description: { info: { name: "served", version: "1.0.0" }, capabilities: { tools: {} } },
		messagesPath: "/messages",
	});
	const front = createFront({ endpoint: () => endpoint, origins: { hosts: LOOPBACK_NAMES, origins: [] } });
	const listener = await listen(front);
	const stream = await fetch(`${listener.address}/sse`, { headers: { accept: "text/event-stream" } });
	const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
	const opened = (await reader?.read())?.value ?? "";
	const messages = `${listener.address}${/^data: (.*)$/m.exec(opened)?.[1]}`;
	await post(messages, request(1, "initialize", INITIALIZE));
	await post(messages, call(2, "hold"));
	await listener.close([endpoint], 0);
	let told = "";
	for (let more = await reader?.read(); more?.value !== undefined; more = await reader?.read()) told += more.value;
	assert.match(told, /"id":2,"error":.*"ambiguous_outcome"/);
});

function faultIn(answered: Answered): Fault {
	return (answered.json.error as { data: { fault: Fault } }).data.fault;
}

function subjectOf(address: string): Promise<string> {
	return new Promise((resolve, reject) => {
		const sent = httpsRequest(`${address}/nothing`, { rejectUnauthorized: false, agent: false }, (response) => {
			resolve(String((response.socket as TLSSocket).getPeerCertificate().subject?.CN));
			response.resume();
		});
		sent.on("error", reject);
		sent.end();
	});
}

test("TLS is spoken directly, a changed certificate is taken up, and a broken one is not", {
	skip: noCertificates,
}, async () => {
	const [first, second] = [selfSigned(folder, "first"), selfSigned(folder, "second")];
	const used = { cert: join(folder, "used.pem"), key: join(folder, "used.key") };
	copyFileSync(first.cert, used.cert);
	copyFileSync(first.key, used.key);
	const problems: string[] = [];
	const { listener } = await serve({ listen: { tls: used, onTlsProblem: (problem) => void problems.push(problem) } });
	assert.match(listener.address, /^https:/);
	assert.equal(await subjectOf(listener.address), "first");
	writeFileSync(used.cert, "not a certificate");
	await until(() => problems.length > 0);
	assert.equal(await subjectOf(listener.address), "first");
	copyFileSync(second.key, used.key);
	copyFileSync(second.cert, used.cert);
	const deadline = performance.now() + 15_000;
	while ((await subjectOf(listener.address)) !== "second")
		assert.ok(performance.now() < deadline, "the new certificate was not used");
});

test("a listener that cannot listen leaves no watch on its certificate behind", { skip: noCertificates }, async () => {
	const { listener } = await serve();
	const tls = selfSigned(folder, "unused");
	const problems: string[] = [];
	const onTlsProblem = (problem: string): void => void problems.push(problem);
	await assert.rejects(serve({ listen: { port: listener.port, tls, onTlsProblem } }), { code: "EADDRINUSE" });
	writeFileSync(tls.cert, "not a certificate");
	await delay(2_500);
	assert.deepEqual(problems, []);
});

const ME = { name: "witness", version: "1.0.0" };

test("the first SDK line's HTTP client lists, calls and gets notifications", async () => {
	const { url, endpoint } = await serve();
	const client = new FirstClient(ME);
	await client.connect(new FirstHttp(new URL(url)));
	assert.equal((await client.listTools()).tools.length, 1);
	const result = await client.callTool({ name: "echo", arguments: { text: "hello" } });
	assert.deepEqual(result.content, [{ type: "text", text: "hello" }]);
	assert.equal(endpoint.sessions, 1);
	await client.close();
});

for (const [label, mode] of [
	["with a handshake", "legacy"],
	["by probing", "auto"],
	["pinned to 2026-07-28", { pin: "2026-07-28" }],
] as const) {
	test(`the second SDK line's HTTP client works ${label}`, async () => {
		const { url } = await serve();
		const client = new ModernClient(ME, { versionNegotiation: { mode } });
		await client.connect(new ModernHttp(new URL(url)));
		assert.equal((await client.listTools()).tools.length, 1);
		const result = await client.callTool({ name: "echo", arguments: { text: "hello" } });
		assert.deepEqual(result.content, [{ type: "text", text: "hello" }]);
		await client.close();
	});
}
