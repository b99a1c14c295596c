import assert from "node:assert/strict";
import { test } from "node:test";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { until } from "../../../../e2e/until.ts";
import { isObject, type JsonObject } from "../../src/contract/json.ts";
import type { OpenTransport } from "../../src/upstream/transport.ts";
import { ask2026, send2026, served } from "./conversations.ts";

const options = { timeout: 120_000 };
const CAN_BE_ASKED = { elicitation: { form: {} } };

type Remembering = {
	readonly open: OpenTransport;
	/** The resources watched on each connection. */
	readonly watched: readonly Set<string>[];
	/** Calls of `hold`, answered when the test says so. */
	readonly held: (() => void)[];
};

/** A server with a handshake that answers each call with the number of its connection, and remembers which tools it has. */
function remembering(): Remembering {
	const watched: Set<string>[] = [];
	const held: (() => void)[] = [];
	const open: OpenTransport = async () => {
		const [near, far] = InMemoryTransport.createLinkedPair();
		const say = (message: JsonObject): void => void far.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
		const uris = new Set<string>();
		const connection = watched.push(uris);
		const tools = ["where", "hold", "touch", "grow"].map((name) => ({ name, inputSchema: { type: "object" } }));
		const here = { content: [{ type: "text", text: String(connection) }] };
		const call = (name: unknown): JsonObject | undefined => {
			if (name === "hold") return undefined;
			if (name === "touch") for (const uri of uris) say({ method: "notifications/resources/updated", params: { uri } });
			if (name === "grow") {
				tools.push({ name: "grown", inputSchema: { type: "object" } });
				say({ method: "notifications/tools/list_changed" });
			}
			return here;
		};
		const answer = (method: string, params: JsonObject): JsonObject | undefined => {
			switch (method) {
				case "initialize":
					if (isObject(params.capabilities) && "elicitation" in params.capabilities)
						tools.push({ name: "asks", inputSchema: { type: "object" } });
					return {
						protocolVersion: "2025-11-25",
						capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
						serverInfo: { name: "remembering", version: "1" },
					};
				case "tools/list":
					return { tools };
				case "resources/subscribe":
					uris.add(String(params.uri));
					return {};
				case "tools/call":
					return call(params.name);
				default:
					return {};
			}
		};
		far.onmessage = (message: JSONRPCMessage) => {
			if (!("method" in message) || !("id" in message)) return;
			const { id, method, params } = message;
			const result = answer(method, isObject(params) ? params : {});
			if (result === undefined) held.push(() => say({ id, result: here }));
			else say({ id, result });
		};
		await far.start();
		return { transport: near };
	};
	return { open, watched, held };
}

const call = (url: string, name: string): Promise<JsonObject> => ask2026(url, "tools/call", { name }, CAN_BE_ASKED);
const where = async (answer: Promise<JsonObject>): Promise<unknown> => {
	const { result } = await answer;
	const content = isObject(result) && Array.isArray(result.content) ? result.content : [];
	return content[0]?.text;
};

test(
	"a client that can be asked keeps one connection, and gets another only beside a call in flight",
	options,
	async () => {
		const { open, watched, held } = remembering();
		const url = await served({ protocol: "legacy" }, open);
		const first = await where(call(url, "where"));
		assert.equal(await where(call(url, "where")), first);
		const holding = [call(url, "hold"), call(url, "hold")];
		await until(() => held.length === 2);
		const beside = await where(call(url, "where"));
		for (const release of held.splice(0)) release();
		const used = await Promise.all(holding.map(where));
		assert.equal(new Set([...used, beside]).size, 3, "a question on any of them belongs to one call");
		assert.ok(used.includes(first));
		const connections = watched.length;
		for (let n = 0; n < 4; n++) assert.equal(await where(call(url, "where")), first, "back on the one it keeps");
		assert.equal(watched.length, connections);
	},
);

test("a tool that a call of a client that can be asked brought about is in that client's list", options, async () => {
	const url = await served({ protocol: "legacy" }, remembering().open);
	await call(url, "grow");
	const { result } = await ask2026(url, "tools/list", {}, CAN_BE_ASKED);
	assert.match(JSON.stringify(result), /"grown"/);
});

test("a client that can be asked is listed the tools that ask before it has called any", options, async () => {
	const url = await served({ protocol: "legacy" }, remembering().open);
	const listed = async (capabilities: JsonObject) =>
		JSON.stringify((await ask2026(url, "tools/list", {}, capabilities)).result);
	assert.match(await listed(CAN_BE_ASKED), /"asks"/);
	assert.doesNotMatch(await listed({}), /"asks"/);
});

test("what a server says of lists and resources goes to who listens, never to the call", options, async () => {
	const { open, watched, held } = remembering();
	const url = await served({ protocol: "legacy" }, open);
	await call(url, "where");
	const notifications = { toolsListChanged: true, resourceSubscriptions: ["r://a"] };
	const heard = await listen(url, notifications);
	await until(() => watched.every((uris) => uris.has("r://a")));
	const holding = call(url, "hold");
	await until(() => held.length === 1);
	// One on the connection that the client keeps is in flight, so these use another, which is told what is watched too.
	for (const tool of ["where", "touch", "grow"]) {
		await until(() => watched.every((uris) => uris.has("r://a")));
		assert.ok(isObject((await call(url, tool)).result), "one JSON body: nothing was sent before the answer");
	}
	held[0]?.();
	await holding;
	await until(() => heard().includes("notifications/resources/updated"));
	await until(() => heard().includes("notifications/tools/list_changed"));
});

test("calls beyond the last connection are refused, and told why and how many there are", options, async () => {
	const { open, held } = remembering();
	const url = await served({ protocol: "legacy" }, open);
	const calls = Array.from({ length: 66 }, () => call(url, "hold"));
	await until(() => held.length === 63);
	const { error } = await call(url, "where");
	assert(isObject(error) && isObject(error.data));
	assert.match(String(error.message), /^s has 64 connections, as many as it can have: .* each call at the same time/);
	assert.deepEqual(error.data.details, { queue: { max: 64, size: 64 } });
	for (const release of held) release();
	const ok = (await Promise.all(calls)).filter(({ result }) => result !== undefined);
	assert.equal(ok.length, 63);
});

/** Listens as a client without a session; returns the text that has come so far. */
async function listen(url: string, notifications: JsonObject): Promise<() => string> {
	const response = await send2026(url, "subscriptions/listen", { notifications }, CAN_BE_ASKED);
	let text = "";
	void response.body
		?.pipeThrough(new TextDecoderStream())
		.pipeTo(
			new WritableStream({
				write: (part) => {
					text += part;
				},
			}),
		)
		.catch(() => {});
	return () => text;
}
