import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { readAuth, type SiteRules } from "../../src/auth/readAuth.ts";
import { createGatewayServer } from "../../src/server/serving/gatewayServer.ts";
import type { Transport } from "../../src/server/serving/transport.ts";
import type { SiteOptions } from "../../src/transport/site.ts";
import { createSseTransport } from "../../src/transport/sse.ts";
import { createStreamableTransport } from "../../src/transport/streamable.ts";
import { testGateway } from "../fixtures/gateway.ts";

const ALICE = "alices-key-of-some-length";
const BOB = "bobs-key-of-the-same-length";
const CHANGED = "notifications/tools/list_changed";

verifies(
	"004-removed-key-streams",
	"the streams of a key that is removed end, hear nothing more, and those of other keys go on",
	async (t) => {
		const { url, rules, tell } = await serve(t, createStreamableTransport);
		const streams = {
			alice: [await standing(url, ALICE), await subscribed(url, ALICE)],
			bob: [await standing(url, BOB), await subscribed(url, BOB)],
		};
		tell();
		for (const stream of [...streams.alice, ...streams.bob]) await stream.hears(CHANGED);
		rules.current = readAuth({ keys: { bob: BOB } });
		for (const { over } of streams.alice) await over;
		tell();
		for (const stream of streams.bob) await stream.hears(CHANGED);
		for (const { count } of streams.alice) assert.equal(count(), 1);
	},
);

test("a stream ends when its key becomes somebody else's, or when keys come to be asked for", async (t) => {
	const { url, rules } = await serve(t, createStreamableTransport);
	const renamed = await standing(url, ALICE);
	rules.current = readAuth({ keys: { carol: ALICE, bob: BOB } });
	await renamed.over;
	rules.current = readAuth({});
	const open = await standing(url);
	rules.current = readAuth({ keys: { bob: BOB } });
	await open.over;
});

test("a removed key's stream of the old transport ends too", async (t) => {
	const { url, rules } = await serve(t, createSseTransport);
	const [alice, bob] = [await listen(url, ALICE), await listen(url, BOB)];
	await alice.hears("endpoint");
	await bob.hears("endpoint");
	rules.current = readAuth({ keys: { bob: BOB } });
	await alice.over;
	assert.equal(bob.isOver(), false);
});

/** A gateway at an address whose rules can be exchanged; `tell` makes it tell its clients that the tools changed. */
async function serve(t: TestContext, make: (options: SiteOptions) => Transport) {
	const { gateway, stop } = await testGateway({ settings: { notifyDebounceMs: 0 } });
	const rules: { current: SiteRules } = { current: readAuth({ keys: { alice: ALICE, bob: BOB } }) };
	const transport = make({ host: "127.0.0.1", port: 0, rules: () => rules.current });
	const ending = new AbortController();
	const listeners = new Set<() => void>();
	const server = {
		...createGatewayServer(gateway),
		onListChanged: (listener: () => void) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
	const serving = transport.serve(server, ending.signal);
	while (transport.info().address === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
	t.after(async () => {
		ending.abort();
		await serving;
		await stop();
	});
	const tell = () => {
		for (const listener of listeners) listener();
	};
	return { url: transport.info().address ?? "", rules, tell };
}

async function standing(url: string, key?: string): Promise<Listening> {
	const opened = await post(url, key, {
		jsonrpc: "2.0",
		id: 1,
		method: "initialize",
		params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
	});
	await opened.text();
	return listen(url, key, { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" });
}

async function subscribed(url: string, key: string): Promise<Listening> {
	const _meta = {
		"io.modelcontextprotocol/protocolVersion": "2026-07-28",
		"io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
		"io.modelcontextprotocol/clientCapabilities": {},
	};
	const params = { notifications: { toolsListChanged: true }, _meta };
	const message = { jsonrpc: "2.0", id: 7, method: "subscriptions/listen", params };
	const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
	return read(await post(url, key, message, headers));
}

async function listen(url: string, key?: string, headers: Record<string, string> = {}): Promise<Listening> {
	return read(await fetch(url, { headers: { accept: "text/event-stream", ...authorization(key), ...headers } }));
}

function post(url: string, key: string | undefined, message: object, headers: Record<string, string> = {}) {
	return fetch(url, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			accept: "application/json, text/event-stream",
			...authorization(key),
			...headers,
		},
		body: JSON.stringify(message),
	});
}

function authorization(key: string | undefined): Record<string, string> {
	return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

type Listening = {
	readonly over: Promise<void>;
	isOver(): boolean;
	/** How often the stream has told of a changed list. */
	count(): number;
	hears(text: string): Promise<void>;
};

function read(response: Response): Listening {
	assert.equal(response.status, 200);
	let text = "";
	let taken = 0;
	let isOver = false;
	const over = (async () => {
		try {
			for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
		} catch {
			// The server ended the stream without its last chunk.
		}
		isOver = true;
	})();
	return {
		over,
		isOver: () => isOver,
		count: () => text.split(CHANGED).length - 1,
		async hears(expected) {
			while (text.indexOf(expected, taken) < 0) {
				assert.equal(isOver, false, `the stream ended without ${expected}`);
				await new Promise((resolve) => setTimeout(resolve, 5));
			}
			taken = text.indexOf(expected, taken) + expected.length;
		},
	};
}
