import type { Buffer } from "node:buffer";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { MAX_DEPTH, RPC_CODES } from "libmcp";
import { isDeeper, isObject, type JsonObject, showValue } from "../../contract/json.ts";

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
	return { jsonrpc: "2.0", id, error: { code: RPC_CODES.internalError, message: describeUnusableAnswer(given) } };
}

/** Says what is wrong with an answer that is none. */
export function describeUnusableAnswer(answer: JsonObject): string {
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

/** Reads a tool list that is nested too deeply for the host, so that only the deep tools are lost, not the whole server. */
export class DeepList {
	#isAsked: boolean = false;
	#refused: string | undefined;

	/** Must be called with every line that the host rejected, before the call fails. */
	saw(line: Buffer): void {
		if (!this.#isAsked || !line.includes('"tools"')) return;
		const text = line.toString();
		if (isDeeper(text, MAX_DEPTH)) this.#refused = text;
	}

	/** Returns one page of the list, from `ask` or from the rejected line. Pages are read one at a time. */
	async read(ask: () => Promise<unknown>): Promise<unknown> {
		this.#isAsked = true;
		try {
			return await ask();
		} catch (thrown) {
			const page = pageIn(this.#refused);
			if (page === undefined) throw thrown;
			return page;
		} finally {
			this.#isAsked = false;
			this.#refused = undefined;
		}
	}
}

function pageIn(text: string | undefined): unknown {
	if (text === undefined) return undefined;
	try {
		const answer: unknown = JSON.parse(text);
		return isObject(answer) && isObject(answer.result) && Array.isArray(answer.result.tools)
			? answer.result
			: undefined;
	} catch {
		// What is no JSON is no list.
		return undefined;
	}
}
