import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../src/contract/json.ts";
import type { OpenTransport } from "../../src/upstream/transport.ts";

/** Opens connections to a server in this process that answers each request with its result, if it knows the method. */
export function answering(resultOf: (method: string) => JsonObject | undefined): {
	readonly open: OpenTransport;
	/** Sends a notification to the newest connection. */
	notify(method: string): void;
} {
	let notify = (_: string): void => {};
	const open: OpenTransport = async () => {
		const [near, far] = InMemoryTransport.createLinkedPair();
		far.onmessage = (message: JSONRPCMessage) => {
			if (!("method" in message) || !("id" in message)) return;
			const { id, method } = message;
			const result = resultOf(method);
			const error = { code: -32601, message: "Method not found" };
			void far.send({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) } as JSONRPCMessage);
		};
		notify = (method) => void far.send({ jsonrpc: "2.0", method });
		await far.start();
		return { transport: near };
	};
	return { open, notify: (method) => notify(method) };
}
