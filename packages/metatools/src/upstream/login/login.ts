import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createLimitedFetch } from "../limitedFetch.ts";
import { createGuardedFetch, createMaskedFetch } from "./guardedFetch.ts";
import type { TokenStore } from "./tokenStore.ts";
import { createUpstreamProvider, type LoginServer } from "./upstreamProvider.ts";

const PATIENCE_MS = 10 * 60_000;
/** Limit for metadata, registrations and token responses, none of which is long. */
const MAX_ANSWER_BYTES = 1_000_000;
/** The status of a server that registers clients but refuses this one, with a reason. */
const BAD_REQUEST = 400;

export type LoginOptions = {
	/** Scopes to ask for instead of those the server names. */
	readonly scope?: string;
};

/** Logs in to a server by OAuth with PKCE: shows the address, waits for the browser to come back, keeps the tokens. */
export async function login(
	server: LoginServer,
	store: TokenStore,
	show: (address: string) => void,
	{ scope }: LoginOptions = {},
): Promise<void> {
	const sdk = await import("@modelcontextprotocol/client");
	const serverUrl = server.url;
	const state = randomBytes(24).toString("base64url");
	const { wantedScope } = store.read(serverUrl);
	const fetchFn = createMaskedFetch(
		createLimitedFetch(MAX_ANSWER_BYTES, () => {}, createGuardedFetch(new URL(serverUrl))),
	);
	const callback = await listenForCallback(state);
	const provider = createUpstreamProvider(server, store, {
		redirectUrl: callback.url,
		state,
		show: (address) => show(address.href),
	});
	try {
		// The server's 401 says where its metadata is and which scopes it wants.
		const challenge = sdk.extractWWWAuthenticateParams(await refusal(serverUrl, fetchFn));
		const missed = typeof wantedScope === "string" ? wantedScope : undefined;
		const wanted = scope ?? sdk.computeScopeUnion(missed, challenge.scope);
		const options = {
			serverUrl,
			fetchFn,
			forceReauthorization: true,
			...(wanted !== undefined && { scope: wanted }),
			...(challenge.resourceMetadataUrl !== undefined && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
		};
		if ((await sdk.auth(provider, options)) === "AUTHORIZED") return;
		const { code, iss } = await callback.answer;
		await sdk.auth(provider, { ...options, authorizationCode: code, ...(iss !== undefined && { iss }) });
	} catch (thrown) {
		if (thrown instanceof sdk.RegistrationRejectedError && thrown.status !== BAD_REQUEST)
			throw new Error(registersNobody(thrown.status));
		throw thrown;
	} finally {
		callback.close();
	}
}

function registersNobody(status: number): string {
	return `the server registers no clients (HTTP ${status}): give its token in "headers", or a client registered there in "oauth"`;
}

async function refusal(serverUrl: string, fetchFn: ReturnType<typeof createLimitedFetch>): Promise<Response> {
	const response = await fetchFn(serverUrl, {
		method: "POST",
		headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
		body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
	});
	await response.body?.cancel();
	return response;
}

type Callback = {
	readonly url: string;
	readonly answer: Promise<{ readonly code: string; readonly iss: string | undefined }>;
	close(): void;
};

/** Listens on a loopback address for the one redirect with this state. */
async function listenForCallback(state: string): Promise<Callback> {
	const answer = Promise.withResolvers<{ code: string; iss: string | undefined }>();
	answer.promise.catch(() => {});
	const server = createServer((request, response) => {
		// Any page in the browser can send anything here.
		const url = URL.parse(request.url ?? "/", "http://127.0.0.1");
		if (url?.pathname !== "/callback" || !same(url.searchParams.get("state") ?? "", state)) {
			response.writeHead(404).end();
			return;
		}
		const given = url.searchParams;
		const code = given.get("code");
		response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
		response.end(
			code === null ? "The login was refused. You can close this page." : "Logged in. You can close this page.",
		);
		if (code !== null) answer.resolve({ code, iss: given.get("iss") ?? undefined });
		else
			answer.reject(new Error(`the login was refused: ${(given.get("error") ?? "no code came back").slice(0, 200)}`));
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	const patience = setTimeout(
		() => answer.reject(new Error("no answer came from the browser within ten minutes")),
		PATIENCE_MS,
	);
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
		answer: answer.promise,
		close() {
			clearTimeout(patience);
			server.close();
			server.closeAllConnections();
		},
	};
}

function same(given: string, expected: string): boolean {
	const [ours, theirs] = [Buffer.from(expected), Buffer.from(given)];
	return theirs.length === ours.length && timingSafeEqual(theirs, ours);
}
