/** The state of a namespace. Its tools stay listed while its server is away. */
export type UpstreamState =
	/** `reason` says why the last attempt failed, or, during the first one, what the server printed instead of answering. */
	| { readonly kind: "connecting"; readonly since: string; readonly reason?: string }
	| { readonly kind: "ready"; readonly since: string; readonly tools: number }
	| { readonly kind: "failed"; readonly since: string; readonly reason: string; readonly retryAt?: string }
	| { readonly kind: "needs_auth"; readonly since: string; readonly reason: string }
	| { readonly kind: "stopped"; readonly since: string };

/** Why a server is not ready; if it needs a login, with the command for it. */
export function remedied(state: UpstreamState, login: string): string | undefined {
	if (!("reason" in state)) return undefined;
	return state.kind === "needs_auth" ? `${state.reason}; a person can log in with: ${login}` : state.reason;
}
