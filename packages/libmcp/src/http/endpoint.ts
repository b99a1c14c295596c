import type { IncomingMessage, ServerResponse } from "node:http";
import type { Principal } from "../server/dispatcher.ts";

/** What a front hands requests to. */
export type HttpEndpoint = {
	/** Answers one request; throws the refusal of what it does not serve. */
	handle(request: IncomingMessage, response: ServerResponse, principal?: Principal): Promise<void>;
	/** Lets requests in flight finish for so long, then ends every conversation. */
	close(drainMs: number): Promise<void>;
};
