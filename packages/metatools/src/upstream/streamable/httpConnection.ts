import {
	type ClientRequest,
	globalAgent,
	Agent as HttpAgent,
	request as httpRequest,
	type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { urlToHttpOptions } from "node:url";
import { isObject } from "../../contract/json.ts";
import { discard } from "./readAnswer.ts";

export type HttpMessage = {
	readonly method: "POST" | "GET" | "DELETE";
	/** Names and values in turn, all but the host's. */
	readonly headers: readonly string[];
	readonly body?: string;
	readonly signal?: AbortSignal | undefined;
};

/** An unused socket is closed before the server, which may not say when it does so, closes it under a request. */
const IDLE_SOCKET_MS = 4_000;
const MOST_IDLE_SOCKETS = 64;
/** A server that is silent for so long, before its answer or in the middle of it, is gone. */
const SILENCE_MS = 300_000;
const MOST_REDIRECTS = 5;

/** Sockets to one server, used again and again. Nothing leads away from the address its owner configured. */
export class HttpConnection {
	readonly #url: URL;
	readonly #agents: Readonly<Record<string, HttpAgent>>;

	constructor(url: URL) {
		if (url.protocol !== "http:" && url.protocol !== "https:")
			throw new Error(`url: expected http or https, got ${url.protocol}`);
		if (url.username !== "" || url.password !== "")
			throw new Error("url: expected no user name or password in it; a header can carry them");
		this.#url = url;
		const options = {
			keepAlive: true,
			noDelay: true,
			timeout: IDLE_SOCKET_MS,
			maxFreeSockets: MOST_IDLE_SOCKETS,
			...(usesProxies() && { proxyEnv: process.env }),
		};
		this.#agents = { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) };
	}

	/** Resolves with the answer's head; its body is the caller's to read. Redirects are followed inside the server's own origin. */
	async send(message: HttpMessage): Promise<IncomingMessage> {
		let url = this.#url;
		for (let followed = 0; ; followed++) {
			const response = await this.#exchange(url, message);
			const next = followed < MOST_REDIRECTS ? redirectWithin(url, message.method, response) : undefined;
			if (next === undefined) return response;
			discard(response);
			url = next;
		}
	}

	/** A request that a closed socket did not take is sent over the next: there are so many, and then a new one. */
	async #exchange(url: URL, message: HttpMessage): Promise<IncomingMessage> {
		for (;;) {
			try {
				return await exchange(url, message, this.#agents[url.protocol]);
			} catch (thrown) {
				if (!(thrown instanceof UnsentError)) throw thrown;
			}
		}
	}

	/** One last message over a socket of its own. */
	sendApart(message: HttpMessage): Promise<IncomingMessage> {
		return exchange(this.#url, message, undefined);
	}

	/** Ends every exchange under way. */
	close(): void {
		for (const agent of Object.values(this.#agents)) agent.destroy();
	}
}

/** Whether Node was told to take its proxies from the environment. */
function usesProxies(): boolean {
	return "options" in globalAgent && isObject(globalAgent.options) && globalAgent.options.proxyEnv !== undefined;
}

function exchange(
	url: URL,
	{ method, headers, body, signal }: HttpMessage,
	agent: HttpAgent | undefined,
): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		if (signal?.aborted === true) return reject(signal.reason);
		const { host, ...target } = targetOf(url);
		const request = (target.protocol === "https:" ? httpsRequest : httpRequest)({
			...target,
			method,
			// Given as a list they are written as they are, once.
			headers: ["host", host, ...headers],
			agent: agent ?? false,
			timeout: SILENCE_MS,
		});
		if (signal !== undefined) {
			const abort = (): void => void request.destroy(asError(signal.reason));
			signal.addEventListener("abort", abort, { once: true });
			request.once("close", () => signal.removeEventListener("abort", abort));
		}
		request.once("response", resolve);
		request.on("timeout", () => {
			const heard = request.socket?.bytesRead;
			// What came while this process slept is read first, and then it was not silent.
			setImmediate(() => {
				if (request.socket?.bytesRead === heard)
					request.destroy(failed("ETIMEDOUT", `${url.host} was silent for too long`));
			});
		});
		request.on("error", (error) => reject(isUnsent(request, error) ? new UnsentError() : described(error, url)));
		request.end(body);
	});
}

/** The server closed the socket while nobody used it, and cannot have seen the end of the request. */
class UnsentError extends Error {}

/** Only where the system itself refused to take the bytes; what it took may have arrived, whatever became of the socket. */
function isUnsent(request: ClientRequest, error: Error): boolean {
	return request.reusedSocket && !request.writableFinished && "syscall" in error && error.syscall === "write";
}

type Target = {
	readonly host: string;
	readonly protocol: string;
	readonly hostname: string;
	readonly port: string | number | undefined;
	readonly path: string;
};

/** The same few addresses are asked for again and again. */
const targets = new WeakMap<URL, Target>();

function targetOf(url: URL): Target {
	const known = targets.get(url);
	if (known !== undefined) return known;
	const { protocol, hostname, port, path } = urlToHttpOptions(url);
	const target = {
		host: url.host,
		protocol: protocol ?? "http:",
		hostname: hostname ?? "",
		port: port ?? undefined,
		path: path ?? "/",
	};
	targets.set(url, target);
	return target;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Where a redirect leads that may be followed: to the same server, the same method kept. */
function redirectWithin(from: URL, method: string, { statusCode = 0, headers }: IncomingMessage): URL | undefined {
	if (!REDIRECTS.has(statusCode) || (method !== "GET" && statusCode < 307)) return undefined;
	const to = URL.parse(headers.location ?? "", from.href);
	if (to === null || to.username !== "" || to.password !== "") return undefined;
	const secured = from.protocol === "http:" && to.protocol === "https:" && from.port === "" && to.port === "";
	return to.origin === from.origin || (secured && to.hostname === from.hostname) ? to : undefined;
}

/** Several addresses that were tried in vain come as one error without words. */
function described(error: Error & { readonly code?: string }, url: URL): Error {
	return error.message === "" ? failed(error.code ?? "ECONNREFUSED", `${url.host} could not be reached`) : error;
}

function failed(code: string, message: string): Error {
	return Object.assign(new Error(`${message} (${code})`), { code });
}

function asError(reason: unknown): Error {
	return reason instanceof Error ? reason : new Error(String(reason));
}
