import { hasFeature } from "libmcp";
import { modernHeaders } from "libmcp/http";
import { isObject } from "../../contract/json.ts";
import { ENCODINGS } from "./readAnswer.ts";

/** Headers set by the connection or the message, never by configuration or a caller. */
const OURS = new Set([
	"accept",
	"accept-encoding",
	"connection",
	"content-length",
	"content-type",
	"host",
	"last-event-id",
	"mcp-method",
	"mcp-name",
	"mcp-protocol-version",
	"mcp-session-id",
	"transfer-encoding",
]);

/** The headers of every request to one server, as lists of names and values. */
export class RequestHeaders {
	/** Given out by the server at the handshake. */
	session: string | undefined;
	/** Agreed on at the handshake. */
	revision: string | undefined;
	readonly #configured: readonly (readonly [string, string])[];

	constructor(configured: Readonly<Record<string, string>>) {
		this.#configured = Object.entries(configured)
			.map(([name, value]) => [name.toLowerCase(), value] as const)
			.filter(([name]) => !OURS.has(name));
	}

	forMessage(
		message: unknown,
		body: string,
		token: string | undefined,
		extra: Readonly<Record<string, string>> | undefined,
	): string[] {
		const { method, params } = isObject(message) ? message : {};
		const claimed = typeof method === "string" ? modernHeaders(method, params) : undefined;
		const headers = [
			"content-type",
			"application/json",
			"accept",
			"application/json, text/event-stream",
			"content-length",
			String(Buffer.byteLength(body)),
			...this.#common(token),
			...(method === "initialize" ? [] : this.#sessionHeader),
			// A modern request names its own.
			...(claimed === undefined ? this.#revisionHeader : []),
		];
		for (const name in claimed) headers.push(name, claimed[name] ?? "");
		for (const name in extra)
			if (!OURS.has(name.toLowerCase()) && name.toLowerCase() !== "authorization")
				headers.push(name, extra[name] ?? "");
		return headers;
	}

	forStream(token: string | undefined, lastEventId: string | undefined): string[] {
		const resumes = lastEventId === undefined ? [] : ["last-event-id", lastEventId];
		return ["accept", "text/event-stream", ...this.#established(token), ...resumes];
	}

	forEnd(token: string | undefined): string[] {
		return this.#established(token);
	}

	#established(token: string | undefined): string[] {
		return [...this.#common(token), ...this.#sessionHeader, ...this.#revisionHeader];
	}

	#common(token: string | undefined): string[] {
		const headers = ["accept-encoding", ENCODINGS];
		for (const [name, value] of this.#configured)
			if (name !== "authorization" || token === undefined) headers.push(name, value);
		if (token !== undefined) headers.push("authorization", `Bearer ${token}`);
		return headers;
	}

	get #sessionHeader(): string[] {
		return this.session === undefined ? [] : ["mcp-session-id", this.session];
	}

	get #revisionHeader(): string[] {
		const { revision } = this;
		return revision === undefined || !hasFeature(revision, "versionHeader") ? [] : ["mcp-protocol-version", revision];
	}
}
