import type { IncomingMessage } from "node:http";
import type { JSONRPCRequest } from "@modelcontextprotocol/client";
import { discard } from "./readAnswer.ts";

/** Thrown for a request that did not run, because the server does not know its session any more. */
export class UnknownSessionError extends Error {}

type Post = (message: JSONRPCRequest, signal: AbortSignal) => Promise<IncomingMessage>;

const PING: JSONRPCRequest = { jsonrpc: "2.0", id: "is this session known", method: "ping" };
const CHECK_MS = 5_000;

/** How servers answer in a session that they do not know: the protocol says 404, and many, also official ones, say 400. */
const UNKNOWN = new Set<unknown>([404, 400]);

export function maySayUnknown(status: number | undefined): boolean {
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
			discard(response);
			return maySayUnknown(response.statusCode);
		} catch {
			return false;
		}
	}
}
