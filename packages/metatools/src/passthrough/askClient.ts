import { type ClientDescription, RPC_CODES, type RpcContext, RpcError } from "libmcp";
import { isObject, type JsonObject } from "../contract/json.ts";
import type { Link } from "./link.ts";

/** The capability that a client must have declared for each kind of question. */
const NEEDED: Readonly<Record<string, string>> = {
	"elicitation/create": "elicitation",
	"sampling/createMessage": "sampling",
	"roots/list": "roots",
};

const MOST_ROUNDS = 10;

export function mayBeAsked(client: ClientDescription, method: string): boolean {
	const needed = Object.hasOwn(NEEDED, method) ? NEEDED[method] : undefined;
	return needed !== undefined && needed in client.capabilities;
}

/** Whether the client has declared any capability to answer questions during its calls. */
export function canBeAsked(client: ClientDescription): boolean {
	return Object.keys(NEEDED).some((method) => mayBeAsked(client, method));
}

/**
 * Runs a call on a server that answers `input_required`, for a client that is asked directly: each question goes to
 * the client on its own call, and the call is sent again with the answers.
 */
export async function callWithQuestions(
	link: Link,
	method: string,
	params: JsonObject,
	context: RpcContext,
	headers?: Readonly<Record<string, string>>,
): Promise<unknown> {
	let sent = params;
	for (let round = 0; round < MOST_ROUNDS; round++) {
		const result = await link.call(method, sent, context, headers);
		if (!isObject(result) || result.resultType !== "input_required") return result;
		const inputResponses: Record<string, unknown> = {};
		for (const [key, question] of Object.entries(isObject(result.inputRequests) ? result.inputRequests : {})) {
			inputResponses[key] = await ask(context, question);
		}
		const state = result.requestState === undefined ? {} : { requestState: result.requestState };
		sent = { ...params, inputResponses, ...state };
	}
	throw new RpcError(RPC_CODES.internalError, `The server asked for input ${MOST_ROUNDS} times without an answer.`);
}

async function ask(context: RpcContext, question: unknown): Promise<unknown> {
	const { method, params } = isObject(question) ? question : {};
	if (typeof method !== "string" || !mayBeAsked(context.client, method)) {
		throw new RpcError(
			RPC_CODES.internalError,
			`The server needs ${String(method)}, which this client does not offer.`,
			{ code: "MISSING_CAPABILITY" },
		);
	}
	return context.request(method, isObject(params) ? { ...params } : {});
}
