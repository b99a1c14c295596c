import { ERROR_CODES, type ErrorCode, type ErrorObject } from "../contract/errors.ts";

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
	value: "execution_failed",
	overloaded: "execution_failed",
	cancelled: "cancelled",
	sandbox: "no_backends",
	crashed: "internal",
} as const satisfies Record<string, ErrorCode>;

export type CodeErrorReason = keyof typeof reasons;

/** Retryable only for a busy sandbox or a crash of ours: the same code would fail the same way again. */
export function codeError(reason: CodeErrorReason, message: string, details: { line?: number } = {}): ErrorObject {
	const code = reasons[reason];
	const retryable = code === "execution_failed" ? reason === "overloaded" : ERROR_CODES[code].retryable;
	return { code, message, op: "execute", retryable, details: { reason, ...details } };
}
