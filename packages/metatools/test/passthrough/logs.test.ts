import assert from "node:assert/strict";
import { test } from "node:test";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { isObject, type JsonObject } from "../../src/contract/json.ts";
import type { OpenTransport } from "../../src/upstream/transport.ts";
import { served } from "./conversations.ts";

const PREFIX = "io.modelcontextprotocol/";
const REVISION = "2026-07-28";

/** A server with a handshake that logs before and after it asks; as MCP has it, from the level it was told on. */
function talkative(levels: string[]): OpenTransport {
	return async () => {
		const [near, far] = InMemoryTransport.createLinkedPair();
		const say = (message: JsonObject) => void far.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
		let isLogging = false;
		let calling: string | number = "";
		const log = (level: string, data: string) =>
			isLogging && say({ method: "notifications/message", params: { level, data } });
		far.onmessage = (message: JSONRPCMessage) => {
			if (!("id" in message) || message.id === undefined) return;
			const { id } = message;
			const method = "method" in message ? message.method : "the answer";
			if (method === "initialize")
				return say({
					id,
					result: {
						protocolVersion: "2025-11-25",
						capabilities: { tools: {}, logging: {} },
						serverInfo: { name: "talkative", version: "1" },
					},
				});
			if (method === "logging/setLevel") {
				levels.push(String("params" in message && isObject(message.params) && message.params.level));
				isLogging = true;
				return say({ id, result: {} });
			}
			if (method === "tools/call") {
				calling = id;
				log("debug", "trifle");
				log("warning", "before");
				return say({ id: "q", method: "elicitation/create", params: { message: "?", requestedSchema: {} } });
			}
			if (method !== "the answer") return say({ id, error: { code: -32601, message: "unknown" } });
			log("error", "after");
			say({ id: calling, result: { content: [{ type: "text", text: "done" }] } });
		};
		await far.start();
		return { transport: near };
	};
}

/** All messages of one round of a call, in their order. */
async function round(url: string, params: JsonObject, logLevel?: string): Promise<readonly JsonObject[]> {
	const _meta = {
		[`${PREFIX}protocolVersion`]: REVISION,
		[`${PREFIX}clientCapabilities`]: { elicitation: {} },
		...(logLevel !== undefined && { [`${PREFIX}logLevel`]: logLevel }),
	};
	const response = await fetch(url, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			accept: "application/json, text/event-stream",
			"mcp-protocol-version": REVISION,
			"mcp-method": "tools/call",
			"mcp-name": "act",
		},
		body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "act", ...params, _meta } }),
	});
	const text = await response.text();
	if (response.headers.get("content-type")?.startsWith("application/json") === true) return [JSON.parse(text)];
	return text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
}

const logged = (messages: readonly JsonObject[]) =>
	messages
		.filter(({ method }) => method === "notifications/message")
		.map(({ params }) => isObject(params) && params.data);

test("a client without a handshake that can be asked hears a server's log, in each round and from its level on", {
	timeout: 120_000,
}, async () => {
	const levels: string[] = [];
	const url = await served({ protocol: "legacy" }, talkative(levels));
	const rounds = async (level?: string) => {
		const first = await round(url, {}, level);
		const asked = first.at(-1)?.result;
		assert(isObject(asked) && asked.resultType === "input_required", JSON.stringify(first));
		const answer = { inputResponses: { input: { action: "accept", content: {} } }, requestState: asked.requestState };
		return [logged(first), logged(await round(url, answer, level))];
	};
	assert.deepEqual(await rounds(), [[], []]);
	assert.deepEqual(levels, []);
	assert.deepEqual(await rounds("warning"), [["before"], ["after"]]);
	assert.deepEqual(await rounds("debug"), [["trifle", "before"], ["after"]]);
	assert.deepEqual(await rounds(), [[], []]);
	assert.deepEqual(levels, ["debug"]);
});
