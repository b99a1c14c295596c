import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { encodeFrame } from "libmcp";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { ERROR_TABLE } from "../../src/index.ts";
import { at, BLOCK, listAt, serve } from "../server/serving.ts";
import { hangingWorkspace, isAlive, slowFiles, workspaceOf } from "../tools/workspace.ts";
import { errorOf, LegacyClient, payloadOf } from "./legacyClient.ts";

const CLIENT = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };

verifies(
	["001-6.3-legacy-opt-in", "000-1-both-transports", "000-2.1-schema-version-integer", "000-2.1-tooling-version"],
	"one variable selects Content-Length framing; both transports list the same tools and input schemas",
	async (t) => {
		const space = await workspaceOf(t);
		const legacy = new LegacyClient(t, space);
		const first = await legacy.request("initialize", CLIENT);
		assert.equal(at(first.result, `${BLOCK}/transport`), "legacy");
		assert.equal(at(first.result, `${BLOCK}/schemaVersion`), "2.0.1");
		const { client } = await serve(t, space);
		const mine = listAt((await legacy.request("tools/list")).result, "/tools");
		const theirs = listAt((await client.request("tools/list")).result, "/tools");
		const core = (tool: unknown): unknown[] => ["/name", "/description", "/inputSchema"].map((path) => at(tool, path));
		assert.deepEqual(mine.map(core), theirs.map(core));
		for (const tool of mine) {
			assert.equal(at(tool, "/schemaVersion"), 2);
			assert.equal(typeof at(tool, "/toolingVersion"), "string");
		}
	},
);

verifies(
	"001-6.3-no-automatic-fallback",
	"a Content-Length client gets no legacy answer unless it was asked for",
	async (t) => {
		const { client, lines, child } = await serve(t, await workspaceOf(t), { raw: true });
		child.stdin?.write(encodeFrame({ jsonrpc: "2.0", id: 1, method: "initialize", params: CLIENT }, "content-length"));
		child.stdin?.write("\n");
		await until(() => client.anonymousErrors.length > 0, "the refusal of a header line");
		await delay(200);
		assert.ok(!lines.some((line) => /^content-length/i.test(line)), lines.join("\n"));
		for (const line of lines) assert.doesNotThrow(() => JSON.parse(line));
		assert.equal(child.exitCode, null);
	},
);

verifies(
	["000-5.1-success-result", "000-3.2-tool-show-file", "000-3.2-tool-workspace-status"],
	"a success is a JSON object in the text of one item and is not flagged",
	async (t) => {
		const legacy = new LegacyClient(t, await workspaceOf(t));
		const shown = await legacy.call("show_file", { path: "src/token.py", startLine: 1, endLine: 1 });
		assert.notEqual(at(shown.result, "/isError"), true);
		assert.equal(at(shown.result, "/content/0/type"), "text");
		assert.equal(at(payloadOf(shown), "/result/file/text"), "def parse_token(text):");
		const workspace = payloadOf(await legacy.call("workspace_status"));
		assert.equal(at(workspace, "/result/repositories/0/index/indexed"), true);
	},
);

verifies(
	[
		"000-5.2-error-flag-and-text",
		"000-5.2-error-required-fields",
		"000-5.2-error-optional-fields",
		"000-4.1-unknown-argument-legacy",
		"000-6-code-invalid-request",
		"000-6-code-no-index",
	],
	"a tool error is flagged and its text an object with message, a code of the table and maybe more",
	async (t) => {
		const space = await workspaceOf(t, { "a.ts": "export const a = 1;\n" }, { indexed: false });
		const legacy = new LegacyClient(t, space);
		for (const [name, args, code] of [
			["search", { query: "x" }, "NO_INDEX"],
			["search", { query: "x", colour: "red" }, "INVALID_REQUEST"],
			["search", {}, "INVALID_REQUEST"],
			["no_such_tool", {}, "INVALID_REQUEST"],
			["search", { query: "x", repoPath: "/" }, "FORBIDDEN"],
			["build_index", { mode: "all" }, "INVALID_REQUEST"],
		] as const) {
			const error = errorOf(await legacy.call(name, args));
			assert.equal(error.code, code);
			assert.ok(error.code in ERROR_TABLE);
			assert.ok(error.message.length > 0);
			assert.equal(typeof error.hint, "string");
			for (const key of Object.keys(error))
				assert.ok(["message", "code", "stderr", "stdout", "timeoutMs", "hint"].includes(key), key);
		}
		assert.match(errorOf(await legacy.call("search", { query: "x" })).hint ?? "", /index build/);
		const crash = join(space.root, "..", "crash.cjs");
		writeFileSync(crash, 'if (/buildProcess/.test(process.argv[1])) { console.error(" boom "); process.exit(7); }');
		const crashing = new LegacyClient(t, space, { NODE_OPTIONS: `--require ${crash}` });
		const crashed = errorOf(await crashing.call("build_index"));
		assert.deepEqual([crashed.code, crashed.stderr], ["INTERNAL", "boom"]);
		assert.equal("stdout" in crashed, false);
		assert.match(errorOf(await legacy.call("search", { query: "x", colour: "red" })).message, /colour/);
	},
);

verifies(
	[
		"000-7.1-cancel-stops-work",
		"000-7.1-cancel-one-answer",
		"000-7.1-cancel-answer-shape",
		"000-7.3-no-progress-after-cancel",
		"000-6-code-cancelled",
		"000-10-test-cancellation",
		"001-6.9-legacy-cancel-request",
	],
	"a cancelled build is answered once with CANCELLED, tells no more, and its process ends",
	async (t) => {
		const legacy = new LegacyClient(t, await workspaceOf(t, slowFiles(), { indexed: false }));
		legacy.send({ id: "b", method: "tools/call", params: { name: "build_index", arguments: {} } });
		await until(() => legacy.progressOf("b").length > 0, "progress");
		legacy.send({ method: "$/cancelRequest", params: { id: "b" } });
		legacy.send({ id: "after", method: "ping" });
		legacy.send({ method: "$/cancelRequest", params: { id: "b" } });
		const answer = await legacy.answerTo("b");
		assert.equal(errorOf(answer).code, "CANCELLED");
		await until(() => legacy.living().length === 1, "the build process to end");
		await delay(600);
		assert.equal(legacy.answersTo("b").length, 1);
		// Requests are read in order, so the ping's answer shows that the cancel was received.
		const received = legacy.messages.findIndex(({ id }) => id === "after");
		const later = legacy.messages.slice(received).filter(({ method }) => method === "notifications/progress");
		assert.ok(received > 0);
		assert.deepEqual(later, []);
		for (let round = 0; round < 30; round++) {
			const id = `race${round}`;
			legacy.send({ id, method: "tools/call", params: { name: "index_status", arguments: {} } });
			legacy.send({ method: "$/cancelRequest", params: { id } });
			await legacy.answerTo(id);
		}
		await legacy.request("ping");
		for (let round = 0; round < 30; round++) assert.equal(legacy.answersTo(`race${round}`).length, 1);
	},
	{ timeout: 240_000 },
);

// At once, since each mostly waits for its server.
void describe("builds that hang", { concurrency: 3 }, () => {
	test("the cancelling notification of MCP ends a call too, with one answer", async (t) => {
		const space = await hangingWorkspace(t);
		const legacy = new LegacyClient(t, space, space.env);
		legacy.send({ id: 1, method: "tools/call", params: { name: "build_index", arguments: {} } });
		await until(() => space.pids().length >= 2, "git to hang");
		legacy.send({ method: "notifications/cancelled", params: { id: 1 } });
		await legacy.request("ping");
		assert.equal(legacy.answersTo(1).length, 0, "its member is called requestId");
		legacy.send({ method: "notifications/cancelled", params: { requestId: 1, reason: "no longer needed" } });
		assert.equal(errorOf(await legacy.answerTo(1)).code, "CANCELLED");
		await until(() => !space.pids().some(isAlive), "the tree to end");
		assert.equal(legacy.answersTo(1).length, 1);
	});

	verifies(
		["000-7.2-cancel-typed-first", "000-7.2-cancel-string-fallback", "000-7.2-ids-keep-type"],
		'7 and "7" are two requests; a cancel takes the one of its type, then the one that reads the same',
		async (t) => {
			const space = await hangingWorkspace(t);
			const legacy = new LegacyClient(t, space, space.env);
			const call = { method: "tools/call", params: { name: "build_index", arguments: {} } };
			legacy.send({ id: 7, ...call });
			await until(() => space.pids().length >= 2, "git to hang");
			legacy.send({ id: "7", ...call });
			await legacy.request("ping");
			legacy.send({ method: "$/cancelRequest", params: { id: "7" } });
			assert.equal(errorOf(await legacy.answerTo("7")).code, "CANCELLED");
			await legacy.request("ping");
			assert.equal(legacy.answersTo(7).length, 0);
			legacy.send({ method: "$/cancelRequest", params: { id: "7" } });
			assert.strictEqual((await legacy.answerTo(7)).id, 7);
			await until(() => !space.pids().some(isAlive), "the tree to end");
		},
	);

	verifies(
		["000-8.1-timeout-code", "000-8.2-timeout-kill-is-tree-aware"],
		"a build past its limit is answered TOOL_TIMEOUT with the limit, and its whole tree is gone",
		async (t) => {
			const space = await hangingWorkspace(t);
			const legacy = new LegacyClient(t, space, { ...space.env, PAIROFCLEATS_TOOL_TIMEOUT_MS: "5000" });
			const error = errorOf(await legacy.call("build_index"));
			assert.equal(error.code, "TOOL_TIMEOUT");
			assert.equal(error.timeoutMs, 5000);
			assert.ok(space.pids().length >= 2);
			await until(() => !space.pids().some(isAlive) && legacy.living().length === 1, "the tree to end");
		},
		{ skip: process.platform === "linux" ? false : "needs /proc" },
	);
});

verifies(
	[
		"000-9-progress-payload",
		"000-9-progress-stream-values",
		"000-9.1-throttle-legacy",
		"000-9.1-coalesce",
		"000-9.2-none-after-terminal-legacy",
	],
	"progress has six members, comes at most four times a second and ends with the answer",
	async (t) => {
		const legacy = new LegacyClient(t, await workspaceOf(t, slowFiles(150), { indexed: false }));
		const began = performance.now();
		await legacy.call("build_index", {}, "b");
		const seconds = (performance.now() - began) / 1000;
		const place = legacy.messages.findIndex((message) => message.id === "b");
		const told = legacy.progressOf("b");
		assert.ok(told.length >= 2 && told.length <= 4 * seconds + 1, `${told.length} in ${seconds} s`);
		for (const params of told) {
			assert.deepEqual(Object.keys(params).sort(), ["id", "message", "phase", "stream", "tool", "ts"]);
			assert.equal(params.tool, "build_index");
			assert.ok(["info", "stderr", "stdout", "debug"].includes(String(params.stream)));
			assert.ok(String(params.phase).length > 0 && String(params.message).length > 0);
			assert.match(String(params.ts), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
		}
		const steps = told.map(({ ts }) => Date.parse(String(ts)));
		for (let from = 0; from + 4 < steps.length; from++) assert.ok((steps[from + 4] ?? 0) - (steps[from] ?? 0) >= 990);
		const files = told.filter(({ phase }) => phase === "index").map(({ message }) => String(message));
		const order = Array.from({ length: 150 }, (_, file) => `src/f${file}.ts`).sort();
		const places = files.map((file) => order.indexOf(file));
		assert.ok(!places.includes(-1), files.join(", "));
		// The newest message counts: near the end of the build, no file of its beginning is named.
		assert.deepEqual(
			[...new Set(places)].sort((a, b) => a - b),
			places,
			"each is a later file",
		);
		await delay(600);
		assert.ok(!legacy.messages.slice(place + 1).some(({ method }) => method === "notifications/progress"));
	},
	{ timeout: 240_000 },
);

verifies(
	"001-6.1-unparseable-line",
	"bytes that are not a frame are refused, and the next frame is answered",
	async (t) => {
		const legacy = new LegacyClient(t, await workspaceOf(t));
		legacy.child.stdin?.write("Content-Length: nonsense\r\n\r\n");
		legacy.child.stdin?.write("Content-Length: 4\r\n\r\n{{{{");
		legacy.child.stdin?.write(encodeFrame({ jsonrpc: "2.0", id: 1, method: "no/such" }, "content-length"));
		assert.equal(at((await legacy.answerTo(1)).error, "/data/code"), "INVALID_REQUEST");
		assert.equal(legacy.messages.filter(({ id }) => id === null).length, 2);
		assert.equal(payloadOf(await legacy.call("index_status")).ok, true);
	},
);

test("an id in flight is refused a second time, and only its call is answered under it", async (t) => {
	const legacy = new LegacyClient(t, await workspaceOf(t));
	legacy.send({ id: 7, method: "tools/call", params: { name: "build_index", arguments: {} } });
	legacy.send({ id: 7, method: "ping" });
	await until(() => legacy.messages.some(({ id }) => id === null), "the refusal");
	const refusal = legacy.messages.find(({ id }) => id === null)?.error;
	assert.equal(at(refusal, "/code"), -32600);
	assert.equal(at(refusal, "/data/id"), 7);
	assert.equal(payloadOf(await legacy.answerTo(7)).ok, true);
	assert.equal(legacy.answersTo(7).length, 1);
});

test("what is rendered for reading is the tool's own table, and a large id is kept whole", async (t) => {
	const legacy = new LegacyClient(t, await workspaceOf(t));
	const sizes = await legacy.call("report_artifacts", { render: "porcelain" });
	assert.match(String(at(sizes.result, "/content/0/text")), /^repository: repo\n.*\nFILE +SIZE\n/s);
	const large = '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"index_status"}}';
	legacy.child.stdin?.write(`Content-Length: ${large.length}\r\n\r\n${large}`);
	const answer = await legacy.answerTo(Number("9007199254740993"));
	assert.equal(at(payloadOf(answer), "/_meta/requestId"), "9007199254740993");
});
