import { isFault } from "libmcp";
import { cut } from "../catalog/text.ts";
import { ToolError } from "../contract/errors.ts";
import { isObject } from "../contract/json.ts";
import type { UpstreamState } from "./state.ts";
import type { UpstreamFailure } from "./upstreamError.ts";

const MAX_MESSAGE = 2_000;
/** What the same request will meet again: unreadable, invalid, no such method, invalid parameters, no such resource. */
const FINAL: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32002]);

/** Why a call could not even be sent. */
export function unavailable(server: string, state: UpstreamState): ToolError {
	const reason = "reason" in state ? state.reason : state.kind;
	return new ToolError("no_backends", `The server ${server} is not available: ${reason}`, {
		op: "select_backend",
		// One whose entry is wrong is not tried again.
		retryable: state.kind === "failed" && state.retryAt !== undefined,
		details: { server, state },
	});
}

/** Why a call that was sent has no result, using the most specific error known. */
export function callFailure(
	server: string,
	failure: UpstreamFailure,
	{ repeatable, login }: { readonly repeatable: boolean; readonly login: string },
): ToolError {
	const details = { server };
	switch (failure.kind) {
		case "timeout":
			return new ToolError("timeout", `The server ${server} did not answer in time.`, { details });
		case "refused": {
			const { kind: _, ...upstream } = failure;
			const fault = isObject(failure.data) && isFault(failure.data.fault) ? failure.data.fault : undefined;
			const code = fault?.class === "timeout" ? "timeout" : "execution_failed";
			const retryable =
				fault === undefined
					? repeatable && !FINAL.has(failure.code)
					: fault.retry === "safe" || fault.retry === "later";
			return new ToolError(code, cut(failure.message, MAX_MESSAGE), {
				retryable,
				details: { ...details, upstream },
			});
		}
		case "lost": {
			const retryable = repeatable || failure.undone;
			const outcome = retryable
				? "it was repeated in vain"
				: "whether it took effect is unknown, so it was not repeated";
			return new ToolError(
				"execution_failed",
				`The connection to ${server} was lost during the call (${failure.message}); ${outcome}.`,
				{ retryable, details: { ...details, outcome: retryable ? "failed" : "unknown" } },
			);
		}
		case "unauthorized":
			return new ToolError(
				"execution_failed",
				`The server ${server} needs a login for this: ${login} (${failure.message})`,
				{ retryable: false, details },
			);
		case "broken":
			return new ToolError("execution_failed", `The server ${server} failed: ${failure.message}`, {
				retryable: repeatable,
				details,
			});
	}
}
