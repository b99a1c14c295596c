import type { JsonObject } from "./json.ts";

/**
 * Every code a tool-level error may carry, whether trying again can help, and when it is raised. `depends` marks codes
 * whose errors differ in this: for them `retryable` is only the default.
 */
export const ERROR_CODES = {
	tool_not_found: { retryable: false, when: "no tool, toolset, skill or stored result has this id" },
	no_backends: { retryable: false, depends: true, when: "the tool is known but nothing can run it now" },
	backend_override_invalid: { retryable: false, when: "backend_override was given; it is not supported" },
	backend_override_no_match: {
		retryable: false,
		when: "a runner of yours supports overrides and found no such backend",
	},
	validation_input: {
		retryable: false,
		when: "the arguments do not fit the tool's input schema, or a limit was passed",
	},
	validation_output: {
		retryable: false,
		when: "the tool ran, but its result does not fit its output schema, or is too large",
	},
	execution_failed: {
		retryable: true,
		depends: true,
		when: "the tool ran and failed, its server refused the call, or was lost during it",
	},
	stream_not_supported: { retryable: false, when: "stream: true was given; it is not supported" },
	stream_failed: { retryable: true, when: "a runner of yours streams and the stream broke" },
	chain_step_failed: { retryable: false, when: "a step of a chain failed; details name the cause" },
	cancelled: { retryable: false, when: "the caller cancelled the request" },
	timeout: { retryable: false, depends: true, when: "the deadline passed before the answer came" },
	internal: { retryable: true, when: "a defect of the gateway itself" },
} as const satisfies Record<string, { retryable: boolean; depends?: true; when: string }>;

/** A code of the table. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The phase of a run in which an error arose. */
export type Operation =
	| "validate_tool_id"
	| "resolve"
	| "select_backend"
	| "authorize"
	| "validate_input"
	| "execute"
	| "validate_output"
	| "stream";

export const BACKEND_KINDS = ["local", "provider", "mcp"] as const;
export type BackendKind = (typeof BACKEND_KINDS)[number];

/** How every tool-level failure looks on the wire. */
export type ErrorObject = {
	readonly code: ErrorCode;
	readonly message: string;
	readonly tool_id?: string;
	readonly op?: Operation;
	readonly backend_kind?: BackendKind;
	readonly step_index?: number;
	readonly retryable: boolean;
	readonly details?: JsonObject;
};

type ErrorParts = Partial<Omit<ErrorObject, "code" | "message">>;

/** A tool-level failure on its way to becoming an ErrorObject. */
export class ToolError extends Error {
	override readonly name = "ToolError";
	readonly object: ErrorObject;

	constructor(code: ErrorCode, message: string, parts: ErrorParts = {}, options?: ErrorOptions) {
		super(message, options);
		this.object = { code, message, retryable: ERROR_CODES[code].retryable, ...parts };
	}

	/** Returns the same failure with missing parts filled in; parts that the inner layer set are kept. */
	within(parts: ErrorParts): ToolError {
		const { code, message, ...known } = this.object;
		const details = parts.details && known.details && { details: { ...parts.details, ...known.details } };
		return new ToolError(code, message, { ...parts, ...known, ...details }, { cause: this });
	}
}

export const TOO_DEEP = "The value is nested too deeply to be passed on.";

/** Turns anything thrown into a ToolError; the text of an internal defect is not exposed. */
export function toolErrorFrom(thrown: unknown, parts: ErrorParts = {}): ToolError {
	if (thrown instanceof ToolError) return thrown.within(parts);
	if (thrown instanceof RangeError && thrown.message.includes("call stack"))
		return new ToolError("execution_failed", TOO_DEEP, { ...parts, retryable: false }, { cause: thrown });
	return new ToolError("internal", "The gateway failed while answering; its log has the cause.", parts, {
		cause: thrown,
	});
}

/** The failure behind an aborted signal: `timeout` for a deadline, otherwise `cancelled`. */
export function toolErrorFromAbort(signal: AbortSignal, parts: ErrorParts = {}): ToolError {
	const reason: unknown = signal.reason;
	if (reason instanceof ToolError) return reason.within(parts);
	if (isDeadline(reason)) return new ToolError("timeout", "The deadline passed before the tool answered.", parts);
	return new ToolError("cancelled", "The caller cancelled the request.", parts);
}

/** Whether this reason of an abort is that time ran out. */
export function isDeadline(reason: unknown): boolean {
	return reason instanceof DOMException && reason.name === "TimeoutError";
}
