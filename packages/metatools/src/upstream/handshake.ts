import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { isFault } from "libmcp";
import { isObject } from "../contract/json.ts";
import { UpstreamError } from "./upstreamError.ts";

/** Only a client asks this, so it is our own request that comes back. */
const OPENINGS: ReadonlySet<string> = new Set(["initialize", "server/discover"]);
const ECHOES = "it sends back what it is sent; such a program (cat, say) is no MCP server";

/** Hears why a handshake fails where the SDK does not tell: while it finds out the era, it drops all but the kind of an answer. */
export class Handshake {
	#failure: UpstreamError | undefined;

	/** To be made before the transport is started; `giveUp` is called where no answer will follow. */
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

function isOpening(message: JSONRPCMessage): boolean {
	return "method" in message && "id" in message && OPENINGS.has(message.method);
}
