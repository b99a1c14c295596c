/** Where a namespace stands. Its tools stay listed while it is away. */
export type UpstreamState =
	/** Tried again, it has the reason of the last time. */
	| { readonly kind: "connecting"; readonly since: string; readonly reason?: string }
	| { readonly kind: "ready"; readonly since: string; readonly tools: number }
	| { readonly kind: "failed"; readonly since: string; readonly reason: string; readonly retryAt?: string }
	| { readonly kind: "needs_auth"; readonly since: string; readonly reason: string }
	| { readonly kind: "stopped"; readonly since: string };
