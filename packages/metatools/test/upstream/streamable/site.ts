import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { HttpAuth } from "../../../src/upstream/streamable/httpAuth.ts";
import { StreamableTransport } from "../../../src/upstream/streamable/streamableTransport.ts";

export type Seen = { readonly request: IncomingMessage; readonly message: JSONRPCMessage | undefined };
export type Answer = (seen: Seen, response: ServerResponse) => void;

export type Site = {
	readonly url: URL;
	readonly seen: Seen[];
	/** What is done with the next requests; may be set anew at any time. */
	answer: Answer;
	/** Sockets open now. */
	connections(): Promise<number>;
};

/** An address that answers as told and remembers what it was asked. */
export async function site(answer: Answer): Promise<Site> {
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += String(chunk);
		const seen = { request, message: body === "" ? undefined : JSON.parse(body) };
		made.seen.push(seen);
		made.answer(seen, response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	after(() => {
		server.closeAllConnections();
		server.close();
	});
	const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
	const connections = (): Promise<number> =>
		new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
	const made: Site = { url, seen: [], answer, connections };
	return made;
}

/** Answers what a client asks of a server and of the authorization server it names, before it logs in; else false. */
export function tellsOfLogin(request: IncomingMessage, response: ServerResponse): boolean {
	const origin = `http://${request.headers.host}`;
	switch (request.url) {
		case "/.well-known/oauth-protected-resource/mcp":
			json(response, JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: [origin] }));
			return true;
		case "/.well-known/oauth-authorization-server":
			json(
				response,
				JSON.stringify({
					issuer: origin,
					authorization_endpoint: `${origin}/authorize`,
					token_endpoint: `${origin}/token`,
					response_types_supported: ["code"],
					code_challenge_methods_supported: ["S256"],
				}),
			);
			return true;
		default:
			return false;
	}
}

export type Opened = {
	readonly transport: StreamableTransport;
	readonly heard: JSONRPCMessage[];
	readonly fatal: Error[];
	readonly closed: Promise<void>;
};

export function open(url: URL, headers: Record<string, string> = {}, auth?: HttpAuth, silenceMs?: number): Opened {
	const heard: JSONRPCMessage[] = [];
	const fatal: Error[] = [];
	const closed = Promise.withResolvers<void>();
	const transport = new StreamableTransport({
		url,
		headers,
		auth,
		maxBytes: 1_000,
		...(silenceMs !== undefined && { silenceMs }),
		onFatal: (error) => void fatal.push(error),
	});
	transport.onmessage = (message) => void heard.push(message);
	transport.onclose = () => closed.resolve();
	transport.onerror = () => {};
	after(() => transport.close());
	return { transport, heard, fatal, closed: closed.promise };
}

export const call = (id: number): JSONRPCMessage => ({
	jsonrpc: "2.0",
	id,
	method: "tools/call",
	params: { name: "echo", arguments: {} },
});

export const resultOf = (id: number, text = "ok"): string => JSON.stringify({ jsonrpc: "2.0", id, result: { text } });

export function json(response: ServerResponse, body: string, headers: Record<string, string> = {}): void {
	response.writeHead(200, { "content-type": "application/json", ...headers }).end(body);
}

export function stream(response: ServerResponse, text: string): void {
	response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
	response.write(text);
}
