import type { EnvelopeError, SuccessEnvelope } from "../contract/envelope.ts";
import { ERROR_TABLE, toCleatsError } from "../contract/errors.ts";
import type { ToolName } from "../registry/registry.ts";
import { writeEnvelope } from "../searching/writtenEnvelope.ts";
import { renderEnvelope } from "../server/renderEnvelope.ts";

/** The error payload of this transport. */
export type LegacyError = {
	readonly message: string;
	readonly code: string;
	readonly stderr?: string;
	readonly stdout?: string;
	readonly timeoutMs?: number;
	readonly hint?: string;
};

/** As JSON, or rendered for reading as a result of the tool `shown`. */
export function successResult(envelope: SuccessEnvelope, shown?: ToolName): Record<string, unknown> {
	const text = shown === undefined ? writeEnvelope(envelope).text : renderEnvelope(envelope, shown);
	return { content: [{ type: "text", text }] };
}

export function errorResult(error: unknown): Record<string, unknown> {
	const { code, message, details } = isTabled(error) ? error : toCleatsError(error);
	const payload: LegacyError = {
		message,
		code,
		...optional(details),
		hint: hintOf(details) ?? ERROR_TABLE[code].remedy,
	};
	return { isError: true, content: [{ type: "text", text: JSON.stringify(payload) }] };
}

function optional(details: unknown): Pick<LegacyError, "stderr" | "stdout" | "timeoutMs"> {
	const { stderr, stdout, timeoutMs } = isRecord(details) ? details : {};
	return {
		...(typeof stderr === "string" && stderr.trim() !== "" && { stderr: stderr.trim() }),
		...(typeof stdout === "string" && stdout.trim() !== "" && { stdout: stdout.trim() }),
		...(typeof timeoutMs === "number" && Number.isFinite(timeoutMs) && { timeoutMs }),
	};
}

function hintOf(details: unknown): string | undefined {
	return isRecord(details) && typeof details.hint === "string" ? details.hint : undefined;
}

function isTabled(error: unknown): error is EnvelopeError {
	return !(error instanceof Error) && isRecord(error) && typeof error.code === "string" && error.code in ERROR_TABLE;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null;
}
