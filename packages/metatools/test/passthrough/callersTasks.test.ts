import assert from "node:assert/strict";
import { after, test } from "node:test";
import { bearerTokens, createFront, LOOPBACK_NAMES, listen } from "libmcp/http";
import { isObject, type JsonObject } from "../../src/contract/json.ts";
import { CallersTasks } from "../../src/passthrough/callersTasks.ts";
import { createPassthrough } from "../../src/passthrough/passthrough.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { cafeSpec } from "../fixtures/cafe.ts";

const ALICE = { id: "alice", scopes: [] };
const BOB = { id: "bob", scopes: [] };
const TOKENS = { "token-of-alice": ALICE, "token-of-bob": BOB };
type Token = keyof typeof TOKENS;
const MODERN = "2026-07-28";

/** A server of the official SDK that runs its tools as tasks, at a path that keeps no sessions; open to all without tokens. */
async function cafe(isOpen = false): Promise<string> {
	const { endpoint, close } = createPassthrough({
		spec: cafeSpec(),
		open: openTransport,
		stateless: true,
	});
	const front = createFront({
		endpoint: () => endpoint,
		origins: { hosts: LOOPBACK_NAMES, origins: [] },
		...(!isOpen && { authenticate: bearerTokens(TOKENS) }),
	});
	const listener = await listen(front);
	after(async () => {
		await listener.close([endpoint], 0);
		await close();
	});
	return `${listener.address}/mcp`;
}

async function ask(
	url: string,
	revision: string,
	token: Token,
	method: string,
	params: JsonObject = {},
): Promise<JsonObject> {
	const claim = {
		"io.modelcontextprotocol/protocolVersion": revision,
		"io.modelcontextprotocol/clientCapabilities": {},
	};
	const named = params.name ?? params.taskId;
	const response = await fetch(url, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			accept: "application/json, text/event-stream",
			authorization: `Bearer ${token}`,
			"mcp-protocol-version": revision,
			"mcp-method": method,
			...(typeof named === "string" && { "mcp-name": named }),
		},
		body: JSON.stringify({
			jsonrpc: "2.0",
			id: 1,
			method,
			params: { ...params, ...(revision === MODERN && { _meta: claim }) },
		}),
	});
	const text = await response.text();
	const body: unknown = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text);
	return isObject(body) ? body : {};
}

async function brewed(url: string, revision: string): Promise<string> {
	const made = await ask(url, revision, "token-of-alice", "tools/call", { name: "brew", arguments: {}, task: {} });
	const { task } = isObject(made.result) ? made.result : {};
	assert.ok(isObject(task) && typeof task.taskId === "string", JSON.stringify(made));
	return task.taskId;
}

function listed({ result }: JsonObject): unknown[] {
	const { tasks } = isObject(result) ? result : {};
	assert.ok(Array.isArray(tasks), JSON.stringify(result));
	return tasks.map((task: unknown) => isObject(task) && task.taskId);
}

for (const revision of ["2025-11-25", MODERN])
	test(`a caller of ${revision} without a session can only see and cancel its own tasks`, {
		timeout: 60_000,
	}, async () => {
		const url = await cafe();
		const taskId = await brewed(url, revision);
		assert.deepEqual(listed(await ask(url, revision, "token-of-bob", "tasks/list")), []);
		for (const method of ["tasks/get", "tasks/result", "tasks/cancel"]) {
			const { error } = await ask(url, revision, "token-of-bob", method, { taskId });
			assert.deepEqual(error, { code: -32602, message: `Unknown task: ${taskId}`, data: { code: "INVALID_PARAMS" } });
		}
		assert.deepEqual(listed(await ask(url, revision, "token-of-alice", "tasks/list")), [taskId]);
		assert.match(JSON.stringify(await ask(url, revision, "token-of-alice", "tasks/result", { taskId })), /coffee/);
	});

test("where no credentials are needed, every task is everybody's", { timeout: 60_000 }, async () => {
	const url = await cafe(true);
	const taskId = await brewed(url, MODERN);
	assert.deepEqual(listed(await ask(url, MODERN, "token-of-bob", "tasks/list")), [taskId]);
	assert.match(JSON.stringify(await ask(url, MODERN, "token-of-bob", "tasks/result", { taskId })), /coffee/);
});

test("a task that is itself the result of a call, as in 2026-07-28, belongs to the caller too", () => {
	const tasks = new CallersTasks();
	tasks.answer("tools/call", { resultType: "task", taskId: "t", status: "working" }, ALICE);
	tasks.check("tasks/update", { taskId: "t" }, ALICE);
	assert.throws(() => tasks.check("tasks/update", { taskId: "t" }, BOB), /Unknown task: t/);
});

test("a caller with very many tasks takes no room from the others", () => {
	const tasks = new CallersTasks();
	tasks.answer("tools/call", { task: { taskId: "of bob" } }, BOB);
	for (let index = 0; index <= 1_000; index++) tasks.answer("tools/call", { task: { taskId: `t${index}` } }, ALICE);
	tasks.check("tasks/get", { taskId: "of bob" }, BOB);
	tasks.check("tasks/get", { taskId: "t1000" }, ALICE);
	assert.throws(() => tasks.check("tasks/get", { taskId: "t0" }, ALICE), /Unknown task: t0/);
});
