import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import { UpstreamError } from "../failure/failure.ts";
import { createMaskedFetch } from "../login/guardedFetch.ts";
import type { UpstreamProvider } from "../login/upstreamProvider.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A server's refusal: its status, and its WWW-Authenticate header. */
export type Refusal = { readonly status: number | undefined; readonly challenge: string | null | undefined };

/** The attempts made so far for one message. */
export type AuthAttempt = { token: string | undefined; renewals: number; stepUps: number };

const MOST_RENEWALS = 1;
const MOST_STEP_UPS = 1;
const LOOK_MS = 500;

/** The token for one server: sent with every message, renewed by the SDK's OAuth client when the server refuses it. */
export class HttpAuth {
	readonly #serverUrl: URL;
	readonly #provider: UpstreamProvider;
	readonly #fetch: Fetch;
	#token: string | undefined;
	#readAt: number = Number.NEGATIVE_INFINITY;
	#scope: string | undefined;
	#metadataUrl: URL | undefined;
	#renewing: Promise<void> | undefined;

	constructor(serverUrl: URL, provider: UpstreamProvider, fetch: Fetch) {
		this.#serverUrl = serverUrl;
		this.#provider = provider;
		this.#fetch = createMaskedFetch(fetch);
	}

	/** Read from the store now and then, because a person may have logged in or out, and whenever the server refused it. */
	async token(): Promise<string | undefined> {
		if (performance.now() - this.#readAt > LOOK_MS) await this.#reread();
		return this.#token;
	}

	/** Whether to send the refused message again with the token that `token()` now returns. */
	async helps({ status, challenge: header }: Refusal, attempt: AuthAttempt): Promise<boolean> {
		if (status !== 401 && status !== 403) return false;
		// Somebody may have logged in, or another message renewed the token, since this one was sent.
		if (await this.#isReplaced(attempt.token)) return true;
		// Nobody is logged in, so there is nothing to renew, and nothing that the server names is followed.
		if (this.#token === undefined) return false;
		const { computeScopeUnion, extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
		const challenge = extractWWWAuthenticateParams(headOf(status, header));
		if (status === 403 && challenge.error !== "insufficient_scope") return false;
		this.#metadataUrl = challenge.resourceMetadataUrl ?? this.#metadataUrl;
		this.#scope = computeScopeUnion(this.#scope, challenge.scope);
		if (status === 401 ? attempt.renewals++ >= MOST_RENEWALS : attempt.stepUps++ >= MOST_STEP_UPS) return false;
		const { token } = attempt;
		this.#renewing ??= this.#provider
			.renewing(() => this.#renew(status === 403, token))
			.finally(() => {
				this.#renewing = undefined;
			});
		await this.#renewing.catch(async (thrown: unknown) => {
			if (!(await this.#isReplaced(token))) throw thrown;
		});
		return true;
	}

	async #renew(stepsUp: boolean, refused: string | undefined): Promise<void> {
		// Another connection may have renewed it while we waited for our turn.
		if (await this.#isReplaced(refused)) return;
		const { auth, computeScopeUnion, isStrictScopeSuperset, UnauthorizedError } = await import(
			"@modelcontextprotocol/client"
		);
		const { scope: granted, refresh_token } = (await this.#provider.tokens()) ?? {};
		if (refresh_token !== undefined) this.#provider.proveStorable();
		// When a scope is missing, ask for it together with the scopes granted before.
		const scope = stepsUp ? computeScopeUnion(this.#scope, granted) : this.#scope;
		const outcome = await auth(sparing(this.#provider, refused), {
			serverUrl: this.#serverUrl,
			fetchFn: this.#fetch,
			...(this.#metadataUrl !== undefined && { resourceMetadataUrl: this.#metadataUrl }),
			...(scope !== undefined && { scope }),
			...(stepsUp && { forceReauthorization: isStrictScopeSuperset(scope, granted) }),
		}).catch((thrown: unknown) => {
			// The SDK recognises its own error class.
			throw thrown instanceof UpstreamError ? new UnauthorizedError(thrown.message) : thrown;
		});
		if (outcome !== "AUTHORIZED") throw new UnauthorizedError();
		await this.#reread();
	}

	async #isReplaced(token: string | undefined): Promise<boolean> {
		await this.#reread();
		return this.#token !== undefined && this.#token !== token;
	}

	async #reread(): Promise<void> {
		this.#token = (await this.#provider.tokens())?.access_token;
		this.#readAt = performance.now();
	}
}

/** The provider, but when it discards refused tokens, it spares newer ones that somebody stored meanwhile. */
function sparing(provider: UpstreamProvider, used: string | undefined): OAuthClientProvider {
	return {
		...provider,
		async invalidateCredentials(scope) {
			const stored = (await provider.tokens())?.access_token;
			if (scope === "tokens" && stored !== undefined && stored !== used)
				throw new UpstreamError({ kind: "unauthorized", message: "it was logged in to anew meanwhile" });
			await provider.invalidateCredentials?.(scope);
		},
	};
}

function headOf(status: number, challenge: Refusal["challenge"]): Response {
	return new Response(null, {
		status,
		...(typeof challenge === "string" && { headers: { "www-authenticate": challenge } }),
	});
}
