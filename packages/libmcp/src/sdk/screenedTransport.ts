import { type Readable, Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { type RequestId, requestId } from "../wire/requestId.ts";
import type { Screen } from "./screen.ts";

/** The SDK's own transport; its output goes through the screen, with the id of the request each line answers. */
export class ScreenedTransport extends StdioServerTransport {
	#answers: RequestId | undefined;

	constructor(input: Readable, screen: Screen) {
		super(
			input,
			new Writable({
				decodeStrings: false,
				// The SDK writes one whole line at a time.
				write: (line: string, _encoding, done) => {
					screen.outgoing(line.slice(0, -1), this.#answers);
					done();
				},
			}),
		);
	}

	override send(message: JSONRPCMessage): Promise<void> {
		const answered = "method" in message || message.id === undefined ? undefined : requestId(message.id);
		this.#answers = answered;
		// `send` writes the line before it returns.
		return super.send(message);
	}
}
