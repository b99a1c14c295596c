import { IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Front } from "./front.ts";
import { HttpRefusal, refuse } from "./refusal.ts";

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** Passes the server's requests to the front, and answers those that Node would refuse without a body. */
export function serveFront(server: Server, front: Front): void {
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
const LINGER_MS = 1_000;

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
		setTimeout(() => socket.destroy(), LINGER_MS).unref();
	});
	return { request, response };
}
