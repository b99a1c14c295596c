import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Front, HttpEndpoint } from "./front.ts";
import { HttpRefusal, refuse } from "./refusal.ts";
import { readTls, type TlsFiles, watchTls } from "./tlsFiles.ts";

export type ListenOptions = {
	readonly host?: string;
	/** 0, the default, lets the system choose a port. */
	readonly port?: number;
	readonly tls?: TlsFiles;
	/** Called when a changed certificate cannot be used; the old one stays active. */
	readonly onTlsProblem?: (problem: string) => void;
};

export type HttpListener = {
	readonly address: string;
	readonly port: number;
	/** Refuses new requests, gives calls in flight `drainMs` to finish, and closes every connection. */
	close(endpoints: Iterable<HttpEndpoint>, drainMs?: number): Promise<void>;
};

/** How long `close` waits for running calls to answer. */
export const SHUTDOWN_MS = 5_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node checks the two timeouts above; slow senders can hold a connection this much longer. */
const CHECKING_MS = 2_000;
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** Rejects when the address is not available or the certificate cannot be read. */
export async function listen(front: Front, options: ListenOptions = {}): Promise<HttpListener> {
	const limits = {
		maxHeaderSize: MAX_HEADER_BYTES,
		headersTimeout: HEADERS_TIMEOUT_MS,
		requestTimeout: REQUEST_TIMEOUT_MS,
		connectionsCheckingInterval: CHECKING_MS,
		keepAliveTimeout: KEEP_ALIVE_MS,
		noDelay: true,
		// `serveFront` refuses a request without a Host header.
		requireHostHeader: false,
	};
	const { tls, host = "127.0.0.1" } = options;
	const secure = tls && createTlsServer({ ...limits, ...readTls(tls) });
	const server: Server = secure ?? createServer(limits);
	serveFront(server, front);
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(options.port ?? 0, host, () => {
			server.off("error", reject);
			resolve();
		});
	});
	const stopWatching = tls && watchTls(tls, (context) => secure?.setSecureContext(context), options.onTlsProblem);
	const { port } = server.address() as AddressInfo;
	return {
		port,
		address: `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
		close: async (endpoints, drainMs = SHUTDOWN_MS) => {
			front.refuseNew();
			stopWatching?.();
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeIdleConnections();
			await Promise.all([...endpoints].map((endpoint) => endpoint.close(drainMs)));
			// Gives the last answers time to be sent; connections still open after that carry no call.
			setTimeout(() => server.closeAllConnections(), LINGER_MS).unref();
			server.closeIdleConnections();
			await closed;
		},
	};
}

const LINGER_MS = 250;

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** Passes the server's requests to the front, and answers those that Node would refuse without a body. */
function serveFront(server: Server, front: Front): void {
	/** The last request of each connection. */
	const latest = new WeakMap<Socket, Exchange>();
	const broken = new WeakSet<Socket>();

	const refuseOne = ({ request, response }: Exchange, refusal: HttpRefusal): void => {
		if (front.refuse === undefined) refuse(response, refusal);
		else front.refuse(request, response, refusal);
	};
	server.on("request", (request, response) => {
		latest.set(request.socket, { request, response });
		if (request.httpVersion !== "1.1" || request.headers.host !== undefined) front.handle(request, response);
		else refuseOne({ request, response }, new HttpRefusal("BAD_REQUEST", "host: expected a name, got none", CLOSE));
	});
	server.on("checkExpectation", (request, response) => {
		latest.set(request.socket, { request, response });
		const got = JSON.stringify(String(request.headers.expect).slice(0, 80));
		const message = `expect: expected 100-continue, got ${got}`;
		refuseOne({ request, response }, new HttpRefusal("EXPECTATION_FAILED", message, CLOSE));
	});
	server.on("clientError", (error: NodeJS.ErrnoException, duplex) => {
		const socket = duplex as Socket;
		// Later errors on a broken connection only follow from the first.
		if (broken.has(socket)) return;
		broken.add(socket);
		const refusal = refusalOf(error);
		const last = latest.get(socket);
		const inDoubt = last !== undefined && !last.request.complete ? last : undefined;
		if (refusal === undefined || !socket.writable || inDoubt?.response.headersSent === true) socket.destroy();
		else if (inDoubt !== undefined) refuseOne(inDoubt, refusal);
		else if (last === undefined || last.response.writableFinished) refuseOne(exchangeOn(socket), refusal);
		else last.response.once("finish", () => socket.writable && refuseOne(exchangeOn(socket), refusal));
	});
}

const CLOSE = { connection: "close" };
const CLOSING_LINGER_MS = 1_000;

/** The refusal of a request that could not be parsed; undefined when the connection itself failed. */
function refusalOf({ code, message }: NodeJS.ErrnoException): HttpRefusal | undefined {
	switch (code) {
		case "HPE_HEADER_OVERFLOW":
			return new HttpRefusal("HEADERS_TOO_LARGE", "the headers are larger than this server reads", CLOSE);
		case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
			return new HttpRefusal("BODY_TOO_LARGE", "the body has larger chunk extensions than this server reads", CLOSE);
		case "ERR_HTTP_REQUEST_TIMEOUT":
			return new HttpRefusal("REQUEST_TIMEOUT", "the request did not come in time", CLOSE);
		default:
			return code?.startsWith("HPE_") === true
				? new HttpRefusal("BAD_REQUEST", `expected a request of HTTP/1.1, got something else (${message})`, CLOSE)
				: undefined;
	}
}

/** A response for a connection whose bytes could not be parsed as a request. */
function exchangeOn(socket: Socket): Exchange {
	const request = new IncomingMessage(socket);
	const response = new ServerResponse(request);
	response.assignSocket(socket);
	response.once("finish", () => {
		socket.end();
		// If destroyed at once with unread input, the connection could be reset before the client reads the answer.
		setTimeout(() => socket.destroy(), CLOSING_LINGER_MS).unref();
	});
	return { request, response };
}
