import { after } from "node:test";
import { RpcError } from "../../src/fault/rpcError.ts";
import { createFront, type FrontOptions } from "../../src/http/front/front.ts";
import { LOOPBACK_NAMES } from "../../src/http/front/guards.ts";
import { type HttpListener, type ListenOptions, listen } from "../../src/http/front/listen.ts";
import { type EndpointOptions, McpEndpoint } from "../../src/http/mcpEndpoint.ts";
import type { Dispatcher } from "../../src/server/protocol/dispatcher.ts";

export type Served = {
	readonly url: string;
	readonly endpoint: McpEndpoint;
	readonly listener: HttpListener;
	readonly seen: Seen;
};
export type Seen = { held: number; aborted: number; notifications: string[]; release(): void };

export const INITIALIZE = {
	protocolVersion: "2025-11-25",
	capabilities: { roots: {} },
	clientInfo: { name: "raw", version: "1" },
};
export const CLAIM = {
	"io.modelcontextprotocol/protocolVersion": "2026-07-28",
	"io.modelcontextprotocol/clientCapabilities": {},
};

/** A server with the tools echo, hold (until released or aborted), steps (progress) and ask (a request to the client). */
export async function serve(
	options: { endpoint?: Partial<EndpointOptions>; front?: Partial<FrontOptions>; listen?: ListenOptions } = {},
): Promise<Served> {
	let release = (): void => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	const seen: Seen = { held: 0, aborted: 0, notifications: [], release: () => release() };
	const dispatcher: Dispatcher = async (method, params, context) => {
		if (method === "tools/list") return { tools: [{ name: "echo", inputSchema: { type: "object" } }] };
		if (method !== "tools/call") throw new RpcError(-32601, `Method not found: ${method}`);
		const { name, arguments: given } = params as { name: string; arguments?: { text?: string } };
		switch (name) {
			case "echo":
				return { content: [{ type: "text", text: given?.text ?? "" }], who: context.principal?.id };
			case "hold":
				seen.held++;
				context.signal.addEventListener("abort", () => seen.aborted++);
				if (given?.text === "streaming") context.notify("notifications/message", { level: "info", data: "holding" });
				await Promise.race([
					held,
					new Promise((_, reject) => context.signal.addEventListener("abort", () => reject(new Error("aborted")))),
				]);
				return { content: [{ type: "text", text: "held" }] };
			case "steps":
				for (let progress = 1; progress <= 3; progress++) context.progress({ progress, total: 3 });
				return { content: [] };
			case "ask":
				return { content: [{ type: "text", text: JSON.stringify(await context.request("roots/list")) }] };
			default:
				throw new RpcError(-32602, `Unknown tool: ${name}`);
		}
	};
	const endpoint = new McpEndpoint({
		dispatcher,
		description: { info: { name: "served", version: "1.0.0" }, capabilities: { tools: { listChanged: true } } },
		onNotification: (method) => void seen.notifications.push(method),
		...options.endpoint,
	});
	const front = createFront({
		endpoint: (path) => (path === "/mcp" ? endpoint : undefined),
		origins: { hosts: LOOPBACK_NAMES, origins: ["https://app.example"] },
		...options.front,
	});
	const listener = await listen(front, options.listen);
	after(() => listener.close([endpoint], 0));
	return { url: `${listener.address}/mcp`, endpoint, listener, seen };
}

export type Answered = {
	readonly status: number;
	readonly headers: Headers;
	readonly body: string;
	readonly json: Record<string, unknown>;
};

export async function post(url: string, message: unknown, headers: Record<string, string> = {}): Promise<Answered> {
	const response = await fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
		body: typeof message === "string" || message instanceof Uint8Array ? message : JSON.stringify(message),
	});
	const body = await response.text();
	const streamed = response.headers.get("content-type") === "text/event-stream";
	return {
		status: response.status,
		headers: response.headers,
		body,
		json: parsed(streamed ? (events(body).at(-1)?.data ?? "") : body),
	};
}

export type ServerEvent = { readonly id: string | undefined; readonly data: string };

export function events(body: string): readonly ServerEvent[] {
	return body
		.split("\n\n")
		.map((block) => ({ id: /^id: (.*)$/m.exec(block)?.[1], data: /^data: (.*)$/m.exec(block)?.[1] ?? "" }))
		.filter((event) => event.data !== "");
}

export const request = (id: unknown, method: string, params?: unknown): unknown => ({
	jsonrpc: "2.0",
	id,
	method,
	params,
});
export const call = (id: unknown, name: string, text?: string, extra: Record<string, unknown> = {}): unknown =>
	request(id, "tools/call", { name, arguments: { text }, ...extra });

export function modernHeaders(method: string, name?: string): Record<string, string> {
	return {
		"mcp-protocol-version": "2026-07-28",
		"mcp-method": method,
		...(name === undefined ? {} : { "mcp-name": name }),
	};
}

export async function openSession(url: string, headers: Record<string, string> = {}): Promise<Record<string, string>> {
	const opened = await post(url, request(1, "initialize", INITIALIZE), headers);
	const session = opened.headers.get("mcp-session-id");
	if (session === null) throw new Error(`no session: ${opened.status} ${opened.body}`);
	return { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25", ...headers };
}

export function errorOf(answered: Answered): { code: number; message: string; data: { code: string } } {
	return answered.json.error as { code: number; message: string; data: { code: string } };
}

function parsed(body: string): Record<string, unknown> {
	return body === "" ? {} : (JSON.parse(body) as Record<string, unknown>);
}
