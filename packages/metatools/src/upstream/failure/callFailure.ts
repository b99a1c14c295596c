import { type Fault, RPC_CODES } from "libmcp";
import { cutText } from "../../catalog/text.ts";
import { ToolError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { IN_DOUBT } from "../../run/backend.ts";
import { describeRemedy, type UpstreamState } from "../state.ts";
import { findHostFault, type UpstreamFailure } from "./failure.ts";

const MAX_MESSAGE = 2_000;
/** Codes that the same request would get again. */
const FINAL: ReadonlySet<number> = new Set([
	RPC_CODES.parseError,
	RPC_CODES.invalidRequest,
	RPC_CODES.methodNotFound,
	RPC_CODES.invalidParams,
	RPC_CODES.resourceNotFound,
]);

/** The fault that a host reports for the same event, so that callers need to know one name only. */
const UNKNOWN = { class: "ambiguous_outcome", code: "outcome_unknown", retry: "unsafe" } as const;

/** Why a call could not even be sent. */
export function createUnavailableError(server: string, state: UpstreamState, login: string): ToolError {
	const reason = describeRemedy(state, login) ?? state.kind;
	return new ToolError("no_backends", `The server ${server} is not available: ${reason}`, {
		op: "select_backend",
		// A server with a mistake in its entry is never tried again.
		retryable: state.kind === "failed" && state.retryAt !== undefined,
		details: { server, state },
	});
}

/** Why a call that was sent has no result, using the most specific error known. */
export function createCallError(
	server: string,
	failure: UpstreamFailure,
	{ repeatable, login }: { readonly repeatable: boolean; readonly login: string },
): ToolError {
	const details = { server };
	switch (failure.kind) {
		case "timeout":
			return new ToolError(
				"timeout",
				`The server ${server} did not answer the call in time${repeatable ? "" : IN_DOUBT}.`,
				{
					retryable: repeatable,
					details: { ...details, ...(!repeatable && { outcome: "unknown" }) },
				},
			);
		case "refused":
			return createRefusedError(server, failure, repeatable);
		case "lost": {
			const retryable = repeatable || failure.undone;
			const outcome = retryable
				? "it was repeated in vain"
				: "whether it took effect is unknown, so it was not repeated";
			return new ToolError(
				"execution_failed",
				`The connection to ${server} was lost during the call (${failure.message}); ${outcome}.`,
				{ retryable, details: { ...details, ...(retryable ? { outcome: "failed" } : faultDetails(UNKNOWN)) } },
			);
		}
		case "unreadable":
			return new ToolError(
				"execution_failed",
				`The answer of ${server} cannot be read (${failure.message})${repeatable ? "" : IN_DOUBT}.`,
				{ retryable: repeatable, details: { ...details, ...(!repeatable && faultDetails(UNKNOWN)) } },
			);
		case "unauthorized":
			return new ToolError(
				"execution_failed",
				`The server ${server} needs a login for this: ${login} (${failure.message})`,
				{ retryable: false, details },
			);
		case "busy": {
			const { retryAfterMs, message } = failure;
			const when = retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1_000)} s`;
			return new ToolError("execution_failed", `The server ${server} asks to be called again ${when}: ${message}`, {
				retryable: true,
				details: { ...details, ...(retryAfterMs !== undefined && { retryAfterMs }) },
			});
		}
		case "broken":
			return new ToolError("execution_failed", `The server ${server} failed: ${failure.message}`, {
				retryable: repeatable,
				details,
			});
	}
}

function createRefusedError(
	server: string,
	failure: Extract<UpstreamFailure, { readonly kind: "refused" }>,
	repeatable: boolean,
): ToolError {
	const { kind: _, ...upstream } = failure;
	const fault = findHostFault(failure);
	if (fault?.code === "frame_too_large") return tooLarge(server, fault);
	if (fault?.code === "answer_too_large") return answerTooLarge(server, fault, repeatable);
	const retryable =
		fault === undefined ? repeatable && !FINAL.has(failure.code) : fault.retry === "safe" || fault.retry === "later";
	const details = { server, ...(fault !== undefined && faultDetails(fault)), upstream };
	const code = fault?.class === "timeout" ? "timeout" : "execution_failed";
	return new ToolError(code, cutText(failure.message, MAX_MESSAGE), { retryable, details });
}

/** The host's own text advises a setting that the gateway does not have, so only its sizes are passed on. */
function tooLarge(server: string, fault: Fault): ToolError {
	return new ToolError(
		"execution_failed",
		`This call's message to ${server} has ${sizesIn(fault)}; send less, or ask for less at a time.`,
		{ retryable: false, details: { server, ...faultDetails(fault) } },
	);
}

function answerTooLarge(server: string, fault: Fault, repeatable: boolean): ToolError {
	const retry = repeatable ? "never" : "unsafe";
	return new ToolError(
		"execution_failed",
		`The answer from ${server} has ${sizesIn(fault)}; the call itself has run, so ask for less only if it may be repeated.`,
		{ retryable: false, details: { server, ...faultDetails({ ...fault, retry }) } },
	);
}

function sizesIn({ detail }: Fault): string {
	const [, size, limit] = /((?:over )?\d+) bytes; at most (\d+)/.exec(detail) ?? [];
	return size === undefined ? "more bytes than are read" : `${size} bytes, and at most ${limit} are read`;
}

function faultDetails({ class: faultClass, code, retry }: Pick<Fault, "class" | "code" | "retry">): JsonObject {
	return {
		fault: { class: faultClass, code },
		...((faultClass === "ambiguous_outcome" || retry === "unsafe") && { outcome: "unknown" }),
	};
}
