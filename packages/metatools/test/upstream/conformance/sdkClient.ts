// The official SDK's client with its own OAuth, against the same suite: what it cannot pass is not asked of ours.
import {
	auth,
	Client,
	computeScopeUnion,
	extractWWWAuthenticateParams,
	isStrictScopeSuperset,
	type OAuthClientProvider,
	type OAuthDiscoveryState,
	type StoredOAuthClientInformation,
	type StoredOAuthTokens,
	StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { callsOf, METADATA_URL, scenario } from "./scenario.ts";

const REDIRECT = "http://localhost:3000/callback";

/** Keeps everything in memory; the person agrees at once, and the code is read from where the browser would be sent. */
class MemoryProvider implements OAuthClientProvider {
	readonly redirectUrl = REDIRECT;
	readonly clientMetadata = { client_name: "sdk-client", redirect_uris: [REDIRECT] };
	readonly clientMetadataUrl = METADATA_URL;
	client: StoredOAuthClientInformation | undefined =
		scenario.registered === undefined
			? undefined
			: {
					client_id: scenario.registered.id,
					...(scenario.registered.secret !== undefined && { client_secret: scenario.registered.secret }),
				};
	stored: StoredOAuthTokens | undefined;
	discovery: OAuthDiscoveryState | undefined;
	answer: URLSearchParams | undefined;
	verifier = "";

	clientInformation() {
		return this.client;
	}
	saveClientInformation(client: StoredOAuthClientInformation): void {
		this.client = client;
	}
	tokens() {
		return this.stored;
	}
	saveTokens(tokens: StoredOAuthTokens): void {
		this.stored = tokens;
	}
	discoveryState() {
		return this.discovery;
	}
	saveDiscoveryState(state: OAuthDiscoveryState): void {
		this.discovery = state;
	}
	codeVerifier() {
		return this.verifier;
	}
	saveCodeVerifier(verifier: string): void {
		this.verifier = verifier;
	}
	async redirectToAuthorization(address: URL): Promise<void> {
		const response = await fetch(address, { redirect: "manual" });
		this.answer = new URL(response.headers.get("location") ?? "").searchParams;
	}
	invalidateCredentials(what: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
		if (what === "all" || what === "client") this.client = undefined;
		if (what === "all" || what === "tokens") this.stored = undefined;
		if (what === "all" || what === "discovery") this.discovery = undefined;
	}
}

const provider = new MemoryProvider();

/** Authorizes when refused, once for each request. */
async function authorizedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
	const send = (): Promise<Response> => {
		const headers = new Headers(init?.headers);
		if (provider.stored !== undefined) headers.set("authorization", `Bearer ${provider.stored.access_token}`);
		return fetch(url, { ...init, headers });
	};
	const response = await send();
	if (response.status !== 401 && response.status !== 403) return response;
	await authorize(response);
	return send();
}

async function authorize(refusal: Response): Promise<void> {
	const { resourceMetadataUrl, scope: challenged } = extractWWWAuthenticateParams(refusal);
	const before = provider.stored?.scope;
	const scope = refusal.status === 403 ? computeScopeUnion(before, challenged) : challenged;
	if (refusal.status === 401) provider.invalidateCredentials("discovery");
	const options = {
		serverUrl: scenario.url,
		...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
		...(scope !== undefined && { scope }),
	};
	const forceReauthorization = isStrictScopeSuperset(scope, before);
	if ((await auth(provider, { ...options, forceReauthorization })) === "AUTHORIZED") return;
	const iss = provider.answer?.get("iss") ?? undefined;
	const authorizationCode = provider.answer?.get("code") ?? "";
	await auth(provider, { ...options, authorizationCode, ...(iss !== undefined && { iss }) });
}

const client = new Client(
	{ name: "sdk-client", version: "1.0.0" },
	{
		capabilities: { elicitation: { form: { applyDefaults: true } } },
		...(scenario.isModern && { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
	},
);
client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
await client.connect(new StreamableHTTPClientTransport(new URL(scenario.url), { fetch: authorizedFetch }));
const { tools } = await client.listTools();
for (const call of callsOf(tools)) {
	await client.callTool({ ...call, arguments: { ...call.arguments } }).catch((thrown: unknown) => {
		console.error(call.name, String(thrown));
	});
}
await client.close();
process.exit(0);
