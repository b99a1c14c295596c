import assert from "node:assert/strict";
import { test } from "node:test";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { isObject, type JsonObject } from "../../src/contract/json.ts";
import { createDispatcher } from "../../src/server/serving/dispatcher.ts";
import type { OpenTransport } from "../../src/upstream/transport.ts";
import { type Notification, testContext, testGateway } from "../fixtures/gateway.ts";
import { send2026, served } from "./conversations.ts";

const CAPABILITIES = { elicitation: { form: {} } };
const ANSWER = { input: { action: "accept", content: {} } };

/** A server with a handshake whose tool reports progress, asks, reports progress again, and answers. */
const asking: OpenTransport = async () => {
	const [near, far] = InMemoryTransport.createLinkedPair();
	const say = (message: JsonObject): void => void far.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
	let call: { readonly id: unknown; readonly progressToken: unknown } | undefined;
	const report = (progress: number): void => {
		const params = { progressToken: call?.progressToken, progress, total: 9 };
		say({ method: "notifications/progress", params });
	};
	far.onmessage = (message: JSONRPCMessage) => {
		if (!("id" in message)) return;
		const { id } = message;
		if (!("method" in message)) {
			report(2);
			setImmediate(say, { id: call?.id, result: { content: [{ type: "text", text: "done" }] } });
			return;
		}
		switch (message.method) {
			case "initialize":
				say({
					id,
					result: {
						protocolVersion: "2025-11-25",
						capabilities: { tools: {} },
						serverInfo: { name: "s", version: "1" },
					},
				});
				return;
			case "tools/list":
				say({ id, result: { tools: [{ name: "job", inputSchema: { type: "object" } }] } });
				return;
			case "tools/call":
				call = { id, progressToken: Object(message.params)._meta?.progressToken };
				report(1);
				say({
					id: "q",
					method: "elicitation/create",
					params: { message: "Go on?", requestedSchema: { type: "object", properties: {} } },
				});
				return;
			default:
				say({ id, result: {} });
		}
	};
	await far.start();
	return { transport: near };
};

test("after a question, progress of run_tool goes to the request that brought the answer", async (t) => {
	const server = { name: "s", namespace: "s", command: "none", args: [], env: {} } as const;
	const servers = [{ kind: "stdio", protocol: "legacy", elicitation: true, ...server } as const];
	const demo = await testGateway({ openTransport: asking, config: { servers } });
	t.after(() => demo.stop());
	const dispatch = createDispatcher(demo.gateway);
	const round = async (progressToken: string, more: JsonObject) => {
		const heard: Notification[] = [];
		const context = { ...testContext(heard, undefined, true), era: "modern" as const };
		const params = { name: "run_tool", arguments: { tool_id: "s:job" }, _meta: { progressToken }, ...more };
		const client = { protocolVersion: "2026-07-28", capabilities: CAPABILITIES };
		return { result: Object(await dispatch("tools/call", params, { ...context, client })), heard };
	};
	const first = await round("one", {});
	assert.equal(first.result.resultType, "input_required");
	const before = first.heard.length;
	const second = await round("two", { requestState: first.result.requestState, inputResponses: ANSWER });
	assert.equal(second.result.structuredContent.structured, "done");
	assert.deepEqual(
		second.heard.map(({ params }) => params),
		[
			{ progress: 2, total: 9 },
			{ progressToken: "two", progress: 9, total: 9, message: "completed" },
		],
	);
	assert.equal(first.heard.length, before);
});

test("after a question, progress of a mounted server's tool goes to the request that brought the answer", async () => {
	const url = await served({ protocol: "legacy" }, asking);
	const first = await messages(url, "one", {});
	const { requestState } = Object(first.at(-1)?.result);
	assert.deepEqual(progressIn(first), [{ progressToken: "one", progress: 1, total: 9 }]);
	const second = await messages(url, "two", { requestState, inputResponses: ANSWER });
	assert.deepEqual(progressIn(second), [{ progressToken: "two", progress: 2, total: 9 }]);
	assert.deepEqual(Object(second.at(-1)?.result).content, [{ type: "text", text: "done" }]);
});

function progressIn(all: readonly JsonObject[]): unknown[] {
	return all.filter(({ method }) => method === "notifications/progress").map(({ params }) => params);
}

/** All that comes on the stream of one call, its answer last. */
async function messages(url: string, progressToken: string, more: JsonObject): Promise<JsonObject[]> {
	const response = await send2026(url, "tools/call", { name: "job", ...more, _meta: { progressToken } }, CAPABILITIES);
	const lines = (await response.text()).split("\n").map((line) => line.replace(/^data: /, ""));
	return lines
		.filter((line) => line.startsWith("{"))
		.map((line) => JSON.parse(line))
		.filter(isObject);
}
