import {
	type ClientRequest,
	globalAgent,
	Agent as HttpAgent,
	request as httpRequest,
	type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { urlToHttpOptions } from "node:url";
import { asError } from "libmcp/command";
import { isObject } from "../../contract/json.ts";
import { discardBody } from "./readAnswer.ts";

export type HttpMessage = {
	readonly method: "POST" | "GET" | "DELETE";
	/** Alternating names and values, without Host. */
	readonly headers: readonly string[];
	readonly body?: string;
	readonly signal?: AbortSignal | undefined;
	/** Whether someone still waits for the answer, who knows for how long to wait. */
	readonly isAwaited?: (() => boolean) | undefined;
};

/** Idle sockets are closed early, before the server closes one just as a request is sent. */
const IDLE_SOCKET_MS = 4_000;
const MOST_IDLE_SOCKETS = 64;
/** A server that is silent for this long, before or during its answer, counts as gone where nobody waits for it. */
const SILENCE_MS = 300_000;
const MOST_REDIRECTS = 5;

/** Kept-alive sockets to one server. Redirects never leave the configured origin. */
export class HttpConnection {
	readonly #url: URL;
	readonly #silenceMs: number;
	readonly #agents: Readonly<Record<string, HttpAgent>>;

	constructor(url: URL, silenceMs: number = SILENCE_MS) {
		if (url.protocol !== "http:" && url.protocol !== "https:")
			throw new Error(`url: expected http or https, got ${url.protocol}`);
		if (url.username !== "" || url.password !== "")
			throw new Error("url: expected no user name or password in it; a header can carry them");
		this.#url = url;
		this.#silenceMs = silenceMs;
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
			discardBody(response);
			url = next;
		}
	}

	/** A request that a closed socket did not accept is sent over the next idle one, finally over a new one. */
	async #exchange(url: URL, message: HttpMessage): Promise<IncomingMessage> {
		for (;;) {
			try {
				return await exchange(url, message, this.#agents[url.protocol], this.#silenceMs);
			} catch (thrown) {
				if (!(thrown instanceof UnsentError)) throw thrown;
			}
		}
	}

	/** Sends a final message over its own socket. */
	sendApart(message: HttpMessage): Promise<IncomingMessage> {
		return exchange(this.#url, message, undefined, this.#silenceMs);
	}

	/** Ends every exchange under way. */
	close(): void {
		for (const agent of Object.values(this.#agents)) agent.destroy();
	}
}

/** Whether Node was told to read proxies from the environment. */
function usesProxies(): boolean {
	return "options" in globalAgent && isObject(globalAgent.options) && globalAgent.options.proxyEnv !== undefined;
}

function exchange(
	url: URL,
	{ method, headers, body, signal, isAwaited }: HttpMessage,
	agent: HttpAgent | undefined,
	silenceMs: number,
): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		if (signal?.aborted === true) return reject(signal.reason);
		const { host, ...target } = targetOf(url);
		const request = (target.protocol === "https:" ? httpsRequest : httpRequest)({
			...target,
			method,
			// As a list, headers are written unchanged.
			headers: ["host", host, ...headers],
			agent: agent ?? false,
			timeout: silenceMs,
		});
		if (signal !== undefined) {
			const abort = (): void => void request.destroy(asError(signal.reason));
			signal.addEventListener("abort", abort, { once: true });
			request.once("close", () => signal.removeEventListener("abort", abort));
		}
		request.once("response", resolve);
		request.on("timeout", () => {
			const heard = request.socket?.bytesRead;
			// If this process was paused, pending input is read first: the server may have answered in time.
			setImmediate(() => {
				if (isAwaited?.() === true) request.socket?.setTimeout(silenceMs);
				else if (request.socket?.bytesRead === heard)
					request.destroy(connectionError("ETIMEDOUT", `${url.host} was silent for too long`));
			});
		});
		request.on("error", (error) => reject(isUnsent(request, error) ? new UnsentError() : withMessage(error, url)));
		request.end(body);
	});
}

/** The server closed the idle socket and cannot have received the whole request. */
class UnsentError extends Error {}

/** True only when the system refused the bytes; bytes it accepted may have arrived. */
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

/** Caches parsed addresses, as the same few are used all the time. */
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

/** The target of a redirect that may be followed: one to the same server that keeps the method. */
function redirectWithin(from: URL, method: string, { statusCode = 0, headers }: IncomingMessage): URL | undefined {
	if (!REDIRECTS.has(statusCode) || (method !== "GET" && statusCode < 307)) return undefined;
	const to = URL.parse(headers.location ?? "", from.href);
	if (to === null || to.username !== "" || to.password !== "") return undefined;
	const secured = from.protocol === "http:" && to.protocol === "https:" && from.port === "" && to.port === "";
	return to.origin === from.origin || (secured && to.hostname === from.hostname) ? to : undefined;
}

/** When several addresses fail, Node throws an AggregateError without a message. */
function withMessage(error: Error & { readonly code?: string }, url: URL): Error {
	return error.message === ""
		? connectionError(error.code ?? "ECONNREFUSED", `${url.host} could not be reached`)
		: error;
}

function connectionError(code: string, message: string): Error {
	return Object.assign(new Error(`${message} (${code})`), { code });
}
