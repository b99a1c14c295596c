import { ERROR_CODES, type ErrorCode, type ErrorObject } from "../contract/errors.ts";
import type { CodePlace } from "./stackPlace.ts";

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
export function codeError(reason: CodeErrorReason, message: string, place: CodeErrorPlace = {}): ErrorObject {
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
