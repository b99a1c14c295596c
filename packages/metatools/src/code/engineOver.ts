import {
	type CodeEngine,
	type CodeLanguage,
	type CodeLimits,
	type CodeRequest,
	codeLanguages,
	readCodeLanguage,
} from "./engine.ts";
import { createCodeError } from "./session/codeError.ts";
import { RunSession } from "./session/runSession.ts";

/** The part of an engine that depends on how code is isolated. */
export type Sandbox = {
	readonly name: string;
	/** Added to every result. */
	readonly warning?: string;
	/** Runs the guest until the session is over, then stops it; resolves when the guest is gone. */
	drive(session: RunSession, language: CodeLanguage, code: string): Promise<void>;
	close(): Promise<void>;
};

/** The part common to all engines: checks the request, keeps the session, builds the answer. */
export function createEngine(sandbox: Sandbox, limits: CodeLimits): CodeEngine {
	const { name, warning } = sandbox;
	const noted = warning === undefined ? {} : { warning };
	return {
		name,
		languages: codeLanguages,
		execute: async (request, tools) => {
			const language = readCodeLanguage(request.language);
			const problem = requestProblem(request, limits);
			if (problem !== undefined || language === undefined) {
				const error = problem ?? languageProblem(request.language);
				return { value: null, stdout: "", stderr: "", durationMs: 0, toolCalls: [], error, ...noted };
			}
			const session = new RunSession(request, tools, limits);
			try {
				await sandbox.drive(session, language, request.code);
			} catch (thrown) {
				session.fail("crashed", `The ${name} sandbox failed: ${thrown instanceof Error ? thrown.message : "unknown"}`);
			}
			const result = session.result();
			const warnings = [warning, result.warning].filter((text) => text !== undefined);
			return { ...result, ...(warnings.length > 0 && { warning: warnings.join("\n") }) };
		},
		close: () => sandbox.close(),
	};
}

function requestProblem(request: CodeRequest, limits: CodeLimits): ReturnType<typeof createCodeError> | undefined {
	const { code, timeoutMs, maxToolCalls } = request;
	if (code.length > limits.maxCodeLength)
		return createCodeError("limits", `code: expected at most ${limits.maxCodeLength} characters, got ${code.length}`);
	const bounded = [
		["timeout_ms", timeoutMs, 1, limits.maxTimeoutMs],
		["max_tool_calls", maxToolCalls, 0, limits.maxToolCalls],
	] as const;
	for (const [field, value, least, most] of bounded) {
		if (!Number.isInteger(value) || value < least || value > most)
			return createCodeError("limits", `${field}: expected a whole number from ${least} to ${most}, got ${value}`);
	}
	return undefined;
}

function languageProblem(language: string): ReturnType<typeof createCodeError> {
	const available = codeLanguages.join(" or ");
	return createCodeError("language", `language: expected ${available}, got ${JSON.stringify(language.slice(0, 50))}`);
}
