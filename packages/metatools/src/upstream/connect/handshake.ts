import { setTimeout as delay } from "node:timers/promises";
import { type Client, type JSONRPCMessage, SdkHttpError, type Transport } from "@modelcontextprotocol/client";
import { isFault } from "libmcp";
import { isObject } from "../../contract/json.ts";
import { UpstreamError } from "../failure/failure.ts";
import { toUpstreamError } from "../sdkFailure.ts";

/** Only clients send these, so receiving one means that the program echoes our own request. */
const OPENINGS: ReadonlySet<string> = new Set(["initialize", "server/discover"]);
const ECHOES = "it sends back what it is sent; such a program (cat, say) is no MCP server";

/** Records why a handshake fails: while the SDK detects the era, it drops everything but the kind or status of an answer. */
export class Handshake {
	#failure: UpstreamError | undefined;

	/** Must be created before the transport is started. `giveUp` is called if no answer will follow. */
	constructor(transport: Transport, giveUp: () => void) {
		const start = transport.start.bind(transport);
		transport.start = () => {
			transport.start = start;
			const deliver = transport.onmessage;
			transport.onmessage = (message, extra) => {
				this.#failure ??= failureIn(message);
				if (isOpening(message)) giveUp();
				else deliver?.(message, extra);
			};
			return start();
		};
		const send = transport.send.bind(transport);
		transport.send = (...sent) =>
			send(...sent).catch((thrown: unknown) => {
				if (isFinal(thrown)) this.#failure ??= toUpstreamError(thrown);
				throw thrown;
			});
	}

	get failure(): UpstreamError | undefined {
		return this.#failure;
	}
}

function failureIn(message: JSONRPCMessage): UpstreamError | undefined {
	if (isOpening(message)) return new UpstreamError({ kind: "broken", message: ECHOES });
	if (!("error" in message) || !isObject(message.error.data) || !isFault(message.error.data.fault)) return undefined;
	return new UpstreamError({ kind: "refused", ...message.error });
}

/** Whether it is a refusal after which the SDK tries no other era; of these it drops what the server said. */
function isFinal(thrown: unknown): boolean {
	return SdkHttpError.isInstance(thrown) && (thrown.status === 403 || thrown.status >= 500);
}

function isOpening(message: JSONRPCMessage): boolean {
	return "method" in message && "id" in message && OPENINGS.has(message.method);
}

const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 30_000;
const WANTED = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/**
 * Reopens the subscription to a server without sessions whenever it breaks, until the connection is closed. Changes in
 * between would be missed, so each reopening counts as a change.
 */
export async function keepListening(client: Client, over: AbortSignal, onChanged: () => void): Promise<void> {
	let subscription = client.autoOpenedSubscription;
	while (subscription !== undefined) {
		await subscription.closed;
		subscription = undefined;
		for (let pause = FIRST_PAUSE_MS; subscription === undefined; pause = Math.min(LAST_PAUSE_MS, 2 * pause)) {
			await delay(pause, undefined, { signal: over, ref: false }).catch(() => {});
			if (over.aborted) return;
			subscription = await client.listen(WANTED, { signal: over }).catch(() => undefined);
		}
		onChanged();
	}
}
