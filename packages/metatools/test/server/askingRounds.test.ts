import assert from "node:assert/strict";
import { test } from "node:test";
import { RPC_CODES, RpcError, type Session } from "libmcp";
import { bundled } from "../../../../e2e/bundled.ts";
import { isObject, type JsonObject } from "../../src/contract/json.ts";
import { createDispatcher } from "../../src/server/serving/dispatcher.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { testContext, testGateway } from "../fixtures/gateway.ts";

const EVERYTHING = await bundled(new URL("../../../libmcp/test/fixtures/everythingStdio.ts", import.meta.url));
const TOOL = "every:test_elicitation_sep1034_defaults";

/** A gateway before the everything server, as clients without a handshake meet it. */
async function modern(protocol: "legacy" | "modern") {
	const demo = await testGateway({
		openTransport,
		config: {
			servers: [
				{
					kind: "stdio",
					name: "every",
					namespace: "every",
					protocol,
					elicitation: true,
					command: process.execPath,
					args: [EVERYTHING],
					env: {},
				},
			],
		},
	});
	const dispatch = createDispatcher(demo.gateway);
	const call = async (
		name: string,
		args: JsonObject,
		more: JsonObject = {},
		{ capabilities = { elicitation: {} }, owner = "alice", signal = new AbortController().signal } = {},
	): Promise<JsonObject> => {
		const result = await dispatch(
			"tools/call",
			{ name, arguments: args, ...more },
			{
				...testContext([], signal),
				era: "modern",
				client: { protocolVersion: "2026-07-28", capabilities },
				principal: { id: owner, scopes: [] },
			},
		);
		assert(isObject(result), JSON.stringify(result));
		return result;
	};
	return { call, dispatch, stop: () => demo.stop() };
}

function structured(result: JsonObject): unknown {
	return isObject(result.structuredContent) ? result.structuredContent.structured : undefined;
}

test("run_tool asks a client without a handshake by its answer, and goes on with the person's word", {
	timeout: 120_000,
}, async (t) => {
	const { call, stop } = await modern("legacy");
	t.after(stop);
	const asked = await call("run_tool", { tool_id: TOOL, args: {} });
	const { input } = isObject(asked.inputRequests) ? asked.inputRequests : {};
	assert.equal(asked.resultType, "input_required");
	assert.deepEqual(isObject(input) && isObject(input.params) && [input.method, input.params.message], [
		"elicitation/create",
		"Defaults",
	]);
	const { requestState } = asked;
	const inputResponses = { input: { action: "accept", content: { name: "Ada" } } };
	await assert.rejects(
		call("run_tool", { tool_id: TOOL, args: {} }, { requestState, inputResponses }, { owner: "mallory" }),
		/expected the state of a call that waits for input/,
		"only whoever was asked can answer",
	);
	for (const [name, other] of [
		["run_tool", { tool_id: "every:echo", args: {} }],
		["run_tool", { tool_id: TOOL, args: { more: 1 } }],
		["run_chain", { steps: [{ tool_id: TOOL }] }],
	] as const)
		await assert.rejects(
			call(name, other, { requestState, inputResponses }),
			{ code: -32602, message: "requestState: belongs to another call; repeat the one it was given out for" },
			"an answer is for the call whose question it was",
		);
	const again = await call("run_tool", { args: {}, tool_id: TOOL }, { requestState, _meta: { progressToken: 2 } });
	assert.equal(again.resultType, "input_required", "a question nobody answered stays");
	const done = await call("run_tool", { tool_id: TOOL, args: {} }, { requestState, inputResponses });
	assert.equal(structured(done), 'Elicitation completed: action=accept, content={"name":"Ada"}');
	await assert.rejects(call("run_tool", { tool_id: TOOL, args: {} }, { requestState, inputResponses }), {
		code: -32602,
	});
});

test("two calls of one key never get each other's questions: the second is not asked, and the first goes on", {
	timeout: 120_000,
}, async (t) => {
	const { call, stop } = await modern("legacy");
	t.after(stop);
	const asked = await call("run_tool", { tool_id: TOOL, args: {} });
	assert.equal(asked.resultType, "input_required");
	const beside = await call("run_tool", { tool_id: TOOL, args: { other: 1 } });
	assert.equal(structured(beside), "Elicitation completed: action=cancel, content={}");
	const inputResponses = { input: { action: "decline" } };
	const { requestState } = asked;
	const done = await call("run_tool", { tool_id: TOOL, args: {} }, { requestState, inputResponses });
	assert.equal(structured(done), "Elicitation completed: action=decline, content={}");
});

test("a client without a handshake that cannot be asked is not, and one that leaves ends the call", {
	timeout: 120_000,
}, async (t) => {
	const { call, stop } = await modern("legacy");
	t.after(stop);
	for (const capabilities of [{}, { elicitation: { url: {} } }]) {
		const offered = { capabilities: capabilities as { elicitation: object } };
		const plain = await call("run_tool", { tool_id: TOOL, args: {} }, {}, offered);
		assert.equal(structured(plain), "Elicitation completed: action=cancel, content={}");
	}
	const leaving = new AbortController();
	leaving.abort(new DOMException("gone", "AbortError"));
	const left = await call("run_tool", { tool_id: TOOL, args: {} }, {}, { signal: leaving.signal });
	assert.equal(left.isError, true);
});

test("a question that cannot get to a client with a session counts as dismissed", { timeout: 120_000 }, async (t) => {
	const { dispatch, stop } = await modern("legacy");
	t.after(stop);
	const client = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} } };
	const request = async (): Promise<never> => {
		throw new RpcError(RPC_CODES.missingCapability, "the client has no stream open");
	};
	const session: Session = {
		id: "s",
		client,
		ended: new AbortController().signal,
		notes: new Map(),
		notify: () => {},
		request,
	};
	const params = { name: "run_tool", arguments: { tool_id: TOOL, args: {} } };
	const result = await dispatch("tools/call", params, { ...testContext([]), client, session, request });
	assert(isObject(result));
	assert.equal(structured(result), "Elicitation completed: action=cancel, content={}");
});

test("a chain asks as often as its steps need, of servers of either era", { timeout: 120_000 }, async (t) => {
	const { call, stop } = await modern("modern");
	t.after(stop);
	const tool_id = "every:test_input_required_result_elicitation";
	const args = { steps: [{ tool_id }, { tool_id }] };
	const answer = (name: string, result: JsonObject): JsonObject => ({
		requestState: result.requestState,
		inputResponses: Object.fromEntries(
			Object.keys(isObject(result.inputRequests) ? result.inputRequests : {}).map((key) => [
				key,
				{ action: "accept", content: { name } },
			]),
		),
	});
	const first = await call("run_chain", args);
	const second = await call("run_chain", args, answer("Ada", first));
	const done = await call("run_chain", args, answer("Grace", second));
	assert.deepEqual(
		[first.resultType, second.resultType, isObject(done.structuredContent) && done.structuredContent.final],
		["input_required", "input_required", "Hello, Grace!"],
	);
});
