/** The state of a namespace. Its tools stay listed while its server is away. */
export type UpstreamState =
	/** `reason` says why the last attempt failed, or on the first what came in place of an answer. */
	| { readonly kind: "connecting"; readonly since: string; readonly reason?: string }
	| { readonly kind: "ready"; readonly since: string; readonly tools: number }
	| { readonly kind: "failed"; readonly since: string; readonly reason: string; readonly retryAt?: string }
	| { readonly kind: "needs_auth"; readonly since: string; readonly reason: string }
	| { readonly kind: "stopped"; readonly since: string };
