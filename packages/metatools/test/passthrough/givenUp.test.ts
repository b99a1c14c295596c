import assert from "node:assert/strict";
import { test } from "node:test";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { until } from "../../../../e2e/until.ts";
import { isObject, type JsonObject } from "../../src/contract/json.ts";
import type { OpenTransport } from "../../src/upstream/transport.ts";
import { ask2026, served } from "./conversations.ts";

const options = { timeout: 120_000 };

/** The messages with an id that came on one connection. */
type Conversation = { readonly asked: string[]; closed: boolean; say(message: JsonObject): void };

/** A server with a handshake that answers only calls of `quick`, and never agrees on a log level. */
function silentServer(): { readonly open: OpenTransport; readonly opened: Conversation[] } {
	const opened: Conversation[] = [];
	const open: OpenTransport = async () => {
		const [near, far] = InMemoryTransport.createLinkedPair();
		const say = (message: JsonObject): void => void far.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
		const conversation: Conversation = { asked: [], closed: false, say };
		opened.push(conversation);
		const answers: Readonly<Record<string, JsonObject>> = {
			initialize: {
				protocolVersion: "2025-11-25",
				capabilities: { tools: {}, logging: {} },
				serverInfo: { name: "silent", version: "1" },
			},
			"tools/list": { tools: ["quick", "slow"].map((name) => ({ name, inputSchema: { type: "object" } })) },
			"tools/call quick": { content: [] },
		};
		far.onmessage = (message: JSONRPCMessage) => {
			if (!("id" in message) || !("method" in message)) return;
			const { id, method, params } = message;
			const asked = isObject(params) && method === "tools/call" ? `${method} ${String(params.name)}` : method;
			conversation.asked.push(asked);
			const result = answers[asked];
			if (result !== undefined) say({ id, result });
		};
		far.onclose = () => {
			conversation.closed = true;
		};
		await far.start();
		return { transport: near };
	};
	return { open, opened };
}

/** One call of a client without a session that can be asked. */
function call(url: string, name: string, options?: Parameters<typeof ask2026>[4]): Promise<JsonObject> {
	return ask2026(url, "tools/call", { name }, { elicitation: { form: {} } }, options);
}

test("the connection of a call that was given up serves no other call", options, async () => {
	const { open, opened } = silentServer();
	const url = await served({ protocol: "legacy" }, open);
	const leaving = new AbortController();
	const left = call(url, "slow", { signal: leaving.signal });
	const used = (): Conversation | undefined => opened.find(({ asked }) => asked.includes("tools/call slow"));
	await until(() => used() !== undefined);
	leaving.abort();
	await assert.rejects(left);
	await until(() => used()?.closed === true);
	assert.ok(isObject((await call(url, "quick")).result));
});

test("a call goes on without logs, and frees its connection if it is given up", options, async () => {
	const { open, opened } = silentServer();
	const url = await served({ protocol: "legacy" }, open);
	const leaving = new AbortController();
	const left = call(url, "quick", { logLevel: "info", signal: leaving.signal });
	const waiting = (): readonly Conversation[] => opened.filter(({ asked }) => asked.includes("logging/setLevel"));
	await until(() => waiting().length === 1);
	leaving.abort();
	await assert.rejects(left);
	await until(async () => {
		await call(url, "quick");
		return waiting()[0]?.asked.includes("tools/call quick") === true;
	});
	assert.ok(isObject((await call(url, "quick", { logLevel: "info" })).result));
});
