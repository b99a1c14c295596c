import { type ClientDescription, RPC_CODES, type RpcContext, RpcError } from "libmcp";
import type { JsonObject } from "../../contract/json.ts";
import { runInputRounds } from "../../upstream/calls/questions.ts";
import type { Link } from "./link.ts";

/** The capability that a client must have declared for each kind of question. */
const NEEDED: Readonly<Record<string, string>> = {
	"elicitation/create": "elicitation",
	"sampling/createMessage": "sampling",
	"roots/list": "roots",
};

export function canBeAskedThis(client: ClientDescription, method: string): boolean {
	const needed = Object.hasOwn(NEEDED, method) ? NEEDED[method] : undefined;
	return needed !== undefined && needed in client.capabilities;
}

/** Whether the client has declared any capability to answer questions during its calls. */
export function canBeAsked(client: ClientDescription): boolean {
	return Object.keys(NEEDED).some((method) => canBeAskedThis(client, method));
}

/**
 * Runs a call on a server that answers `input_required`, for a client that is asked directly: each question goes to
 * the client on its own call, and the call is sent again with the answers.
 */
export function callWithQuestions(
	link: Link,
	method: string,
	params: JsonObject,
	context: RpcContext,
	headers?: Readonly<Record<string, string>>,
): Promise<unknown> {
	return runInputRounds(
		(input) => link.call(method, { ...params, ...input }, context, headers),
		(question, asked) => ask(context, question, asked),
		(problem) => new RpcError(RPC_CODES.internalError, `The server ${problem}.`),
	);
}

async function ask(context: RpcContext, method: unknown, params: JsonObject): Promise<unknown> {
	if (typeof method !== "string" || !canBeAskedThis(context.client, method)) {
		throw new RpcError(
			RPC_CODES.internalError,
			`The server needs ${String(method)}, which this client does not offer.`,
			{ code: "MISSING_CAPABILITY" },
		);
	}
	return context.request(method, { ...params });
}
