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
		super(reasonOf(failure), options);
		this.failure = failure;
	}
}

export function failureOf(thrown: unknown): UpstreamFailure {
	if (thrown instanceof UpstreamError) return thrown.failure;
	if (thrown instanceof DOMException && thrown.name === "TimeoutError") return { kind: "timeout" };
	return { kind: "broken", message: thrown instanceof Error ? thrown.message : "unknown failure" };
}

export function reasonOf(failure: UpstreamFailure): string {
	return failure.kind === "timeout" ? "it did not answer in time" : failure.message;
}
