/** Runs one snippet with the tools inside. Every backend implements exactly this and passes one suite. */
export interface CodeEngine {
	/** Never rejects because of what the code did: a failure is `error`, beside the partial output and the calls made. */
	run(request: CodeRequest): Promise<CodeResult>;
	/** Ends what still runs and frees workers, processes and containers. */
	close(): Promise<void>;
}

export const codeLanguages = ["javascript", "typescript"] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

export interface CodeRequest {
	/** As the caller sent it: an unknown one is answered with the list of those available. */
	readonly language: string;
	readonly code: string;
	readonly timeoutMs: number;
	readonly maxToolCalls: number;
	readonly tools: ToolBridge;
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: CodeProgress) => void;
	/** Makes Math.random repeatable. */
	readonly seed?: number;
}

/** What the code reaches. The bridge applies policy, quarantine, limits and telemetry exactly as for `run_tool`. */
export interface ToolBridge {
	/** `tools.<namespace>.<name>(args)` arrives as id `namespace:name`, `tools.<name>(args)` as `name`. */
	call(id: string, args: unknown, signal: AbortSignal): Promise<ToolOutcome>;
	search(query: string, signal: AbortSignal): Promise<ToolOutcome>;
	describe(id: string, signal: AbortSignal): Promise<ToolOutcome>;
}

/** A failure is thrown inside the code as an Error carrying the same fields. */
export type ToolOutcome =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly error: ToolFailure };

export interface ToolFailure {
	readonly code: string;
	readonly message: string;
	readonly retryable?: boolean;
	readonly details?: unknown;
}

export interface CodeProgress {
	readonly progress: number;
	readonly total?: number;
	readonly message?: string;
}

export interface CodeResult {
	/** The last expression or what was returned, as JSON; null when there is none or the run failed. */
	readonly value: unknown;
	readonly stdout: string;
	readonly stderr: string;
	readonly durationMs: number;
	readonly toolCalls: readonly ToolCallRecord[];
	readonly backend: CodeBackend;
	readonly error?: CodeError;
	/** What the reader must know of how this ran: that it was unsafe, or that a fallback was taken. */
	readonly notice?: string;
}

export type CodeBackend = "wasm" | "docker" | "subprocess" | "none";

export interface ToolCallRecord {
	readonly toolId: string;
	readonly durationMs: number;
	readonly outcome: "ok" | "error" | "aborted";
	/** The failure's code, when it failed. */
	readonly code?: string;
}

export const codeErrorCodes = [
	"validation_input",
	"execution_failed",
	"timeout",
	"cancelled",
	"no_backends",
	"internal",
] as const;
export type CodeErrorCode = (typeof codeErrorCodes)[number];

export interface CodeError {
	readonly code: CodeErrorCode;
	readonly message: string;
	readonly retryable: boolean;
	readonly details?: { readonly reason: CodeErrorReason; readonly line?: number; readonly stack?: string };
}

/** Why, for a program: what a model should change before it tries again. */
export type CodeErrorReason =
	| "exception"
	| "syntax"
	| "language"
	| "limits"
	| "memory"
	| "stack"
	| "cpu"
	| "stalled"
	| "value"
	| "overloaded"
	| "sandbox"
	| "crashed";
