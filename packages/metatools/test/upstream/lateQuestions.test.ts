import assert from "node:assert/strict";
import { test } from "node:test";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import type { Session } from "libmcp";
import { until } from "../../../../e2e/until.ts";
import { isObject, type JsonObject } from "../../src/contract/json.ts";
import { createDispatcher } from "../../src/server/serving/dispatcher.ts";
import type { OpenTransport } from "../../src/upstream/transport.ts";
import { testContext, testGateway } from "../fixtures/gateway.ts";
import { memorySpec } from "../fixtures/inProcess.ts";
import { newSession } from "../fixtures/newSession.ts";

type Deaf = {
	readonly open: OpenTransport;
	/** The tools called so far. */
	readonly called: string[];
	/** Answers the newest call, or asks a question whose answer is then the last in `answers`. */
	answer(): void;
	ask(): void;
	readonly answers: unknown[];
};

/** A server that takes no notice of a cancellation, and asks when the test says so. */
function deafServer(): Deaf {
	const called: string[] = [];
	const answers: unknown[] = [];
	let say: (message: JsonObject) => void = () => {};
	let newest: unknown;
	const open: OpenTransport = async () => {
		const [near, far] = InMemoryTransport.createLinkedPair();
		say = (message) => void far.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
		const tools = ["remove", "other"].map((name) => ({ name, inputSchema: { type: "object" } }));
		far.onmessage = (message: JSONRPCMessage) => {
			if (!("id" in message)) return;
			const { id } = message;
			if (!("method" in message)) answers.push("result" in message ? message.result : message.error);
			else if (message.method === "initialize")
				say({
					id,
					result: {
						protocolVersion: "2025-11-25",
						capabilities: { tools: {} },
						serverInfo: { name: "deaf", version: "1" },
					},
				});
			else if (message.method === "tools/list") say({ id, result: { tools } });
			else {
				newest = id;
				called.push(String(message.params?.name));
			}
		};
		await far.start();
		return { transport: near };
	};
	let asked = 0;
	return {
		open,
		called,
		answers,
		answer: () => say({ id: newest, result: { content: [] } }),
		ask: () =>
			say({
				id: `q${++asked}`,
				method: "elicitation/create",
				params: { message: "Really remove it?", requestedSchema: { type: "object", properties: {} } },
			}),
	};
}

test("what a server asks after one caller gave up is not put to another, and is still put to the same", {
	timeout: 120_000,
}, async (t) => {
	const server = deafServer();
	const demo = await testGateway({
		openTransport: server.open,
		config: { servers: [{ ...memorySpec("deaf"), elicitation: true }] },
	});
	t.after(() => demo.stop());
	const dispatch = createDispatcher(demo.gateway);
	const asked: string[] = [];
	const run = (session: Session, tool: string, signal?: AbortSignal): Promise<unknown> =>
		dispatch(
			"tools/call",
			{ name: "run_tool", arguments: { tool_id: `deaf:${tool}`, args: {} } },
			{
				...testContext([], signal),
				session,
				client: { protocolVersion: "2025-11-25", capabilities: { elicitation: {} } },
				request: async () => {
					asked.push(session.id);
					return { action: "accept", content: {} };
				},
			},
		);
	const ada = newSession("Ada");
	const grace = newSession("Grace");

	const leaving = new AbortController();
	const left = run(ada, "remove", leaving.signal);
	await until(() => server.called.length === 1);
	leaving.abort();
	await left.catch(() => {});

	const others = run(grace, "other");
	await until(() => server.called.length === 2);
	server.ask();
	await until(() => server.answers.length === 1);
	server.answer();
	assert.ok(isObject(await others));
	assert.deepEqual(asked, []);
	assert.deepEqual(server.answers, [{ action: "cancel" }]);
	assert.deepEqual(demo.log, [
		"deaf: a question of the server was dismissed without asking anybody: another caller has given up a call in the last ten minutes, and it does not say for which",
	]);

	const again = run(ada, "remove");
	await until(() => server.called.length === 3);
	server.ask();
	await until(() => server.answers.length === 2);
	server.answer();
	await again;
	assert.deepEqual(asked, ["Ada"]);
});
