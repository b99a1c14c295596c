import type { Buffer } from "node:buffer";
import { RpcError } from "../../fault/rpcError.ts";
import type { ErrorResponseEnvelope, ResponseEnvelope } from "../../wire/envelope.ts";
import { type RequestId, respellId } from "../../wire/requestId.ts";
import { notificationText, type Outlet } from "../protocol/outlet.ts";
import { isRecord } from "../protocol/protocol.ts";
import { protocolError } from "../protocol/rpcErrors.ts";

type Asked = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void };

/** The server's requests to its client that have no answer yet. */
export class OutgoingRequests {
	readonly #waiting = new Map<string, Asked>();
	#next: number;

	/** Ids that were used in another process are not used again. */
	constructor(firstId: number = 1) {
		this.#next = firstId;
	}

	async ask(
		method: string,
		params: Record<string, unknown> | undefined,
		outlet: Pick<Outlet, "emit" | "reaches">,
		signal: AbortSignal,
	): Promise<unknown> {
		signal.throwIfAborted();
		if (outlet.reaches?.() === false)
			throw protocolError(
				"MISSING_CAPABILITY",
				`the client has no stream open on which it could be asked for ${method}`,
			);
		const id = this.#next++;
		return new Promise((resolve, reject) => {
			const onAbort = (): void => {
				this.#waiting.delete(String(id));
				outlet.emit(notificationText("notifications/cancelled", { requestId: id, reason: "no longer needed" }));
				reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
			};
			signal.addEventListener("abort", onAbort, { once: true });
			const settle =
				<T>(deliver: (value: T) => void) =>
				(value: T) => {
					signal.removeEventListener("abort", onAbort);
					deliver(value);
				};
			this.#waiting.set(String(id), { resolve: settle(resolve), reject: settle(reject) });
			outlet.emit(JSON.stringify({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) }));
		});
	}

	answered(
		envelope: ResponseEnvelope | ErrorResponseEnvelope,
		frame: Buffer,
		parse: (json: string) => unknown = JSON.parse,
	): void {
		const asked = envelope.id && this.#take(envelope.id);
		if (asked === undefined) return;
		const span = envelope.kind === "response" ? envelope.result : envelope.error;
		let value: unknown;
		try {
			value = parse(frame.toString("utf8", span.start, span.end));
		} catch {
			asked.reject(createUnreadableError("it is not valid JSON"));
			return;
		}
		if (envelope.kind === "response") asked.resolve(value);
		else asked.reject(clientError(value));
	}

	/** Rejects the request: its answer could not be read, and no other will come. */
	fail(id: RequestId, detail: string): void {
		this.#take(id)?.reject(createUnreadableError(detail));
	}

	end(reason: string): void {
		for (const asked of this.#waiting.values()) asked.reject(new DOMException(reason, "AbortError"));
		this.#waiting.clear();
	}

	/** Accepts any spelling of our ids that the client may use. */
	#take(id: RequestId): Asked | undefined {
		const key = respellId(id);
		const asked = this.#waiting.get(key);
		this.#waiting.delete(key);
		return asked;
	}
}

export function createUnreadableError(detail: string): RpcError {
	return protocolError("INTERNAL", `the client's answer cannot be read: ${detail}`);
}

function clientError(value: unknown): RpcError {
	const { code, message, data } = isRecord(value) ? value : {};
	return new RpcError(Number(code), String(message), data);
}
