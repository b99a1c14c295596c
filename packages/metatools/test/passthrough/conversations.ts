import { after } from "node:test";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { createFront, LOOPBACK_NAMES, listen } from "libmcp/http";
import { isObject, type JsonObject } from "../../src/contract/json.ts";
import { createPassthrough } from "../../src/passthrough/passthrough.ts";
import type { Protocol, ReachableSpec } from "../../src/upstream/spec.ts";
import type { OpenTransport } from "../../src/upstream/transport.ts";

/** One conversation of the gateway with a server in this process. */
export type Conversation = { readonly asked: string[]; closed: boolean };

const RESULTS: Readonly<Record<string, JsonObject>> = {
	"server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {}, resources: { subscribe: true } } },
	initialize: {
		protocolVersion: "2025-11-25",
		capabilities: { tools: {} },
		serverInfo: { name: "in-process", version: "1" },
	},
	"tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
	"tools/call": { content: [{ type: "text", text: "ok" }] },
};

/** A server in this process, once for each conversation that is opened with it. */
export function conversations(): { readonly open: OpenTransport; readonly opened: Conversation[] } {
	const opened: Conversation[] = [];
	const open: OpenTransport = async () => {
		const [near, far] = InMemoryTransport.createLinkedPair();
		const conversation: Conversation = { asked: [], closed: false };
		opened.push(conversation);
		far.onmessage = (message: JSONRPCMessage) => {
			if (!("method" in message) || !("id" in message)) return;
			const { id, method } = message;
			conversation.asked.push(method);
			// A subscription is answered when it is over.
			if (method === "subscriptions/listen") return;
			const result = RESULTS[method];
			const error = { code: -32601, message: "Method not found" };
			void far.send({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) } as JSONRPCMessage);
		};
		far.onclose = () => {
			conversation.closed = true;
		};
		await far.start();
		return { transport: near };
	};
	return { open, opened };
}

/** That server behind a path of the gateway. */
export async function served(
	spec: Partial<ReachableSpec> & { readonly protocol: Protocol },
	open: OpenTransport,
): Promise<string> {
	const { endpoint, close } = createPassthrough({
		spec: { kind: "stdio", name: "s", namespace: "s", command: "none", args: [], env: {}, ...spec } as ReachableSpec,
		open,
	});
	const front = createFront({ endpoint: () => endpoint, origins: { hosts: LOOPBACK_NAMES, origins: [] } });
	const listener = await listen(front);
	after(async () => {
		await listener.close([endpoint], 0);
		await close();
	});
	return `${listener.address}/mcp`;
}

export type Answer = { readonly status: number; readonly session: string | undefined; readonly body: JsonObject };

/** One request of a client with a session; without a session's id it opens one. */
export async function ask(url: string, session?: string, method = "initialize", params?: JsonObject): Promise<Answer> {
	const clientInfo = { name: "test", version: "1" };
	const response = await fetch(url, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			accept: "application/json",
			...(session !== undefined && { "mcp-session-id": session }),
		},
		body: JSON.stringify({
			jsonrpc: "2.0",
			id: 1,
			method,
			params: params ?? { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
		}),
	});
	const body: unknown = JSON.parse((await response.text()) || "{}");
	return {
		status: response.status,
		session: response.headers.get("mcp-session-id") ?? undefined,
		body: isObject(body) ? body : {},
	};
}

/** One request of a client without a session, which declares these capabilities. */
export async function ask2026(
	url: string,
	method: string,
	params: JsonObject,
	capabilities: JsonObject,
	{ logLevel, signal }: { readonly logLevel?: string; readonly signal?: AbortSignal } = {},
): Promise<JsonObject> {
	const level = logLevel !== undefined && { "io.modelcontextprotocol/logLevel": logLevel };
	const response = await send2026(url, method, { ...params, _meta: { ...level } }, capabilities, signal);
	const body: unknown = JSON.parse(await response.text());
	return isObject(body) ? body : {};
}

/** The response to a request of such a client, whose `_meta` is added to what each of its requests says. */
export function send2026(
	url: string,
	method: string,
	{ _meta, ...params }: JsonObject,
	capabilities: JsonObject,
	signal?: AbortSignal,
): Promise<Response> {
	const said = {
		"io.modelcontextprotocol/protocolVersion": "2026-07-28",
		"io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
		"io.modelcontextprotocol/clientCapabilities": capabilities,
		...(isObject(_meta) && _meta),
	};
	const about = params.name ?? params.uri;
	return fetch(url, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			accept: "application/json, text/event-stream",
			"mcp-protocol-version": "2026-07-28",
			"mcp-method": method,
			...(typeof about === "string" && { "mcp-name": about }),
		},
		body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: said } }),
		...(signal !== undefined && { signal }),
	});
}
