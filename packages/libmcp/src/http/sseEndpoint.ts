import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Principal } from "../server/protocol/dispatcher.ts";
import type { Outlet } from "../server/protocol/outlet.ts";
import { RpcServer, type RpcServerOptions } from "../server/session/rpcServer.ts";
import { RpcSession } from "../server/session/rpcSession.ts";
import { scanEnvelope } from "../wire/scanEnvelope.ts";
import { EventStream } from "./eventStream.ts";
import type { HttpEndpoint } from "./front/front.ts";
import { readBody } from "./front/readBody.ts";
import { HttpRefusal } from "./front/refusal.ts";

export type SseEndpointOptions = RpcServerOptions & {
	/** The path that clients post to; the stream tells them. Default: the one that they opened the stream at. */
	readonly messagesPath?: string;
	readonly maxSessions?: number;
	readonly maxBodyBytes?: number;
};

type SseSession = { readonly rpc: RpcSession; readonly stream: EventStream };

const MAX_SESSIONS = 1_000;
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;

/** The transport of revision 2024-11-05, for old clients: one stream for all the server sends, POSTs for the rest. */
export class SseEndpoint implements HttpEndpoint {
	readonly #options: SseEndpointOptions;
	readonly #server: RpcServer;
	readonly #sessions = new Map<string, SseSession>();
	readonly #keepAlive: NodeJS.Timeout;

	constructor(options: SseEndpointOptions) {
		this.#options = options;
		this.#server = new RpcServer(options);
		this.#keepAlive = setInterval(() => {
			for (const { stream } of this.#sessions.values()) stream.keepAlive();
		}, KEEP_ALIVE_MS);
		this.#keepAlive.unref();
	}

	get sessions(): number {
		return this.#sessions.size;
	}

	notify(method: string, params?: Record<string, unknown>): void {
		for (const { rpc } of this.#sessions.values()) rpc.notify(method, params);
	}

	async handle(request: IncomingMessage, response: ServerResponse, principal?: Principal): Promise<void> {
		if (request.method === "GET") this.#open(request, response, principal);
		else if (request.method === "POST") await this.#message(request, response, principal);
		else throw new HttpRefusal("METHOD_NOT_ALLOWED", `${request.method}: expected GET or POST`, { allow: "GET, POST" });
	}

	async close(drainMs: number): Promise<void> {
		clearInterval(this.#keepAlive);
		const deadline = performance.now() + drainMs;
		const isOver = (): boolean => performance.now() >= deadline;
		await Promise.all([...this.#sessions.values()].map(({ rpc }) => rpc.drain(isOver)));
		for (const { rpc, stream } of this.#sessions.values()) {
			rpc.giveUp("the server is shutting down");
			stream.end();
		}
		this.#sessions.clear();
	}

	#open(request: IncomingMessage, response: ServerResponse, principal: Principal | undefined): void {
		if (this.#sessions.size >= (this.#options.maxSessions ?? MAX_SESSIONS)) {
			throw new HttpRefusal("RATE_LIMITED", "every session is in use", { "retry-after": "5" });
		}
		const id = randomBytes(24).toString("base64url");
		const stream = new EventStream(0);
		const outlet = { emit: (text: string) => stream.send(text) };
		const rpc = new RpcSession(this.#server, { id, outlet, ...(principal === undefined ? {} : { principal }) });
		this.#sessions.set(id, { rpc, stream });
		stream.attach(response);
		const path = this.#options.messagesPath ?? (request.url ?? "/").split("?")[0];
		response.write(`event: endpoint\ndata: ${path}?session=${id}\n\n`);
		// The session ends with its stream, because there is nowhere else to send answers.
		response.once("close", () => {
			this.#sessions.delete(id);
			rpc.end("the client closed the stream");
		});
	}

	async #message(request: IncomingMessage, response: ServerResponse, principal: Principal | undefined): Promise<void> {
		const id = sessionIn(request) ?? "";
		// Read the body first, because the session may end while it arrives.
		const frame = await readBody(request, this.#options.maxBodyBytes ?? MAX_BODY_BYTES);
		const session = this.#sessions.get(id);
		if (session === undefined || session.rpc.principal?.id !== principal?.id) {
			throw new HttpRefusal("SESSION_NOT_FOUND", "session: there is no such session; open the stream again");
		}
		session.rpc.principal = principal;
		const outlet: Outlet = {
			emit: (text) => session.stream.send(text),
			finish: (answer) => answer !== undefined && session.stream.send(answer.text),
		};
		session.rpc.receive(scanEnvelope(frame), frame, outlet);
		response.writeHead(202).end();
	}
}

/**
 * Whether a request at a path of both transports belongs to this one: a stream that is opened without the headers of any
 * later revision, and what is posted to the address that the stream gave.
 */
export function speaksSse(request: IncomingMessage): boolean {
	const { method, headers } = request;
	if (headers["mcp-session-id"] !== undefined || headers["mcp-protocol-version"] !== undefined) return false;
	if (method === "POST") return sessionIn(request) !== undefined;
	return method === "GET" && headers.accept?.includes("text/event-stream") === true;
}

function sessionIn({ url = "" }: IncomingMessage): string | undefined {
	return new URLSearchParams(url.split("?")[1] ?? "").get("session") ?? undefined;
}
