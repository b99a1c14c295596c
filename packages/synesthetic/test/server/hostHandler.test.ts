import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { describe, test } from "node:test";
import { parseRequestId, scanEnvelope } from "libmcp/serve";
import { writePlainFrame } from "../../src/server/frontEnd/plainFrame.ts";
import type { Answer } from "../../src/server/frontEnd/turns.ts";
import { HostHandler } from "../../src/server/host/hostHandler.ts";
import { readSettings, toEnvironment } from "../../src/settings.ts";
import { folder } from "../folder.ts";
import { sampleFolder } from "./sample.ts";
import { StdioClient } from "./stdioClient.ts";
import { onLinux, workerOf } from "./worker.ts";

const WORKER = resolve(import.meta.dirname, "../../dist/server/serve/workerMain.js");

// At once, since each mostly waits for a limit to pass.
void describe("what takes for ever", { concurrency: 3 }, () => {
	test("a request that takes for ever is given up with its worker, and the next one is answered", async (t) => {
		const worker = { command: process.execPath, args: ["-e", SLOW_WORKER], env: {} };
		const handler = new HostHandler({ ...worker, write: () => {}, deadlineMs: 4_000 });
		t.after(() => handler.close());
		await handler.ready();
		const ask = async (asset: unknown, ms = 0) => {
			const id = parseRequestId("1");
			assert.ok(id);
			const { plain, frame } = writePlainFrame(id, "validate_asset", JSON.stringify({ asset, ms }));
			const answer = await new Promise<Answer>((reply) => handler.answerPlain(plain, frame, reply));
			return JSON.parse(String(answer));
		};
		const first = (await ask("aaa")).result.pid;
		// The second is one that the host's reader does not go through to its depth.
		for (const asset of ["endless", JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`)]) {
			const { error } = await ask(asset, 1e9);
			assert.equal(error.data.fault.class, "timeout");
		}
		assert.notEqual((await ask("aaa")).result.pid, first);
	});

	test("a request that takes for ever costs those behind it their time, and not their answers", async (t) => {
		const root = folder(t, { "s/slow.schema.json": { pattern: "^(a+)+$" } });
		const env = toEnvironment(readSettings({ SYN_SCHEMAS_DIR: resolve(root, "s") }, root));
		const worker = { command: process.execPath, args: [WORKER], env };
		const handler = new HostHandler({ ...worker, write: () => {}, deadlineMs: 3_000 });
		t.after(() => handler.close());
		await handler.ready();
		const endless = `${"a".repeat(60)}!`;
		const answers = [endless, "b", "aaa"].map((asset, index) => {
			const id = parseRequestId(String(index));
			assert.ok(id);
			const { plain, frame } = writePlainFrame(id, "validate_asset", JSON.stringify({ asset, schema: "slow" }));
			return new Promise<Answer>((reply) => handler.answerPlain(plain, frame, reply));
		});
		const seen = (await Promise.all(answers)).map((answer) => JSON.parse(String(answer)));
		assert.deepEqual(
			seen.map(({ error, result }) => error?.data.fault.class ?? result.ok),
			["timeout", false, true],
		);
	});

	test("a validation that takes for ever and is cancelled holds up neither the next call nor what must not be repeated", async (t) => {
		const posted: string[] = [];
		const backend = createServer((request, response) => {
			posted.push(request.url ?? "");
			response.end('{"id":"a"}');
		});
		await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
		t.after(() => backend.close());
		const cwd = folder(t, { "s/slow.schema.json": { properties: { text: { pattern: "^(a+)+$" } } } });
		const { port } = backend.address() as AddressInfo;
		const env = { SYN_SCHEMAS_DIR: "s", SYN_BACKEND_URL: `http://127.0.0.1:${port}` };
		const client = await new StdioClient(t, { cwd, env }).ready();
		const clientInfo = { name: "test", version: "1" };
		const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
		await client.ask({ jsonrpc: "2.0", id: 0, method: "initialize", params });
		const endless = { asset: { text: `${"a".repeat(60)}!` }, schema: "slow" };
		const call = (id: number, name: string, args: unknown) =>
			client.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
		for (const round of [10, 20]) {
			call(round, "validate_asset", endless);
			client.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: round } });
			call(round + 1, "populate_backend", { asset: {}, validate_first: false });
			call(round + 2, "validate_asset", { asset: { text: "aa" }, schema: "slow" });
			for (const id of [round + 1, round + 2]) {
				const answer = JSON.parse(await client.line());
				assert.equal(answer.id, id);
				assert.equal(answer.result?.structuredContent.ok, true, JSON.stringify(answer));
			}
		}
		assert.equal(posted.length, 2);
	});

	test("what is cancelled before its turn costs the request under way nothing, and holds up nobody if it takes for ever", async (t) => {
		const worker = { command: process.execPath, args: ["-e", SLOW_WORKER], env: {} };
		const handler = new HostHandler({ ...worker, write: () => {} });
		t.after(() => handler.close());
		const ask = async (name: string, method: string, ms = 0) => {
			const id = parseRequestId(name);
			assert.ok(id);
			const { plain, frame } = writePlainFrame(id, method, JSON.stringify({ ms }));
			const answer = await new Promise<Answer>((reply) => handler.answerPlain(plain, frame, reply));
			return answer === undefined ? undefined : JSON.parse(String(answer)).result.pid;
		};
		const first = await ask("1", "list_schemas");
		const underWay = ask("2", "validate_asset", 2_500);
		const cancelled = ask("3", "validate_asset", 1e9);
		const params = { requestId: 3 };
		const notice = Buffer.from(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
		const envelope = scanEnvelope(notice);
		assert.ok(envelope.kind === "notification");
		handler.notice(envelope, notice);
		const next = ask("4", "get_schema");
		assert.equal(await underWay, first);
		assert.equal(await cancelled, undefined);
		assert.notEqual(await next, first);
	});
});

/** Answers in order, each request after the time that it asks for. */
const SLOW_WORKER = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, params } = JSON.parse(line);
	if (id === undefined) return;
	if (params?.ms) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, params.ms);
	console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { pid: process.pid } }));
}).on("close", () => process.exit());`;

test("an operational tool that is asked for right behind the handshake waits for it", async (t) => {
	const client = await new StdioClient(t, { cwd: sampleFolder(t) }).ready();
	const clientInfo = { name: "test", version: "1" };
	const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
	const frames = [
		{ jsonrpc: "2.0", id: 1, method: "initialize", params },
		{ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "holdfast_health", arguments: {} } },
	];
	client.send(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(""));
	assert.equal(JSON.parse(await client.line()).id, 1);
	assert.ok(JSON.parse(await client.line()).result);
});

test("a difference is found without the worker, unless it takes a parser or is large; the order stays", {
	skip: onLinux,
}, async (t) => {
	const client = await new StdioClient(t, { cwd: sampleFolder(t) }).ready();
	const worker = await workerOf(client);
	process.kill(worker, "SIGSTOP");
	assert.deepEqual(await client.call("diff_assets", { base: { a: 1 }, new: { a: [2] } }), {
		ok: true,
		patch: [{ op: "replace", path: "/a", value: [2] }],
	});
	const name = "n".repeat(60_000);
	const members = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`m${i}`, i]));
	const asked = [
		'{"base":[1e0],"new":[10e-1]}',
		JSON.stringify({ base: 1, new: "x".repeat(300_000) }),
		JSON.stringify({ base: { [name]: {} }, new: { [name]: members } }),
		'{"base":1,"new":2}',
	];
	for (const [id, params] of asked.entries())
		client.send(`{"jsonrpc":"2.0","id":${id},"method":"diff_assets","params":${params}}\n`);
	client.send('{"jsonrpc":"2.0","id":"here","method":"ping"}\n');
	assert.equal(JSON.parse(await client.line()).id, "here");
	process.kill(worker, "SIGCONT");
	const sizes: number[] = [];
	for (const id of asked.keys()) {
		const answer = JSON.parse(await client.line());
		assert.equal(answer.id, id);
		sizes.push(answer.result.patch.length);
	}
	assert.deepEqual(sizes, [0, 1, 20, 1]);
});
