import type { ErrorObject } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type { ToolDescription, ToolSummary } from "./results.ts";

/** What runs the snippets of execute_code. The gateway owns the metatool; an engine owns isolation. */
export type CodeEngine = {
	readonly name: string;
	readonly languages: readonly string[];
	/** What this machine must have for it, if that may be missing. */
	readonly needs?: string;
	/** Resolves for every outcome of the code; a failure is `error` in the result, beside what was printed and called. */
	execute(request: CodeRequest, tools: CodeTools): Promise<CodeResult>;
	close?(): Promise<void>;
};

export type CodeRequest = {
	readonly language: string;
	readonly code: string;
	readonly timeoutMs: number;
	readonly maxToolCalls: number;
	/** Aborted when the caller cancels; the engine must stop the code and its outstanding calls. */
	readonly signal: AbortSignal;
};

/** What code may do with the catalogue; policy, validation and deadlines apply as they do to run_tool. */
export type CodeTools = {
	/** Resolves with the structured value; rejects with ToolError. */
	call(toolId: string, args: JsonObject, signal: AbortSignal): Promise<unknown>;
	search(query: string, limit?: number): Promise<readonly ToolSummary[]>;
	describe(toolId: string): Promise<ToolDescription>;
	/** Every tool this caller may see, for building `tools.<namespace>.<name>`. */
	list(): readonly ListedTool[];
	progress(update: { readonly progress: number; readonly total?: number; readonly message?: string }): void;
};

/** A tool as code may call it, with the name that its server gave it if that is another. */
export type ListedTool = ToolSummary & { readonly declaredName?: string };

export type CodeResult = {
	readonly value: unknown;
	readonly stdout: string;
	readonly stderr: string;
	readonly durationMs: number;
	readonly toolCalls: readonly CodeToolCall[];
	/** That the engine does not isolate, and failures that the code did not see. */
	readonly warning?: string;
	readonly error?: ErrorObject;
};

export type CodeToolCall = {
	readonly tool_id: string;
	readonly durationMs: number;
	readonly ok: boolean;
	readonly error?: ErrorObject;
};
