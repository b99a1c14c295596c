import { createFault, RPC_CODES, RpcError } from "libmcp";
import { IN_DOUBT } from "../../run/backend.ts";
import { describeFailure } from "../../upstream/failure/failure.ts";
import type { Masker } from "../../upstream/secrets/maskSecrets.ts";

/** What `data.code` of a request says that the server did not answer. */
const CODES = {
	/** It was not sent, or did not arrive. */
	unreached: "UPSTREAM_UNREACHED",
	/** It was sent, and no answer came. */
	lost: "UPSTREAM_LOST",
	/** What came is no answer. */
	unreadable: "UPSTREAM_UNREADABLE",
	forgotten: "UPSTREAM_FORGOT_SESSION",
} as const;

/** The server whose failures are told. */
export type FailingServer = {
	readonly masker: Masker;
	/** The command that a person types to log in to it. */
	readonly login: string;
};

/** The SDK's error in our own short words; loaded only when something failed. */
export async function toClientError(server: FailingServer, method: string, thrown: unknown): Promise<RpcError> {
	const { toUpstreamError } = await import("../../upstream/sdkFailure.ts");
	const failure = server.masker.failure(toUpstreamError(thrown).failure);
	const reason = describeFailure(failure);
	switch (failure.kind) {
		case "refused":
			return new RpcError(failure.code, reason, failure.data);
		case "lost":
			if (failure.forgotten === true) return new ForgottenSession(reason);
			return failure.undone ? unreached(reason) : createLostError(method, reason);
		case "unreadable":
			return unanswered(method, "unreadable", `The server's answer cannot be read (${reason})`);
		case "unauthorized":
			return failed(`The server needs a login for this: ${server.login} (${reason})`, "unreached");
		case "timeout":
		case "broken":
		case "busy":
			return unreached(reason);
		default:
			return failure satisfies never;
	}
}

/** The server was not asked, because its connection had ended. */
export function createGoneError(reason: string): RpcError {
	return failed(`The server is gone: ${reason}`, "unreached");
}

/** The connection ended before the answer came. */
export function createLostError(method: string, reason: string): RpcError {
	return unanswered(method, "lost", `The connection was lost before the answer came (${reason})`);
}

/** Thrown where a request failed because its session had expired before the server looked at it. */
export class ForgottenSession extends RpcError {
	constructor(reason: string) {
		super(RPC_CODES.internalError, `The server could not be reached: ${reason}`, { code: CODES.forgotten });
	}
}

/** The failure of a call that may have taken effect. Whoever knows that its tool may be called again tells the other. */
export class CallInDoubt extends RpcError {
	readonly ifRepeatable: RpcError;

	constructor(code: keyof typeof CODES, text: string) {
		const fault = createFault("ambiguous_outcome", "outcome_unknown", { detail: text });
		super(RPC_CODES.internalError, `${text}${IN_DOUBT}`, { code: CODES[code], fault });
		this.ifRepeatable = failed(text, code);
	}
}

function unreached(reason: string): RpcError {
	return failed(`The server could not be reached: ${reason}`, "unreached");
}

function unanswered(method: string, code: keyof typeof CODES, text: string): RpcError {
	return method === "tools/call" ? new CallInDoubt(code, text) : failed(text, code);
}

function failed(text: string, code: keyof typeof CODES): RpcError {
	return new RpcError(RPC_CODES.internalError, text, { code: CODES[code] });
}
