import type { FetchImplementation, JWTVerifyGetKey } from "jose";
import { HttpRefusal } from "libmcp/http";
import { isObject, type JsonObject } from "../contract/json.ts";
import { findSystemError } from "../upstream/failure/failure.ts";
import { readWebAddress } from "./section.ts";

export type Issuer = { readonly issuer: string; readonly jwksUri?: string };

const DISCOVERY_TIMEOUT_MS = 5_000;
const RETRY_KEYS_MS = 2_000;
/** What jose says of a token whose key is not among those of the issuer. */
const OF_THE_TOKEN: ReadonlySet<unknown> = new Set([
	"ERR_JWKS_NO_MATCHING_KEY",
	"ERR_JWKS_MULTIPLE_MATCHING_KEYS",
	"ERR_JOSE_NOT_SUPPORTED",
]);

/** The published keys of an issuer, for every check of a token. While they cannot be had, requests are refused with 503. */
export function createIssuerKeys(issuer: Issuer): () => Promise<JWTVerifyGetKey> {
	let keys: Promise<JWTVerifyGetKey> | undefined;
	let told: string | undefined;
	const refusal = (thrown: unknown, why: string): HttpRefusal => {
		const reason = thrown instanceof Error ? thrown.message : "the issuer failed";
		// Many requests may fail for one reason, which is logged once.
		const cause = reason !== told && { cause: thrown };
		told = reason;
		const retry = { "retry-after": String(RETRY_KEYS_MS / 1_000) };
		return new HttpRefusal("INTERNAL", `the token cannot be checked: ${why}`, retry, { status: 503, ...cause });
	};
	return async () => {
		keys ??= keySet(issuer).catch((thrown: unknown) => {
			// Retried only after a pause: callers without a token must not be able to make us flood the issuer.
			setTimeout(() => {
				keys = undefined;
			}, RETRY_KEYS_MS).unref();
			throw thrown;
		});
		const keyOf = await keys.catch((thrown: unknown) => {
			throw refusal(thrown, thrown instanceof Error ? thrown.message : "the issuer failed");
		});
		return async (header, token) => {
			try {
				const key = await keyOf(header, token);
				told = undefined;
				return key;
			} catch (thrown) {
				if (thrown instanceof Error && "code" in thrown && OF_THE_TOKEN.has(thrown.code)) throw thrown;
				throw refusal(thrown, `the keys of ${issuer.issuer} cannot be fetched`);
			}
		};
	};
}

async function keySet({ issuer, jwksUri }: Issuer): Promise<JWTVerifyGetKey> {
	const { createRemoteJWKSet, customFetch } = await import("jose");
	const address = new URL(jwksUri ?? (await discoverKeys(issuer)));
	return createRemoteJWKSet(address, { [customFetch]: keyFetch(issuer) });
}

/** jose fetches for each token whose key it does not have, so after a failure there is a pause here as well. */
function keyFetch(issuer: string): FetchImplementation {
	let failure: Error | undefined;
	return async (address, options) => {
		if (failure !== undefined) throw failure;
		try {
			return await publishedKeys(address, options);
		} catch (thrown) {
			failure = new Error(`the keys of ${issuer} cannot be fetched (${whyUnanswered(thrown, options.signal)})`);
			setTimeout(() => {
				failure = undefined;
			}, RETRY_KEYS_MS).unref();
			throw failure;
		}
	};
}

async function publishedKeys(address: string, options: RequestInit): Promise<Response> {
	const response = await fetch(address, options);
	if (response.status !== 200) throw new UnusableAnswer(`HTTP ${response.status}`);
	const body: unknown = await response.json();
	if (!isObject(body) || !Array.isArray(body.keys)) throw new UnusableAnswer("what it publishes is no set of keys");
	return Response.json(body);
}

class UnusableAnswer extends Error {}

function whyUnanswered(thrown: unknown, signal: AbortSignal): string {
	if (thrown instanceof UnusableAnswer) return thrown.message;
	return signal.aborted ? "no answer in time" : (findSystemError(thrown)?.code ?? "no answer");
}

/** Finds the address of the issuer's keys in either kind of metadata. */
async function discoverKeys(issuer: string): Promise<string> {
	const { origin, pathname } = new URL(issuer);
	const path = pathname.replace(/\/$/, "");
	const candidates = [
		`${origin}/.well-known/oauth-authorization-server${path}`,
		`${origin}/.well-known/openid-configuration${path}`,
		`${origin}${path}/.well-known/openid-configuration`,
	];
	const unreached: string[] = [];
	for (const candidate of candidates) {
		const found = await metadataAt(candidate);
		if (typeof found === "string") unreached.push(found);
		else if (found.issuer === issuer && typeof found.jwks_uri === "string")
			return readWebAddress(found.jwks_uri, "jwks_uri");
	}
	throw new Error(
		unreached.length === candidates.length
			? `the issuer ${issuer} cannot be reached (${unreached[0]})`
			: `the issuer ${issuer} publishes no metadata of its own with a jwks_uri`,
	);
}

/** What is published there, empty if that is no metadata, or why there is no answer. */
async function metadataAt(address: string): Promise<JsonObject | string> {
	const signal = AbortSignal.timeout(DISCOVERY_TIMEOUT_MS);
	try {
		const response = await fetch(address, { redirect: "manual", signal });
		const body: unknown = await response.json().catch(() => undefined);
		return response.ok && isObject(body) ? body : {};
	} catch (thrown) {
		// Callers without a token may read this, so it does not name the address that was tried.
		return whyUnanswered(thrown, signal);
	}
}
