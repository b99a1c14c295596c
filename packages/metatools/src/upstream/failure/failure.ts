import { type Fault, isFault } from "libmcp";
import { isObject } from "../../contract/json.ts";

/** What went wrong between us and a server. */
export type UpstreamFailure =
	/** It answered with a JSON-RPC error. */
	| { readonly kind: "refused"; readonly code: number; readonly message: string; readonly data?: unknown }
	| { readonly kind: "timeout" }
	| { readonly kind: "unauthorized"; readonly message: string }
	/** The connection is gone. `undone`: the request certainly never ran. `forgotten`: the server no longer knows the session. */
	| { readonly kind: "lost"; readonly undone: boolean; readonly forgotten?: boolean; readonly message: string }
	/** It refused the request because there are too many, and may have said when to come back. */
	| { readonly kind: "busy"; readonly message: string; readonly retryAfterMs?: number }
	/** It answered with something that is no answer. */
	| { readonly kind: "unreadable"; readonly message: string }
	| { readonly kind: "broken"; readonly message: string };

export class UpstreamError extends Error {
	override readonly name = "UpstreamError";
	readonly failure: UpstreamFailure;

	constructor(failure: UpstreamFailure, options?: ErrorOptions) {
		super(describeFailure(failure), options);
		this.failure = failure;
	}
}

export function readFailure(thrown: unknown): UpstreamFailure {
	if (thrown instanceof UpstreamError) return thrown.failure;
	if (thrown instanceof DOMException && thrown.name === "TimeoutError") return { kind: "timeout" };
	return { kind: "broken", message: thrown instanceof Error ? thrown.message : "unknown failure" };
}

export function describeFailure(failure: UpstreamFailure): string {
	return failure.kind === "timeout" ? "it did not answer in time" : failure.message;
}

/** Why the server did not answer, if its host answered for it. */
export function findHostFault(failure: UpstreamFailure): Fault | undefined {
	const fault = failure.kind === "refused" && isObject(failure.data) ? failure.data.fault : undefined;
	return isFault(fault) ? fault : undefined;
}

const OUT_OF_FILES = "the gateway's own process is out of file descriptors; raise its limit (ulimit -n)";

/** By the code of a system error, and by that of the fault which a host makes of it. */
const SHORTAGES: Readonly<Record<string, string>> = {
	EMFILE: OUT_OF_FILES,
	no_more_files: OUT_OF_FILES,
};

/** What this process lacked to reach a server, if it was that and nothing about the server. */
export function describeShortage(code: string | undefined): string | undefined {
	return code !== undefined && Object.hasOwn(SHORTAGES, code) ? SHORTAGES[code] : undefined;
}

/** Finds the network or system error behind a thrown value. */
export function findSystemError(thrown: unknown): (Error & { readonly code: string }) | undefined {
	for (let error = thrown, depth = 0; error instanceof Error && depth < 4; error = error.cause, depth++)
		if (isSystemError(error)) return error;
	return undefined;
}

function isSystemError(error: Error): error is Error & { readonly code: string } {
	return "code" in error && typeof error.code === "string" && /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(error.code);
}
