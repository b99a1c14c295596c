import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from "@modelcontextprotocol/client";
import { createFault, RPC_CODES } from "libmcp";
import { cutText, toPlainBlock } from "../catalog/text.ts";
import { describeShortage, findSystemError, UpstreamError, type UpstreamFailure } from "./failure/failure.ts";
import { OversizeError } from "./streamable/eventReader.ts";
import { UnknownSessionError } from "./streamable/httpFailure.ts";

const LOST = new Set<string>([SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed]);
const UNDONE_CAUSES = new Set(["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENOENT", "EACCES", "EAI_AGAIN", "EMFILE"]);
const MAX_MESSAGE = 500;
/** Uses the words of the configuration, where the user chose the era. */
const OTHER_ERA = 'it does not speak MCP $1, which "protocol": "modern" asks for';

/** Whatever the SDK or the network threw, in our words. */
export function toUpstreamError(thrown: unknown): UpstreamError {
	if (thrown instanceof UpstreamError) return thrown;
	return new UpstreamError(classify(thrown), { cause: thrown });
}

function classify(thrown: unknown): UpstreamFailure {
	if (ProtocolError.isInstance(thrown)) {
		const refused = { kind: "refused", code: thrown.code, message: thrown.message } as const;
		return thrown.data === undefined ? refused : { ...refused, data: thrown.data };
	}
	const message = describeCause(thrown);
	if (thrown instanceof OversizeError) {
		// As the host of a stdio server has it.
		const fault = createFault("resource", "answer_too_large", { detail: message, retry: "unsafe" });
		return { kind: "refused", code: RPC_CODES.internalError, message, data: { fault } };
	}
	if (thrown instanceof UnknownSessionError) return { kind: "lost", undone: true, forgotten: true, message };
	if (thrown instanceof UnauthorizedError) return { kind: "unauthorized", message };
	if (SdkHttpError.isInstance(thrown)) {
		// With 403 and no challenge, which the SDK's own errors do not tell, a server may forbid what no login allows.
		const wantsLogin = thrown.status === 401 || (thrown.status === 403 && thrown.data.hasChallenge !== false);
		if (wantsLogin) return { kind: "unauthorized", message };
		if (thrown.status === 429) return { kind: "busy", message, ...retryAfter(thrown.data.retryAfter) };
		return thrown.status >= 500 ? { kind: "lost", undone: false, message } : { kind: "broken", message };
	}
	if (SdkError.isInstance(thrown)) {
		if (thrown.code === SdkErrorCode.RequestTimeout) return { kind: "timeout" };
		if (thrown.code === SdkErrorCode.ClientHttpUnexpectedContent) return { kind: "unreadable", message };
		return LOST.has(thrown.code)
			? { kind: "lost", undone: thrown.code === SdkErrorCode.NotConnected, message }
			: { kind: "broken", message };
	}
	if (thrown instanceof SyntaxError) return { kind: "unreadable", message };
	// The SDK throws this plain Error when it was closed between two calls.
	if (thrown instanceof Error && thrown.message === "Not connected") return { kind: "lost", undone: true, message };
	const code = findSystemError(thrown)?.code;
	if (code !== undefined) return { kind: "lost", undone: UNDONE_CAUSES.has(code), message };
	return { kind: "broken", message };
}

/** The header gives seconds or a date; anything else says nothing. */
function retryAfter(header: unknown): { readonly retryAfterMs?: number } {
	if (typeof header !== "string" || header.trim() === "") return {};
	const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
	return Number.isFinite(ms) ? { retryAfterMs: Math.max(0, ms) } : {};
}

/** What failed, in the words of the network or the server, for a person. */
export function describeCause(thrown: unknown): string {
	if (!(thrown instanceof Error)) return "unknown failure";
	// A network or system error is the real reason, whatever wraps it.
	const system = findSystemError(thrown);
	const shortage = describeShortage(system?.code);
	if (shortage !== undefined) return shortage;
	if (system !== undefined && system.message !== "") return cutText(toPlainBlock(system.message), MAX_MESSAGE);
	// Removes the SDK's prefixes, which do not help the user, and a cause that is repeated.
	const says = thrown.message
		.replace(/^Version negotiation (?:probe )?failed: /, "")
		.replace(/^SSE error: undefined$/, "the server ended its event stream")
		.replace(/^SSE error: (?:TypeError: )?/, "")
		.replace(/^the server did not offer pinned protocol version (\S+) .*/s, OTHER_ERA);
	const cause =
		thrown.cause instanceof Error && !says.includes(thrown.cause.message) ? ` (${thrown.cause.message})` : "";
	return cutText(toPlainBlock(`${says}${cause}`), MAX_MESSAGE);
}
