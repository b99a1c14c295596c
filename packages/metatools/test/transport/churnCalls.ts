import { type Agent, request } from "node:https";

export type Post = {
	(
		message: unknown,
		options?: { path?: string; headers?: Record<string, string>; vanishes?: boolean },
	): Promise<string>;
	metrics(): Promise<string>;
};

const META = {
	"io.modelcontextprotocol/protocolVersion": "2026-07-28",
	"io.modelcontextprotocol/clientCapabilities": {},
};
const LEGACY: Record<string, string> = { accept: "application/json, text/event-stream" };

export function poster(url: URL, agent: Agent): Post {
	const send = (method: string, path: string, headers: Record<string, string>, body: string, vanishes: boolean) =>
		new Promise<string>((resolve, reject) => {
			const sent = request(new URL(path, url), { method, agent, headers }, (response) => {
				let text = "";
				response.on("data", (chunk: Buffer) => {
					text += chunk.toString();
				});
				response.on("end", () => resolve(text));
				response.on("error", reject);
			});
			sent.on("error", reject);
			sent.end(body);
			if (vanishes) setTimeout(() => sent.destroy(new Error("vanished")), 1 + Math.random() * 20);
		});
	const post = (message: unknown, { path = "/mcp", headers = LEGACY, vanishes = false } = {}): Promise<string> =>
		send("POST", path, { "content-type": "application/json", ...headers }, JSON.stringify(message), vanishes);
	return Object.assign(post, { metrics: () => send("GET", "/metrics", {}, "", false) });
}

/** One echo without a handshake, by run_tool or on the server's own path; gives the body as it came. */
export function echoVia(
	post: Post,
	way: "run" | "through",
	id: number,
	text: string,
	vanishes: boolean,
): Promise<string> {
	const [path, name, given] =
		way === "run" ? ["/mcp", "run_tool", { tool_id: "echo:echo", args: { text } }] : ["/mcp/echo", "echo", { text }];
	const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name };
	const message = { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: given, _meta: META } };
	return post(message, { path, headers, vanishes });
}

export function initialize(): unknown {
	const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "gone", version: "1" } };
	return { jsonrpc: "2.0", id: 1, method: "initialize", params };
}
