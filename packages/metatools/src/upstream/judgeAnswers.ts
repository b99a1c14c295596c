import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { RPC_CODES } from "libmcp";
import { isObject, type JsonObject, showValue } from "../contract/json.ts";

/** Fails a request at once on an invalid answer: the SDK would drop it, and the caller would wait for the deadline. */
export function judgeAnswers(transport: Transport): void {
	const deliver = transport.onmessage;
	transport.onmessage = (message, extra) => deliver?.(errorIfInvalid(message), extra);
}

function errorIfInvalid(message: JSONRPCMessage): JSONRPCMessage {
	const given: unknown = message;
	if (!isObject(given) || "method" in given) return message;
	const { id, result, error } = given;
	// Whatever the result, the SDK reads the error of an answer that has one.
	const isAnswer =
		"error" in given ? isObject(error) && typeof error.message === "string" && isCode(error.code) : isObject(result);
	if (isAnswer || (typeof id !== "string" && typeof id !== "number")) return message;
	return { jsonrpc: "2.0", id, error: { code: RPC_CODES.internalError, message: unusableAnswer(given) } };
}

/** Says what is wrong with an answer that is none. */
export function unusableAnswer(answer: JsonObject): string {
	const { result, error } = answer;
	const problem =
		"error" in answer
			? `error: expected a code and a message, got ${showValue(error)}`
			: `result: expected an object, got ${result === undefined ? "none" : showValue(result)}`;
	return `The server's answer is unusable: ${problem}`;
}

function isCode(code: unknown): boolean {
	return Number.isSafeInteger(code);
}
