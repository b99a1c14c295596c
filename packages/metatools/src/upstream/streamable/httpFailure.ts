import type { IncomingMessage } from "node:http";
import type { JSONRPCRequest, SdkErrorCode } from "@modelcontextprotocol/client";
import { discardBody } from "./readAnswer.ts";

type HttpFailureCode = keyof typeof SdkErrorCode & `ClientHttp${string}`;

/** An HTTP refusal as the SDK's own error, by which its client detects the era. Loaded only when something failed. */
export async function createHttpError(
	code: HttpFailureCode,
	doing: string,
	{ statusCode = 0, statusMessage = "", headers }: IncomingMessage,
	text: string,
): Promise<Error> {
	const { SdkErrorCode, SdkHttpError } = await import("@modelcontextprotocol/client");
	const reason = leadsTo(statusCode, headers.location) ?? (readable(text) || statusMessage);
	return new SdkHttpError(SdkErrorCode[code], `${doing} failed with HTTP ${statusCode}: ${reason}`, {
		status: statusCode,
		statusText: statusMessage,
		text,
		retryAfter: headers["retry-after"],
		hasChallenge: headers["www-authenticate"] !== undefined,
	});
}

/** The text of a body without markup, since many servers and proxies refuse with an HTML page. */
function readable(text: string): string {
	const isPage = /^\s*<(?:!doctype|html)/i.test(text);
	return isPage
		? text
				.replace(/<[^<>]*>/g, " ")
				.replace(/\s+/g, " ")
				.trim()
		: text;
}

/** For a 2xx response that is not a valid answer. */
export async function createContentError(type: string | undefined): Promise<Error> {
	const { SdkError, SdkErrorCode } = await import("@modelcontextprotocol/client");
	return new SdkError(
		SdkErrorCode.ClientHttpUnexpectedContent,
		`content-type: expected application/json or text/event-stream, got ${JSON.stringify(type ?? "nothing")}`,
		{ contentType: type },
	);
}

/** The target of a redirect that was not followed, without the parts that may be secret. */
function leadsTo(status: number, location: string | undefined): string | undefined {
	const to = status >= 300 && status < 400 ? URL.parse(location ?? "") : null;
	return to === null ? undefined : `it redirects to ${to.origin}${to.pathname}, which is not followed`;
}

/** Thrown for a request that did not run, because the server does not know its session any more. */
export class UnknownSessionError extends Error {}

type Post = (message: JSONRPCRequest, signal: AbortSignal) => Promise<IncomingMessage>;

const PING: JSONRPCRequest = { jsonrpc: "2.0", id: "is this session known", method: "ping" };
const CHECK_MS = 5_000;

/** How servers answer in a session that they do not know: the protocol says 404, and many, also official ones, say 400. */
const UNKNOWN = new Set<unknown>([404, 400]);

export function canMeanUnknownSession(status: number | undefined): boolean {
	return UNKNOWN.has(status);
}

/** Finds out what such a status means. A tool may answer with it too; only a server that forgot the session answers a ping so. */
export class SessionCheck {
	readonly #post: Post;
	#asking: Promise<boolean> | undefined;

	constructor(post: Post) {
		this.#post = post;
	}

	/** False also if the server does not answer, since then nobody knows what became of the request. */
	isForgotten(): Promise<boolean> {
		this.#asking ??= this.#ask().finally(() => {
			this.#asking = undefined;
		});
		return this.#asking;
	}

	async #ask(): Promise<boolean> {
		try {
			const response = await this.#post(PING, AbortSignal.timeout(CHECK_MS));
			discardBody(response);
			return canMeanUnknownSession(response.statusCode);
		} catch {
			// No answer to the ping says nothing of the session.
			return false;
		}
	}
}
