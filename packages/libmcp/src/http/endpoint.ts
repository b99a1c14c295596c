import type { IncomingMessage, ServerResponse } from "node:http";
import type { Principal } from "../server/dispatcher.ts";

/** Something that `createFront` can route requests to. */
export type HttpEndpoint = {
	/** Answers one request; throws a refusal for a request it does not serve. */
	handle(request: IncomingMessage, response: ServerResponse, principal?: Principal): Promise<void>;
	/** Gives requests in flight `drainMs` to finish, then ends every session. */
	close(drainMs: number): Promise<void>;
};
