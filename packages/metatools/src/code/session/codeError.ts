import { ERROR_CODES, type ErrorCode, type ErrorObject } from "../../contract/errors.ts";
import { isObject } from "../../contract/json.ts";
import { parseBounded } from "../guestMessage.ts";
import { type CodePlace, findPlaceInStack, type Insertion } from "../script/insertions.ts";

/** Machine-readable reasons why a run failed; each implies what to change before trying again. */
const reasons = {
	language: "validation_input",
	limits: "validation_input",
	syntax: "execution_failed",
	exception: "execution_failed",
	memory: "execution_failed",
	stack: "execution_failed",
	cpu: "timeout",
	deadline: "timeout",
	stalled: "execution_failed",
	exited: "execution_failed",
	value: "execution_failed",
	overloaded: "execution_failed",
	cancelled: "cancelled",
	sandbox: "no_backends",
	crashed: "internal",
} as const satisfies Record<string, ErrorCode>;

export type CodeErrorReason = keyof typeof reasons;

/** The place in the code, and the tool if a call of one failed. */
export type CodeErrorPlace = CodePlace & { readonly tool_id?: string };

/** Retryable only for a busy sandbox or a crash of ours: the same code would fail the same way again. */
export function createCodeError(reason: CodeErrorReason, message: string, place: CodeErrorPlace = {}): ErrorObject {
	const { tool_id, ...at } = place;
	const code = reasons[reason];
	const retryable = code === "execution_failed" ? reason === "overloaded" : ERROR_CODES[code].retryable;
	return {
		code,
		message,
		...(tool_id !== undefined && { tool_id }),
		op: "execute",
		retryable,
		details: { reason, ...at },
	};
}

/** An error thrown by the code, or its syntax error, safe to show. */
export type Thrown = { readonly name: string; readonly message: string; readonly place: CodeErrorPlace };

const MAX_TEXT = 2_000;
const MAX_NAME = 100;
const MAX_DEPTH = 4;

/** Reads an error reported by the guest, which may send anything. */
export function readThrown(text: string, insertions: readonly Insertion[]): Thrown {
	const value = parseBounded(text, Number.POSITIVE_INFINITY, MAX_DEPTH)?.value;
	if (!isObject(value)) return { name: "Error", message: "the code threw something that cannot be shown", place: {} };
	const { name, message, line, column, stack, tool_id } = value;
	// Syntax errors name their place; for thrown errors it is read from the stack.
	const told = { ...(typeof line === "number" && { line }), ...(typeof column === "number" && { column }) };
	return {
		name: typeof name === "string" ? name.slice(0, MAX_NAME) : "Error",
		message: typeof message === "string" ? message.slice(0, MAX_TEXT) : "",
		place: {
			...("line" in told ? told : findPlaceInStack(stack, insertions)),
			...(typeof tool_id === "string" && { tool_id: tool_id.slice(0, MAX_NAME) }),
		},
	};
}

/** Tells whether the code ran out of memory or stack; engines report this only in the text of the error. */
export function findExhausted(name: string, message: string): "memory" | "stack" | undefined {
	if (name !== "InternalError" && name !== "RangeError") return undefined;
	if (/out of memory/i.test(message)) return "memory";
	return /stack (overflow|size exceeded)/i.test(message) ? "stack" : undefined;
}
